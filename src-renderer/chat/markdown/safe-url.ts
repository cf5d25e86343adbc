const LINK = /^(?:https?:\/\/|mailto:)/i
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=\s]*$/i

/** Addresses that may be followed; everything else becomes no link at all. */
export function safeLink(url: string): string {
  const bare = url.trim()
  return LINK.test(bare) || bare.startsWith('#') ? bare : ''
}

/** Pictures that may be shown: only such as carry their own bytes. Remote ones would tell their server who reads. */
export function safePicture(url: string): string {
  return PICTURE.test(url.trim()) ? url.trim() : ''
}
