import { memo } from 'react'
import ReactMarkdown, { type Components, type Options } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { CodeBlock } from './code-block'
import { mathText, mayHoldMath } from './math-text'
import { RemotePicture, ShownPicture } from './pictures'
import { anchorOf, isMail, pictureLink, safeLink, safePicture } from './safe-url'
import { TableView } from './table-view'
import { TaskBox } from './task-box'
import { useMath } from './use-math'

function textOf(node: unknown): string {
  if (typeof node === 'string') return node
  if (Array.isArray(node)) return node.map(textOf).join('')
  return ''
}

const COMPONENTS: Components = {
  a({ href, children, id, className, ...rest }) {
    const marks = { id, className, 'aria-label': rest['aria-label'], 'aria-describedby': rest['aria-describedby'] }
    if (!href) return <span>{children}</span>
    if (href.startsWith('#')) {
      return (
        <a
          href={href}
          {...marks}
          onClick={(event) => {
            event.preventDefault()
            const article = event.currentTarget.closest('.msg')
            article?.querySelector(`#${CSS.escape(anchorOf(href) ?? '')}`)?.scrollIntoView({ block: 'nearest' })
          }}
        >
          {children}
        </a>
      )
    }
    const page = isMail(href) ? {} : { target: '_blank' }
    return (
      <a href={href} {...page} rel="noopener noreferrer" title={href}>
        {children}
      </a>
    )
  },
  img({ src, alt }) {
    const address = typeof src === 'string' ? src : ''
    if (!address) return <span className="dim">{alt}</span>
    return address.startsWith('data:') ? (
      <ShownPicture src={address} alt={alt ?? ''} />
    ) : (
      <RemotePicture src={address} alt={alt ?? ''} />
    )
  },
  pre: ({ children }) => <>{children}</>,
  code({ className, children }) {
    const language = /language-(\S+)/.exec(className ?? '')?.[1]
    const text = textOf(children)
    if (language === undefined && !text.includes('\n')) return <code className="inline-code">{children}</code>
    return <CodeBlock language={language ?? ''} code={text.replace(/\n$/, '')} closed />
  },
  input: ({ checked }) => <TaskBox done={checked === true} />,
  table: ({ children }) => <TableView>{children}</TableView>,
}

const urlTransform: NonNullable<Options['urlTransform']> = (url, key, node) => {
  if (key !== 'src') return safeLink(url)
  return node.tagName === 'img' ? safePicture(url) || pictureLink(url) : ''
}

const PLAIN_REMARK = [remarkGfm]

interface MarkdownBlockProps {
  text: string
  breaks: boolean
  /** Link definitions from elsewhere in the message. */
  definitions?: string
}

/** One block of Markdown. Rendered again only when its own text changes. */
export const MarkdownBlock = memo(function MarkdownBlock({ text, breaks, definitions }: MarkdownBlockProps) {
  const holdsMath = mayHoldMath(text)
  const math = useMath(holdsMath)
  const body = math ? mathText(text) : text
  return (
    <div className={breaks ? 'md breaks' : 'md'}>
      <ReactMarkdown
        remarkPlugins={math ? [remarkGfm, ...math.remark] : PLAIN_REMARK}
        {...(math
          ? { rehypePlugins: math.rehype.map(([plugin, options]) => [plugin, options] as const) as never }
          : {})}
        components={COMPONENTS}
        urlTransform={urlTransform}
      >
        {definitions ? `${body}\n\n${definitions}` : body}
      </ReactMarkdown>
    </div>
  )
})
