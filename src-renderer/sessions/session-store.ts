import { create } from 'zustand'
import type { Folder, SearchHit, Session, Tag } from '../../src-main/sessions/contract'
import { call, on } from '../api/client'

export type SessionView = 'active' | 'archived' | 'bin'

export type SearchAge = 'any' | 'week' | 'month' | 'year'
export interface SearchFilters {
  folderId: string | null
  modelId: string | null
  age: SearchAge
}
export const NO_FILTERS: SearchFilters = { folderId: null, modelId: null, age: 'any' }

interface SessionState {
  /** Of the view on screen, newest first. */
  sessions: Session[]
  folders: Folder[]
  tags: Tag[]
  view: SessionView
  tagId: string | null
  query: string
  filters: SearchFilters
  /** null while nothing is searched. */
  hits: SearchHit[] | null
  /** Ids of closed folders. */
  closedFolders: ReadonlySet<string>
  /** For bulk actions; empty = none. */
  selected: ReadonlySet<string>
  renaming: string | null
  loaded: boolean
}

const CLOSED_KEY = 'strata.closed-folders'
const PAGE = 500

export const useSessions = create<SessionState>(() => ({
  sessions: [],
  folders: [],
  tags: [],
  view: 'active',
  tagId: null,
  query: '',
  filters: NO_FILTERS,
  hits: null,
  closedFolders: new Set(JSON.parse(localStorage.getItem(CLOSED_KEY) ?? '[]') as string[]),
  selected: new Set(),
  renaming: null,
  loaded: false,
}))

let loading = 0

async function readAll(view: SessionView, isCurrent: () => boolean, show: (all: Session[]) => void): Promise<void> {
  const all: Session[] = []
  let cursor: string | null = null
  do {
    const page: { sessions: Session[]; nextCursor: string | null } = await call('sessions.list', {
      view,
      limit: PAGE,
      ...(cursor ? { cursor } : {}),
    })
    if (!isCurrent()) return
    all.push(...page.sessions)
    show([...all])
    cursor = page.nextCursor
  } while (cursor)
}

/** Reads the list of the view on screen, with folders and tags. A later call overtakes an earlier one. */
export async function loadSessions(): Promise<void> {
  const mine = ++loading
  const current = () => mine === loading
  const { view } = useSessions.getState()
  const [folders, tags] = await Promise.all([call('folders.list', {}), call('tags.list', {})])
  if (!current()) return
  useSessions.setState({ folders, tags })
  await readAll(view, current, (sessions) => useSessions.setState({ sessions, loaded: true }))
}

/** Puts a changed session into the list without reading all of it again. */
export function keepSession(session: Session): void {
  useSessions.setState(({ sessions, view }) => {
    const fits = view === 'bin' ? session.removedAt : !session.removedAt && session.archived === (view === 'archived')
    const others = sessions.filter((each) => each.id !== session.id)
    if (!fits) return { sessions: others }
    const at = others.findIndex((each) => each.updatedAt < session.updatedAt)
    return { sessions: at < 0 ? [...others, session] : [...others.slice(0, at), session, ...others.slice(at)] }
  })
}

export async function showView(view: SessionView): Promise<void> {
  useSessions.setState({
    view,
    selected: new Set(),
    tagId: null,
    query: '',
    hits: null,
    filters: NO_FILTERS,
    sessions: [],
  })
  await loadSessions()
}

export function toggleFolder(id: string): void {
  const closedFolders = new Set(useSessions.getState().closedFolders)
  if (!closedFolders.delete(id)) closedFolders.add(id)
  useSessions.setState({ closedFolders })
  localStorage.setItem(CLOSED_KEY, JSON.stringify([...closedFolders]))
}

const AGE_DAYS = { week: 7, month: 31, year: 366 } as const

function filterInput({ folderId, modelId, age }: SearchFilters, now: number) {
  return {
    ...(folderId ? { folderId } : {}),
    ...(modelId ? { modelId } : {}),
    ...(age === 'any' ? {} : { after: new Date(now - AGE_DAYS[age] * 86_400_000).toISOString() }),
  }
}

/** Narrows the search and runs it again. */
export function filterSearch(filters: Partial<SearchFilters>): void {
  const { query, filters: before } = useSessions.getState()
  useSessions.setState({ filters: { ...before, ...filters } })
  void searchSessions(query)
}

let searches = 0
/** Searches titles, prompts and every message version. */
export async function searchSessions(query: string): Promise<void> {
  const mine = ++searches
  useSessions.setState({ query })
  if (!query.trim()) return useSessions.setState({ hits: null })
  await new Promise((resolve) => setTimeout(resolve, 120))
  if (mine !== searches) return
  const { tagId, filters } = useSessions.getState()
  const { hits } = await call('sessions.search', {
    query: query.trim(),
    limit: 100,
    ...(tagId ? { tagId } : {}),
    ...filterInput(filters, Date.now()),
  })
  if (mine === searches) useSessions.setState({ hits })
}

let reloadPlanned = false
/** Events come in bursts; one reading serves them all. */
function reloadSoon(): void {
  if (reloadPlanned) return
  reloadPlanned = true
  setTimeout(() => {
    reloadPlanned = false
    void loadSessions()
  }, 150)
}

export function wireSessions(): void {
  for (const name of ['sessions.changed', 'folders.changed', 'tags.changed', 'resync'] as const) on(name, reloadSoon)
}
