import { ICON_PATHS } from './icon-paths'

export type IconName = keyof typeof ICON_PATHS

export interface IconProps {
  name: IconName
  /** Pixels, 16 unless told. */
  size?: number
}

/** Decorative: the name of a control belongs on the control. */
export function Icon({ name, size = 16 }: IconProps) {
  return (
    <svg
      className="i"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: constant drawings of our own, see icon-paths
      dangerouslySetInnerHTML={{ __html: ICON_PATHS[name] }}
    />
  )
}
