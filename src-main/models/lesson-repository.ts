import { z } from 'zod'
import type { ReadDatabase, WriteDatabase } from '../storage/database'
import { wireProfileSchema } from './contract'
import type { ProfilePatch } from './profiles'
import { mergeFits, type RequestFit, requestFitSchema } from './request-fit'

const patchSchema = wireProfileSchema.partial()
const teachesSchema = z.object({
  /** How the server wants its roles: holds for every model of the connection. */
  profile: patchSchema.optional(),
  /** One sentence for people; kept for profiles, which cannot say themselves. */
  what: z.string().optional(),
  fit: z.custom<RequestFit>((value) => requestFitSchema.safeParse(value).success).optional(),
})
export type Teaches = z.output<typeof teachesSchema>

/** One thing a refusal taught. */
export interface Lesson {
  id: string
  /** The model's name; '' = every model of the connection. */
  model: string
  teaches: Teaches
  /** HTTP status of the refusal, and the server's words. */
  status?: number
  words: string
  /** ISO 8601. */
  learnedAt: string
}

interface LessonRow {
  id: string
  model: string
  teaches: string
  status: number | null
  words: string
  learned_at: string
}

const toLesson = (row: LessonRow): Lesson => ({
  id: row.id,
  model: row.model,
  teaches: teachesSchema.parse(JSON.parse(row.teaches)),
  ...(row.status === null ? {} : { status: row.status }),
  words: row.words,
  learnedAt: row.learned_at,
})

/** What is in force on a connection, newest first. */
export function listLessons(database: ReadDatabase, connectionId: string): Lesson[] {
  return database
    .prepare<[string], LessonRow>(
      `SELECT id, model, teaches, status, words, learned_at FROM lesson
       WHERE connection_id = ? AND forgotten_at IS NULL ORDER BY learned_at DESC, rowid DESC`,
    )
    .all(connectionId)
    .map(toLesson)
}

function inForce(database: ReadDatabase, connectionId: string, model: string): Teaches[] {
  return database
    .prepare<[string, string], Pick<LessonRow, 'teaches'>>(
      `SELECT teaches FROM lesson WHERE connection_id = ? AND model = ? AND forgotten_at IS NULL
       ORDER BY learned_at, rowid`,
    )
    .all(connectionId, model)
    .map((row) => teachesSchema.parse(JSON.parse(row.teaches)))
}

/** The roles this server wants, as far as refusals taught it. */
export function learnedProfile(database: ReadDatabase, connectionId: string): ProfilePatch {
  const learned: ProfilePatch = {}
  for (const { profile } of inForce(database, connectionId, '')) Object.assign(learned, profile)
  return learned
}

/** How requests to this model differ. Undefined when nothing was learned. */
export function learnedFit(database: ReadDatabase, connectionId: string, model: string): RequestFit | undefined {
  const fits = inForce(database, connectionId, model).flatMap(({ fit }) => fit ?? [])
  return fits.length > 0 ? mergeFits(...fits) : undefined
}

/** Names of the models that refused tools. */
export function modelsWithoutTools(database: ReadDatabase, connectionId: string): ReadonlySet<string> {
  const rows = database
    .prepare<[string, string], { model: string }>(
      'SELECT model FROM lesson WHERE connection_id = ? AND subject = ? AND forgotten_at IS NULL',
    )
    .all(connectionId, TOOLS)
  return new Set(rows.map((row) => row.model))
}

const TOOLS = 'leaveOut:tools'

/** A fit as its single lessons, each with the name under which it stands once. */
export function lessonsIn(fit: RequestFit): { subject: string; fit: RequestFit }[] {
  const { leaveOut = [], rename = {}, most = {}, ...rest } = fit
  return [
    ...leaveOut.map((path) => ({ subject: `leaveOut:${path}`, fit: { leaveOut: [path] } })),
    ...Object.entries(rename).map(([from, to]) => ({ subject: `rename:${from}`, fit: { rename: { [from]: to } } })),
    ...Object.entries(most).map(([path, number]) => ({ subject: `most:${path}`, fit: { most: { [path]: number } } })),
    ...Object.entries(rest).map(([name, value]) => ({ subject: name, fit: { [name]: value } })),
  ]
}

/** The parts of one step stricter belong together. */
export const profileSubject = (patch: ProfilePatch): string => `profile:${Object.keys(patch).join(',')}`

/** Learning a thing anew replaces it, also where it was forgotten. */
export function saveLesson(database: WriteDatabase, lesson: Lesson & { connectionId: string; subject: string }): void {
  database
    .prepare(
      `INSERT INTO lesson (id, connection_id, model, subject, teaches, status, words, learned_at)
       SELECT ?, ?, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM connection WHERE id = ?)
       ON CONFLICT (connection_id, model, subject) DO UPDATE SET teaches = excluded.teaches, status = excluded.status,
         words = excluded.words, learned_at = excluded.learned_at, forgotten_at = NULL`,
    )
    .run(
      lesson.id,
      lesson.connectionId,
      lesson.model,
      lesson.subject,
      JSON.stringify(lesson.teaches),
      lesson.status ?? null,
      lesson.words,
      lesson.learnedAt,
      lesson.connectionId,
    )
}

/** Forgotten ones are kept for a while, so that forgetting can be undone. Returns how many were found. */
export function markForgotten(
  database: WriteDatabase,
  lessons: { connectionId: string; ids: readonly string[] },
  at: string | null,
): number {
  const mark = database.prepare('UPDATE lesson SET forgotten_at = ? WHERE connection_id = ? AND id = ?')
  return database.transaction(() =>
    lessons.ids.reduce((sum, id) => sum + mark.run(at, lessons.connectionId, id).changes, 0),
  )()
}

/** Removes what was forgotten before a time (ISO 8601). */
export function dropForgotten(database: WriteDatabase, before: string): void {
  database.prepare('DELETE FROM lesson WHERE forgotten_at < ?').run(before)
}

/** Everything learned of a connection, such as when it moves; with a model, only that it takes no tools. */
export function dropLessons(database: WriteDatabase, connectionId: string, withoutTools?: string): number {
  return withoutTools === undefined
    ? database.prepare('DELETE FROM lesson WHERE connection_id = ?').run(connectionId).changes
    : database
        .prepare('DELETE FROM lesson WHERE connection_id = ? AND model = ? AND subject = ?')
        .run(connectionId, withoutTools, TOOLS).changes
}

/** What was learned of the roles, for every model. */
export function dropProfileLessons(database: WriteDatabase, connectionId: string): void {
  database.prepare("DELETE FROM lesson WHERE connection_id = ? AND model = ''").run(connectionId)
}
