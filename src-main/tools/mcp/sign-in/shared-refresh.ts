/** Milliseconds an answer is handed to those who ask the same again. */
const SHARED_MS = 10_000

/**
 * Calls side by side find out at once that their token has expired. A refresh token is good for one exchange, so that
 * all of them get the answer to the first.
 */
export function sharedRefresh(fetching: typeof fetch): typeof fetch {
  const asked = new Map<string, Promise<Response>>()
  return async (input, init) => {
    const body = init?.body instanceof URLSearchParams ? init.body : undefined
    if (body?.get('grant_type') !== 'refresh_token') return fetching(input, init)
    const key = `${String(input)} ${body}`
    const answer = asked.get(key) ?? fetching(input, init)
    asked.set(key, answer)
    setTimeout(() => asked.delete(key), SHARED_MS).unref()
    return (await answer).clone()
  }
}
