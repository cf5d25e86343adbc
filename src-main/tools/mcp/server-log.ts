import { redactor } from './redact'

const MOST_LINES = 200
const MOST_CHARACTERS = 2000

/** The last lines a server printed and what happened to it, without the secrets it was given. */
export class ServerLog {
  private readonly kept: string[] = []
  private readonly secrets: Set<string>
  private redacting: (text: string) => string

  constructor(secrets: readonly string[]) {
    this.secrets = new Set(secrets)
    this.redacting = redactor(secrets)
  }

  /** One that came later, such as a token of a sign-in. */
  learn(secret: string): void {
    if (this.secrets.has(secret)) return
    this.secrets.add(secret)
    this.redacting = redactor([...this.secrets])
  }

  readonly redact = (text: string): string => this.redacting(text)

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
