import { create } from 'zustand'
import type { ImportReport } from '../../../../src-main/context/worldbook/contract'
import { call } from '../../../api/client'
import { i18n } from '../../../i18n/i18n'
import { toBase64 } from '../../../ui/save-file'
import { loadBooks } from '../book-store'

export type ImportState = 'waiting' | 'reading' | 'ready' | 'failed' | 'storing' | 'done'

export interface ImportItem {
  id: number
  fileName: string
  /** Bytes. */
  size: number
  state: ImportState
  /** Of the dry run, then of the import itself. */
  report: ImportReport | null
  error: string
  onCollision: 'update' | 'copy'
  /** Left out by the user. */
  skipped: boolean
}

interface ImportRun {
  open: boolean
  items: readonly ImportItem[]
  /** The chat made from a card, to be opened when the dialog closes. */
  chatId: string | null
}

export const useImport = create<ImportRun>(() => ({ open: false, items: [], chatId: null }))
const set = useImport.setState

/** What the reader takes at most; larger files are not even sent. */
const MOST_BYTES = 64 * 1024 * 1024
/** Kept until the dialog closes: the same bytes go in that the report is about. */
const contents = new Map<number, string>()
let nextId = 1

export interface ImportFile {
  name: string
  size: number
  arrayBuffer(): Promise<ArrayBuffer>
}

function change(id: number, patch: Partial<ImportItem>): void {
  set(({ items }) => ({ items: items.map((item) => (item.id === id ? { ...item, ...patch } : item)) }))
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Opens the report and fills it file by file. Nothing is stored. */
export async function startImport(files: readonly ImportFile[]): Promise<void> {
  if (files.length === 0) return
  const fresh = files.map((file): ImportItem => {
    return {
      id: nextId++,
      fileName: file.name,
      size: file.size,
      state: 'waiting',
      report: null,
      error: '',
      onCollision: 'copy',
      skipped: false,
    }
  })
  set(({ items, open }) => ({ open: true, items: open ? [...items, ...fresh] : fresh }))
  for (const [index, item] of fresh.entries()) {
    const file = files[index]
    if (file) await tryOut(item, file)
  }
}

async function tryOut({ id, fileName, size }: ImportItem, file: ImportFile): Promise<void> {
  change(id, { state: 'reading' })
  try {
    if (size > MOST_BYTES) throw new Error(i18n.t('worldbook:import.tooLarge'))
    const dataBase64 = toBase64(new Uint8Array(await file.arrayBuffer()))
    const report = await call('worldbook.import', { fileName, dataBase64, dryRun: true })
    contents.set(id, dataBase64)
    change(id, { state: 'ready', report })
  } catch (error) {
    change(id, { state: 'failed', error: wordsOf(error) })
  }
}

export const setCollision = (id: number, onCollision: ImportItem['onCollision']): void => change(id, { onCollision })
export const setSkipped = (id: number, skipped: boolean): void => change(id, { skipped })

/** True for a file that would put at least one book into the list. */
export const hasBooks = ({ report }: ImportItem): boolean => (report?.books.length ?? 0) > 0

/** Stores one file's books. Resolves to their ids; null when it failed. */
export async function storeItem(id: number): Promise<readonly string[] | null> {
  const item = useImport.getState().items.find((each) => each.id === id)
  const dataBase64 = contents.get(id)
  if (!item || dataBase64 === undefined) return null
  if (item.state === 'done') return item.report?.worldbookIds ?? []
  change(id, { state: 'storing' })
  try {
    const { fileName, onCollision } = item
    const report = await call('worldbook.import', { fileName, dataBase64, onCollision })
    change(id, { state: 'done', report })
    return report.worldbookIds
  } catch (error) {
    change(id, { state: 'failed', error: wordsOf(error) })
    return null
  }
}

/** True while other files still wait for a decision. */
export const hasMore = (id: number): boolean =>
  useImport.getState().items.some((item) => item.id !== id && item.state !== 'failed' && item.state !== 'done')

export async function storeAll(): Promise<void> {
  for (const item of useImport.getState().items) {
    if (item.state === 'ready' && !item.skipped && hasBooks(item)) await storeItem(item.id)
  }
  await loadBooks()
}

export function closeImport(): void {
  contents.clear()
  set({ open: false, items: [], chatId: null })
}

const ACCEPT = '.json,.png,.charx,.lorebook,.lorebooks,.zip,.jsonl,application/json,image/png'

/** The system's file dialog, several files at once. */
export function chooseFiles(): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.accept = ACCEPT
  input.addEventListener('change', () => void startImport([...(input.files ?? [])]))
  input.click()
}

/** Text that can be a book: JSON that begins like one. */
export function textFile(text: string): ImportFile | null {
  const bare = text.replace(/^\uFEFF/, '').trimStart()
  if (!bare.startsWith('{') && !bare.startsWith('[')) return null
  const bytes = new TextEncoder().encode(text)
  return {
    name: i18n.t('worldbook:import.pastedName'),
    size: bytes.byteLength,
    arrayBuffer: async () => bytes.buffer as ArrayBuffer,
  }
}
