import 'katex/dist/katex.min.css'
import rehypeKatex from 'rehype-katex'
import remarkMath from 'remark-math'

/** Fetched with the first formula: the font and the renderer weigh more than the chat. */
export const mathPlugins = {
  remark: [remarkMath],
  rehype: [[rehypeKatex, { strict: 'ignore', trust: false, maxExpand: 500, maxSize: 20 }]],
} as const
