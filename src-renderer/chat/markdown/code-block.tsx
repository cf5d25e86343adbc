import { lazy, memo, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { saveText } from '../../ui/save-file'
import { copyText } from '../chat-actions'
import { type Chunk, useHighlight } from './use-highlight'

const MermaidView = lazy(async () => ({ default: (await import('./mermaid-view')).MermaidView }))

interface CodeBlockProps {
  language: string
  code: string
  closed: boolean
}

/** Code with colours, copy, wrap and download. A finished Mermaid block is drawn. */
export const CodeBlock = memo(function CodeBlock({ language, code, closed }: CodeBlockProps) {
  if (language.toLowerCase() === 'mermaid' && closed) {
    return (
      <Suspense fallback={<CodeFrame language={language} code={code} closed={closed} />}>
        <MermaidView code={code} fallback={<CodeFrame language={language} code={code} closed={closed} />} />
      </Suspense>
    )
  }
  return <CodeFrame language={language} code={code} closed={closed} />
})

const EXTENSIONS: Readonly<Record<string, string>> = {
  python: 'py',
  javascript: 'js',
  typescript: 'ts',
  markdown: 'md',
  bash: 'sh',
  shell: 'sh',
  rust: 'rs',
  ruby: 'rb',
  kotlin: 'kt',
  csharp: 'cs',
  mermaid: 'mmd',
}

function CodeFrame({ language, code, closed }: CodeBlockProps) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const [wrap, setWrap] = useState(false)
  const chunks = useHighlight(language, code, closed)
  const extension = EXTENSIONS[language.toLowerCase()] ?? (/^[a-z0-9]{1,8}$/i.test(language) ? language : 'txt')
  return (
    <div className="code" lang="en">
      <header>
        <span className="cut">{language || t('code.text')}</span>
        <span className="grow" />
        <IconButton icon="wrap" small label={t('code.wrap')} pressed={wrap} onClick={() => setWrap(!wrap)} />
        <IconButton
          icon="download"
          small
          label={t('code.download')}
          onClick={() => saveText(`code.${extension}`, code)}
        />
        <IconButton icon="copy" small label={t('code.copy')} onClick={() => void copyText(code)} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre tabIndex={0} className={cx(wrap && 'wrap')}>
        <code>
          {chunks.map((chunk, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: chunks only grow at the end
            <CodeChunk key={index} text={chunk.text} lines={chunk.lines} />
          ))}
        </code>
      </pre>
    </div>
  )
}

/** Of `.code pre` in the style sheet: what is off screen keeps its exact height without being laid out. */
const LINE_PX = 19

function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

const CodeChunk = memo(function CodeChunk({ text, lines }: Chunk) {
  const style = { containIntrinsicBlockSize: `auto ${countLines(text) * LINE_PX}px` }
  if (!lines) return <span className="chunk" style={style}>{`${text}\n`}</span>
  return (
    <span className="chunk" style={style}>
      {lines.map((line, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a chunk never move
        <span key={row}>
          {line.map(([word, kind], at) =>
            kind ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: words of a line never move
              <span key={at} className={kind}>
                {word}
              </span>
            ) : (
              word
            ),
          )}
          {'\n'}
        </span>
      ))}
    </span>
  )
})
