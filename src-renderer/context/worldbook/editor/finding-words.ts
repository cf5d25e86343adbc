import type { TFunction } from 'i18next'
import type { LintFinding } from '../../../../src-main/context/worldbook/contract'
import type { Entry } from '../../../../src-main/context/worldbook/entry-contract'
import { i18n } from '../../../i18n/i18n'
import { inWords } from '../../../i18n/said'
import { titleOf } from './table-view'

export interface FindingText {
  /** Entries to name, each a way to its form. */
  names: { id: string; title: string }[]
  /** What is the matter, to follow the names. */
  text: string
  whole: string
}

const NAMED = 3

function wordsFor(t: TFunction<'worldbook'>, finding: LintFinding): string {
  if (finding.because) return t('lint.neverBecause', { reason: inWords(finding.because) })
  return t(`lint.code.${finding.code}`, { key: finding.key ?? '', count: finding.entryIds.length })
}

/** The entries a finding names, as far as they are still there. */
export const namedIn = (finding: LintFinding, byId: ReadonlyMap<string, Entry>): string[] =>
  finding.entryIds.slice(0, NAMED).filter((id) => byId.has(id))

export const entriesById = (entries: readonly Entry[]): ReadonlyMap<string, Entry> =>
  new Map(entries.map((entry) => [entry.id, entry]))

/** A finding in the language on screen. The engine's own sentence, which has its figures, serves English. */
export function findingText(
  t: TFunction<'worldbook'>,
  finding: LintFinding,
  byId: ReadonlyMap<string, Entry>,
): FindingText {
  const names = namedIn(finding, byId).flatMap((id) => {
    const entry = byId.get(id)
    return entry ? [{ id, title: titleOf(entry) }] : []
  })
  const more = finding.entryIds.length - names.length
  const listed = `${names.map(({ title }) => title).join(i18n.language === 'zh-CN' ? '、' : ', ')}${more > 0 ? t('lint.more', { count: more }) : ''}`
  const text = wordsFor(t, finding)
  return {
    names,
    text,
    whole: finding.words ? inWords(finding.message, finding.words) : `${listed}${t('lint.colon')}${text}`,
  }
}
