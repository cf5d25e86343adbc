const NAME = 'find'
const MOST = 2000

/**
 * Marks words in what is on screen, without touching the document: the platform paints ranges. Marks again when the
 * transcript scrolls other messages in. Returns the way to take the marks off.
 */
export function markMatches(query: string): () => void {
  if (!query || typeof CSS === 'undefined' || !('highlights' in CSS)) return () => undefined
  const log = document.querySelector('.log')
  if (!log) return () => undefined
  let frame = 0
  const paint = () => {
    frame = 0
    CSS.highlights.set(NAME, new Highlight(...rangesOf(log, query.toLowerCase())))
  }
  const observer = new MutationObserver(() => {
    frame ||= requestAnimationFrame(paint)
  })
  observer.observe(log, { childList: true, subtree: true })
  paint()
  return () => {
    observer.disconnect()
    cancelAnimationFrame(frame)
    CSS.highlights.delete(NAME)
  }
}

function rangesOf(root: Node, query: string): Range[] {
  const ranges: Range[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node && ranges.length < MOST; node = walker.nextNode()) {
    const text = node.nodeValue?.toLowerCase() ?? ''
    for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) {
      const range = new Range()
      range.setStart(node, at)
      range.setEnd(node, at + query.length)
      ranges.push(range)
    }
  }
  return ranges
}
