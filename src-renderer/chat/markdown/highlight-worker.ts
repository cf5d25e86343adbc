import {
  createCssVariablesTheme,
  createHighlighterCore,
  type GrammarState,
  type HighlighterCore,
  type ThemedToken,
} from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import type { HighlightAnswer, HighlightRequest, TokenKind, TokenLine } from './highlight-contract'
import { LANGUAGES } from './languages'

/** Runs beside the page: a long answer must not hold up the frame. No WebAssembly, no eval. */
const port = self as unknown as {
  onmessage: ((event: MessageEvent<HighlightRequest>) => void) | null
  postMessage(answer: HighlightAnswer): void
}

const THEME = createCssVariablesTheme({ name: 'kinds', variablePrefix: '--k-' })
const KINDS: Readonly<Record<string, TokenKind>> = {
  'token-keyword': 'kw',
  'token-string': 'st',
  'token-string-expression': 'st',
  'token-constant': 'nu',
  'token-comment': 'cm',
  'token-function': 'fn',
}
const BLOCKS_KEPT = 40

let highlighter: Promise<HighlighterCore> | null = null
const loaded = new Set<string>()
/** Where the grammar stood after each chunk of a block. */
const states = new Map<number, (GrammarState | undefined)[]>()

function start(): Promise<HighlighterCore> {
  highlighter ??= createHighlighterCore({
    themes: [THEME],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  return highlighter
}

async function ready(grammar: string): Promise<HighlighterCore> {
  const core = await start()
  if (!loaded.has(grammar)) {
    const language = LANGUAGES[grammar]
    if (!language) throw new Error(`no grammar ${grammar}`)
    await core.loadLanguage(await language().then((module) => module.default))
    loaded.add(grammar)
  }
  return core
}

function kindOf(token: ThemedToken): TokenKind {
  return KINDS[/--k-([a-z-]+)/.exec(token.color ?? '')?.[1] ?? ''] ?? ''
}

function lineOf(tokens: readonly ThemedToken[]): TokenLine {
  const line: [string, TokenKind][] = []
  for (const token of tokens) {
    const kind = kindOf(token)
    const last = line.at(-1)
    if (last && last[1] === kind) last[0] += token.content
    else line.push([token.content, kind])
  }
  return line
}

async function answer({ requestId, blockId, chunk, grammar, text }: HighlightRequest): Promise<HighlightAnswer> {
  try {
    const core = await ready(grammar)
    const known = states.get(blockId) ?? []
    states.delete(blockId)
    states.set(blockId, known)
    const oldest = states.keys().next().value
    if (states.size > BLOCKS_KEPT && oldest !== undefined) states.delete(oldest)
    const before = chunk > 0 ? known[chunk - 1] : undefined
    const result = core.codeToTokens(text, {
      lang: grammar,
      theme: 'kinds',
      tokenizeMaxLineLength: 2000,
      ...(before ? { grammarState: before } : {}),
    })
    known[chunk] = result.grammarState
    return { requestId, lines: result.tokens.map(lineOf) }
  } catch {
    return { requestId, lines: null } // the plain text stays on screen
  }
}

let queue = Promise.resolve()
port.onmessage = ({ data }) => {
  // in order: a chunk begins where the one before it ended
  queue = queue.then(async () => port.postMessage(await answer(data)))
}
