/** Watches how long a server says nothing. */
export interface Silence {
  /** A request leaves: the clock starts. Returns the signal that ends the request, joined with the caller's own. */
  begin(signal: AbortSignal | undefined): AbortSignal | undefined
  /** A piece of the answer came. */
  heard(): void
  /** The answer is over. */
  end(): void
}

const NO_LIMIT: Silence = { begin: (signal) => signal, heard: () => undefined, end: () => undefined }

/** Longest delay a timer takes, milliseconds. */
const LONGEST_MS = 2 ** 31 - 1

/** `seconds`: how long a server may be silent; 0 = for ever. `onLimit` is called before the request is ended. */
export function silenceLimit(seconds: number, onLimit: () => void): Silence {
  if (seconds <= 0) return NO_LIMIT
  const control = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        onLimit()
        control.abort()
      },
      Math.min(seconds * 1000, LONGEST_MS),
    )
  }
  return {
    begin(signal) {
      restart()
      return signal ? AbortSignal.any([signal, control.signal]) : control.signal
    },
    heard: restart,
    end: () => clearTimeout(timer),
  }
}
