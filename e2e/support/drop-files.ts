import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Page } from 'playwright/test'

export interface DroppedFile {
  name: string
  /** Text, or bytes as base64. */
  content: string | { base64: string }
}

export const fileOnDisk = (path: string): DroppedFile => ({
  name: basename(path),
  content: { base64: readFileSync(path).toString('base64') },
})

/** Drops files onto an element the way a file manager does. */
export async function dropFiles(page: Page, selector: string, files: readonly DroppedFile[]): Promise<void> {
  const dataTransfer = await page.evaluateHandle((dropped) => {
    const transfer = new DataTransfer()
    for (const { name, content } of dropped) {
      const bytes =
        typeof content === 'string'
          ? new TextEncoder().encode(content)
          : Uint8Array.from(atob(content.base64), (char) => char.charCodeAt(0))
      transfer.items.add(new File([bytes], name))
    }
    return transfer
  }, files)
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent(selector, type, { dataTransfer })
}
