import { memo, useMemo, useRef } from 'react'
import { CodeBlock } from './code-block'
import { MarkdownBlock } from './markdown-block'
import { mendTail } from './mend-tail'
import { PlainBlock } from './plain-block'
import { type Block, settledBlocks, splitBlocks } from './split-blocks'

const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t]+\S[^\n]*$/gm
const FOOTNOTE = /^\[\^[^\]\n]+\]:/m
const WHOLE_LIMIT = 60_000

/** Splits again only from the blocks on that may still change while text is appended. */
function useBlocks(text: string): readonly Block[] {
  const before = useRef<{ text: string; blocks: readonly Block[] }>({ text: '', blocks: [] })
  return useMemo(() => {
    const { text: oldText, blocks: old } = before.current
    const settled = text.startsWith(oldText) ? settledBlocks(old) : 0
    const from = old[settled]?.start ?? 0
    const blocks = settled > 0 ? [...old.slice(0, settled), ...splitBlocks(text, from)] : splitBlocks(text)
    before.current = { text, blocks }
    return blocks
  }, [text])
}

interface MarkdownProps {
  text: string
  /** The text is still growing: the last block is shown as if it were complete. */
  streaming?: boolean
  /** It stopped in the middle: half a table or emphasis at its end is shown as a whole one. */
  broken?: boolean
  /** Line ends are line ends. */
  breaks?: boolean
}

/** Markdown in blocks that render once. HTML in it is text. */
export const Markdown = memo(function Markdown(props: MarkdownProps) {
  const { text, streaming = false, broken = false, breaks = false } = props
  const mend = streaming || broken
  const blocks = useBlocks(text)
  const definitions = useMemo(() => (text.includes(']:') ? (text.match(DEFINITION)?.join('\n') ?? '') : ''), [text])
  if (text.length < WHOLE_LIMIT && text.includes('[^') && FOOTNOTE.test(text)) {
    return <MarkdownBlock text={mend ? mendTail(text) : text} breaks={breaks} />
  }
  return blocks.map((block, index) => {
    const tail = mend && index === blocks.length - 1
    const key = block.start
    if (block.kind === 'code') {
      return <CodeBlock key={key} language={block.language} code={block.code} closed={block.closed || !streaming} />
    }
    if (block.kind === 'plain') return <PlainBlock key={key} text={block.text} />
    return (
      <MarkdownBlock
        key={key}
        text={tail ? mendTail(block.text) : block.text}
        breaks={breaks}
        {...(definitions && block.text.includes('[') ? { definitions } : {})}
      />
    )
  })
})
