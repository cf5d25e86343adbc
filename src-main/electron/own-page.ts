import { APP_ORIGIN } from './app-scheme'

/** The hot-reloading build server; only a development build looks for it. */
export function devServer(): string | undefined {
  return import.meta.env.DEV ? process.env.ELECTRON_RENDERER_URL : undefined
}

export function isOwnPage(url: string): boolean {
  const server = devServer()
  return url.startsWith(`${APP_ORIGIN}/`) || (server !== undefined && url.startsWith(server))
}
