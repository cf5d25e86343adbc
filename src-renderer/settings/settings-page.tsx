import { type ComponentType, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListButton, putListAway } from '../app/list-button'
import { openPlace, useNavigation } from '../app/navigation'
import { PageFrame } from '../app/page-frame'
import { IMPORT_SOURCES, ImportDialog, type ImportSource } from '../first-run/import-dialog'
import { inWords } from '../i18n/said'
import { JobList } from '../jobs/jobs-panel'
import { Button, LinkButton } from '../ui/button'
import { SearchField } from '../ui/field'
import { Icon } from '../ui/icon'
import { searchSettings } from './search-settings'
import { About } from './sections/about'
import { Backups } from './sections/backups'
import { Connections } from './sections/connections'
import { Shortcuts } from './sections/shortcuts'
import { Templates } from './sections/templates'
import { SettingRow } from './setting-row'
import { pathsOf, SECTIONS, type SectionId } from './setting-specs'
import { useSettings } from './settings-store'

const OWN: Partial<Record<SectionId, ComponentType>> = {
  connections: Connections,
  shortcuts: Shortcuts,
  backups: Backups,
  jobs: JobList,
  about: About,
}

/** Every preference, by section or by search. */
export function SettingsPage() {
  const { t } = useTranslation(['settings', 'app'])
  const target = useNavigation((state) => state.placeTarget)
  const [query, setQuery] = useState('')
  const current = sectionOf(target)
  const body = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another section starts at its top
  useEffect(() => {
    body.current?.scrollTo({ top: 0 })
  }, [current, query])
  const open = (id: SectionId) => {
    setQuery('')
    openPlace('settings', id)
    putListAway()
  }
  return (
    <PageFrame
      listWidth={212}
      listLabel={t('title')}
      list={
        <>
          <div className="side-top">
            <SearchField label={t('search')} value={query} onValue={setQuery} />
          </div>
          <nav className="side-list" aria-label={t('title')}>
            {SECTIONS.map(({ id, icon }) => (
              <button
                key={id}
                type="button"
                className="ses one as-button set-nav"
                aria-current={!query && id === current ? 'page' : undefined}
                onClick={() => open(id)}
              >
                <Icon name={icon} size={14} />
                <span className="cut">{t(`section.${id}`)}</span>
              </button>
            ))}
          </nav>
        </>
      }
    >
      <header className="head one">
        <div className="row">
          <ListButton />
          <h1>{query ? t('results') : t(`section.${current}`)}</h1>
        </div>
      </header>
      <div className="set-body" ref={body}>
        <div className="set-in">{query ? <Results query={query} onOpen={open} /> : <Section id={current} />}</div>
      </div>
    </PageFrame>
  )
}

/** `model:<id>` and other finer targets lead to the section that shows them. */
function sectionOf(target: string | null): SectionId {
  if (target?.startsWith('model:') || target?.startsWith('connection:')) return 'connections'
  return SECTIONS.find(({ id }) => id === target)?.id ?? 'general'
}

function Section({ id }: { id: SectionId }) {
  const { t, i18n } = useTranslation('settings')
  const notices = useSettings((state) => state.notices)
  const Own = OWN[id]
  const lead = `lead.${id}` as 'lead.memory'
  return (
    <>
      {id === 'general' && notices.length > 0 && (
        <div className="set-notice warn-t small" role="status">
          <p>{t('notices')}</p>
          <ul>
            {notices.map((notice) => (
              <li key={notice.path}>
                <span className="mono">{notice.path}</span> {inWords(notice.message)}
              </li>
            ))}
          </ul>
        </div>
      )}
      {i18n.exists(`settings:${lead}`) && <p className="set-lead mid">{t(lead)}</p>}
      {pathsOf(id).map((path) => (
        <SettingRow key={path} path={path} />
      ))}
      {id === 'context' && <Templates />}
      {Own && <Own />}
      <Elsewhere id={id} />
    </>
  )
}

/** The way to where a section's things themselves are kept. */
function Elsewhere({ id }: { id: SectionId }) {
  const { t } = useTranslation(['settings', 'first-run'])
  const [source, setSource] = useState<ImportSource | null>(null)
  const go = {
    memory: () => openPlace('memory'),
    recentConversations: () => openPlace('memory', 'recent-conversations'),
    userProfile: () => openPlace('memory', 'user-profile'),
    worldbook: () => openPlace('worldbooks'),
    tools: () => openPlace('tools'),
  }
  const known = (Object.keys(go) as (keyof typeof go)[]).find((each) => each === id)
  if (known) {
    return (
      <p className="set-foot">
        <Button small onClick={go[known]}>
          {t(`open.${known}`)}
        </Button>
      </p>
    )
  }
  if (id !== 'backups') return null
  return (
    <>
      <h2 className="set-h2">{t('open.import')}</h2>
      <div className="row first-imports">
        {IMPORT_SOURCES.map((each) => (
          <Button key={each} small onClick={() => setSource(each)}>
            {t(`first-run:import.${each}`)}
          </Button>
        ))}
      </div>
      {source && <ImportDialog source={source} onClose={() => setSource(null)} />}
    </>
  )
}

function Results({ query, onOpen }: { query: string; onOpen(id: SectionId): void }) {
  const { t } = useTranslation('settings')
  const found = searchSettings(query)
  if (found.length === 0) return <p className="mid">{t('nothing')}</p>
  return (
    <>
      {found.map(({ section, paths }) => (
        <section key={section}>
          <h2 className="set-h2">
            <LinkButton onClick={() => onOpen(section)}>{t(`section.${section}`)}</LinkButton>
          </h2>
          {paths.map((path) => (
            <SettingRow key={path} path={path} />
          ))}
        </section>
      ))}
    </>
  )
}
