const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=\s]*$/i
const WEB = /^https?:\/\//i
const MAIL = /^mailto:[^\s@]+@[^\s@]/i

/** Addresses that may be followed; everything else becomes no link at all, and one nobody can read is text. */
export function safeLink(url: string): string {
  const bare = url.trim()
  if (bare.startsWith('#')) return anchorOf(bare) === undefined ? '' : bare
  return (WEB.test(bare) || MAIL.test(bare)) && URL.canParse(bare) ? bare : ''
}

/** The id an address within the page points to; undefined where it is no proper one. */
export function anchorOf(href: string): string | undefined {
  try {
    return decodeURIComponent(href.slice(1))
  } catch {
    return undefined
  }
}

/** A program on this machine opens it, so no new page is wanted for it. */
export const isMail = (url: string): boolean => MAIL.test(url)

/** Pictures that may be shown: only such as carry their own bytes. Remote ones would tell their server who reads. */
export function safePicture(url: string): string {
  return PICTURE.test(url.trim()) ? url.trim() : ''
}

/** Where a picture lies that is shown as a link only. */
export function pictureLink(url: string): string {
  const bare = url.trim()
  return WEB.test(bare) && URL.canParse(bare) ? bare : ''
}
