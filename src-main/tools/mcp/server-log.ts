import { redactor } from './redact'

const MOST_LINES = 200
const MOST_CHARACTERS = 2000

/** The last lines a server printed and what happened to it, without the secrets it was given. */
export class ServerLog {
  readonly redact: (text: string) => string
  private readonly kept: string[] = []

  constructor(secrets: readonly string[]) {
    this.redact = redactor(secrets)
  }

  lines(): string[] {
    return [...this.kept]
  }

  add(text: string): void {
    for (const line of this.redact(text).split('\n')) {
      if (line.trim() !== '') this.kept.push(line.slice(0, MOST_CHARACTERS))
    }
    this.kept.splice(0, Math.max(0, this.kept.length - MOST_LINES))
  }

  /** Something went wrong on our side of the line. */
  trouble(what: string, error?: unknown): void {
    const why = error === undefined ? '' : `: ${error instanceof Error ? error.message : String(error)}`
    this.add(`! ${what}${why}`)
  }
}
