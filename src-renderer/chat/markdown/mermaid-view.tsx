import mermaid from 'mermaid'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/button'
import { copyText } from '../chat-actions'
import { ZoomImage } from '../zoom-image'
import { holdsAddress, holdsHtml, pointsOutside } from './mermaid-source'

let drawings = 0
const MOST_CHARS = 20_000
const SECURE = [
  'secure',
  'securityLevel',
  'startOnLoad',
  'maxTextSize',
  'maxEdges',
  'suppressErrorRendering',
  'layout',
  'htmlLabels',
  'themeCSS',
  'fontFamily',
  'altFontFamily',
  'dompurifyConfig',
] as const

/** The colours of the page, read when drawing: a picture cannot see the page's own. */
function drawingColours() {
  const page = getComputedStyle(document.documentElement)
  const colour = (name: string) => page.getPropertyValue(name).trim()
  return {
    fontFamily: 'Inter, "Segoe UI", system-ui, "Noto Sans CJK SC", sans-serif',
    fontSize: '13px',
    background: colour('--bg-canvas'),
    primaryColor: colour('--bg-sunken'),
    primaryTextColor: colour('--ink'),
    primaryBorderColor: colour('--control-line'),
    secondaryColor: colour('--bg-side'),
    tertiaryColor: colour('--bg-raised'),
    lineColor: colour('--ink-3'),
    textColor: colour('--ink'),
    edgeLabelBackground: colour('--bg-canvas'),
    noteBkgColor: colour('--warn-soft'),
    noteTextColor: colour('--ink'),
    noteBorderColor: colour('--warn-line'),
  }
}

/** An SVG as a picture address: inside an image nothing runs and nothing is fetched. Undefined: it points elsewhere. */
async function draw(code: string, dark: boolean): Promise<string | undefined> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    // what a source may not set for itself, besides the library's own list
    secure: [...SECURE],
    // the other engine is 1.5 MB of script, whose start alone is felt
    layout: 'dagre',
    theme: 'base',
    darkMode: dark,
    themeVariables: drawingColours(),
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    suppressErrorRendering: true,
  })
  const { svg } = await mermaid.render(`drawing-${++drawings}`, code)
  if (pointsOutside(svg)) return undefined
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(withSize(svg))}`
}

/** An image has no size of its own while its SVG says "100 %": the view box tells it. */
function withSize(svg: string): string {
  const [, , , width, height] = /viewBox="([\d.-]+) ([\d.-]+) ([\d.]+) ([\d.]+)"/.exec(svg) ?? []
  if (!width || !height) return svg
  return svg.replace(/<svg([^>]*?) width="[^"]*"/, `<svg$1 width="${width}" height="${height}"`)
}

interface MermaidViewProps {
  code: string
  /** The source, shown while drawing and when it cannot be drawn. */
  fallback: ReactNode
}

export function MermaidView({ code, fallback }: MermaidViewProps) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const [picture, setPicture] = useState<string | null>(null)
  const [failed, setFailed] = useState('')
  const dark = document.documentElement.dataset.theme === 'dark'
  useEffect(() => {
    let current = true
    setFailed('')
    const reason =
      code.length > MOST_CHARS
        ? t('mermaid.tooLong')
        : holdsAddress(code)
          ? t('mermaid.address')
          : holdsHtml(code) && t('mermaid.html')
    if (reason) {
      setFailed(reason)
      return
    }
    draw(code, dark).then(
      (drawn) => {
        if (!current) return
        if (drawn === undefined) setFailed(t('mermaid.address'))
        else setPicture(drawn)
      },
      (error: unknown) => current && setFailed(error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''),
    )
    return () => {
      current = false
    }
  }, [code, dark, t])
  if (failed || !picture) {
    return (
      <>
        {fallback}
        {failed && <p className="small dim mermaid-note">{t('mermaid.failed', { reason: failed })}</p>}
      </>
    )
  }
  return (
    <figure className="mermaid">
      <ZoomImage src={picture} alt={t('mermaid.label')} />
      <IconButton
        icon="copy"
        small
        className="table-copy"
        label={t('mermaid.copy')}
        onClick={() => void copyText(code)}
      />
    </figure>
  )
}
