import { type Change, diffArrays, diffWordsWithSpace } from 'diff'
import type { DefinitionLine } from './contract'
import { canonicalJson, type ToolDefinition, type ToolTransport } from './definition'

const MOST_LINES = 2000
/** Unchanged lines kept around a change. */
const AROUND = 2

/** What cannot be seen must not hide a change: control and format characters are written out. */
const visible = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const linesOf = (text: string, indent: string): string[] => text.split('\n').map((line) => `${indent}${visible(line)}`)

const written = (value: unknown): string => visible(typeof value === 'string' ? value : JSON.stringify(value))

/** `name: type, at most 60, …`: every keyword of a schema, what it is made of below. */
function schemaLines(schema: unknown, indent: string): string[] {
  if (!isRecord(schema)) return [`${indent}${written(schema)}`]
  const { properties, required, items, ...rest } = schema
  const needed = new Set(Array.isArray(required) ? required : [])
  const lines = isRecord(properties)
    ? Object.entries(properties)
        .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
        .flatMap(([name, property]) => argumentLines(name, property, needed.has(name), indent))
    : []
  // `required` may name what the properties do not
  const others = [...needed].filter((name) => !isRecord(properties) || !Object.hasOwn(properties, String(name)))
  if (others.length > 0) lines.push(`${indent}required: ${others.map(written).join(', ')}`)
  if (items !== undefined) lines.push(`${indent}items`, ...schemaLines(items, `${indent}  `))
  for (const [key, value] of Object.entries(rest).sort()) {
    if (key === 'type' && value === 'object') continue
    lines.push(`${indent}${visible(key)}: ${written(value)}`)
  }
  return lines
}

function argumentLines(name: string, property: unknown, isNeeded: boolean, indent: string): string[] {
  const mark = isNeeded ? '' : '?'
  if (!isRecord(property)) return [`${indent}${visible(name)}${mark}: ${written(property)}`]
  const { type, description, properties, items, required, ...rest } = property
  const inner = { ...(properties !== undefined && { properties }), ...(items !== undefined && { items }) }
  const words = [
    type === undefined ? '' : written(type),
    ...Object.entries(rest)
      .sort()
      .map(([key, value]) => `${visible(key)} ${written(value)}`),
    description === undefined ? '' : written(description),
  ].filter(Boolean)
  const below = schemaLines({ ...inner, ...(required !== undefined && { required }) }, `${indent}  `)
  return [`${indent}${visible(name)}${mark}: ${words.join(', ')}`, ...below]
}

function transportLines(transport: ToolTransport): string[] {
  const fields = (name: string, entries: Record<string, string>) =>
    Object.entries(entries)
      .sort()
      .map(([key, value]) => `  ${name} ${visible(key)}=${visible(value)}`)
  switch (transport.kind) {
    case 'http':
      return [`  ${visible(transport.url)}`, ...fields('header', transport.headers)]
    case 'stdio':
      return [
        ...[transport.command, ...transport.args].map((part) => `  ${visible(part)}`),
        ...fields('env', transport.env),
        ...(transport.cwd === undefined ? [] : [`  cwd ${visible(transport.cwd)}`]),
      ]
    case 'command':
      return [
        ...transport.argv.map((part) => `  ${visible(part)}`),
        ...fields('env', transport.env),
        ...(transport.workingFolder === null ? [] : [`  cwd ${visible(transport.workingFolder)}`]),
      ]
  }
}

/** A definition as text, line by line; equal only for equal definitions. */
export function definitionLines({ name, description, schema, transport }: ToolDefinition): string[] {
  return [
    `name: ${visible(name)}`,
    'description',
    ...linesOf(description, '  '),
    'input',
    ...schemaLines(schema, '  '),
    transport.kind === 'http' ? 'address' : 'command',
    ...transportLines(transport),
  ].slice(0, MOST_LINES)
}

const textOf = (changes: readonly Change[], isOurs: (change: Change) => boolean): DefinitionLine['marks'] => {
  const marks: [number, number][] = []
  let at = 0
  for (const change of changes) {
    if (!isOurs(change) && (change.added || change.removed)) continue
    if (isOurs(change)) marks.push([at, at + change.value.length])
    at += change.value.length
  }
  return marks
}

/** Lines that follow each other removed and added are pairs: what differs in them is marked. */
function marked(removed: readonly string[], added: readonly string[]): DefinitionLine[] {
  const pairs = Math.min(removed.length, added.length)
  const words = Array.from({ length: pairs }, (_, at) => diffWordsWithSpace(removed[at] ?? '', added[at] ?? ''))
  const line =
    (kind: 'added' | 'removed') =>
    (text: string, at: number): DefinitionLine => {
      const changes = words[at]
      const isPart = changes?.some((change) => !change.added && !change.removed && /\S/.test(change.value))
      return { kind, text, ...(changes && isPart ? { marks: textOf(changes, (change) => change[kind] === true) } : {}) }
    }
  return [...removed.map(line('removed')), ...added.map(line('added'))]
}

/** The difference as a person reads it: changed lines with their neighbours and headings, the rest as gaps. */
export function differenceOf(before: ToolDefinition, after: ToolDefinition): DefinitionLine[] {
  const lines = differenceOfLines(definitionLines(before), definitionLines(after))
  if (lines.some((line) => line.kind !== 'same' && line.kind !== 'gap')) return lines
  // what reads the same may still be another definition, such as the text "5" in place of the figure
  return differenceOfLines(jsonLines(before), jsonLines(after))
}

const jsonLines = (definition: ToolDefinition): string[] =>
  JSON.stringify(JSON.parse(canonicalJson(definition)), null, 2)
    .split('\n')
    .map(visible)

function differenceOfLines(before: readonly string[], after: readonly string[]): DefinitionLine[] {
  const all: DefinitionLine[] = []
  let removed: string[] = []
  const changes = diffArrays([...before], [...after])
  for (const [index, change] of changes.entries()) {
    if (change.removed && changes[index + 1]?.added) removed = change.value
    else if (change.removed || change.added) {
      all.push(...marked(change.removed ? change.value : removed, change.added ? change.value : []))
      removed = []
    } else all.push(...change.value.map((text): DefinitionLine => ({ kind: 'same', text })))
  }
  return folded(all)
}

const isHeading = (line: DefinitionLine): boolean => !line.text.startsWith(' ')

function folded(lines: readonly DefinitionLine[]): DefinitionLine[] {
  const keep = new Set<number>()
  for (const [at, line] of lines.entries()) {
    if (line.kind === 'same') continue
    for (let near = at - AROUND; near <= at + AROUND; near += 1) keep.add(near)
    const heading = lines.slice(0, at).findLastIndex(isHeading)
    if (heading >= 0) keep.add(heading)
  }
  return lines.flatMap((line, at): DefinitionLine[] => {
    if (keep.has(at)) return [line]
    return keep.has(at - 1) ? [{ kind: 'gap', text: '' }] : []
  })
}
