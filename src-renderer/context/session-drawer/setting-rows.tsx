import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { closeSessionSettings, openPlace } from '../../app/navigation'
import { langOf } from '../../i18n/format'
import { i18n } from '../../i18n/i18n'
import { updateSettings, useSettings } from '../../settings/settings-store'
import { Chip } from '../../ui/badge'
import { Button, LinkButton } from '../../ui/button'
import { Checkbox, TextField } from '../../ui/field'
import { Menu } from '../../ui/menu'
import { showError } from '../../ui/toast'
import { Segmented, Switch } from '../../ui/toggle'
import { usePreview } from '../context-bar/preview-store'
import { useLeftText } from '../text-editor/use-left-text'
import { useBooks } from '../worldbook/book-store'
import { DrawerRow } from './drawer-row'
import type { RowProps, TextRowProps } from './prompt-rows'
import { ReleaseIsolated } from './release-isolated'
import { Withheld } from './withheld'

export function BooksRow({ session, patch }: RowProps) {
  const { t } = useTranslation('context')
  const { books, loaded } = useBooks()
  const bound = session.worldbookIds
  const here = bound.filter((id) => !loaded || books.some((book) => book.id === id))
  const free = books.filter((book) => !bound.includes(book.id))
  return (
    <DrawerRow
      field="worldbookIds"
      label={t('drawer.books')}
      state={bound.length ? 'here' : undefined}
      onReset={() => void patch({ worldbookIds: [] })}
    >
      <div className="row drawer-books">
        {bound.map((id) => {
          const book = books.find((each) => each.id === id)
          const name = book?.name ?? (loaded ? t('drawer.goneBook') : id)
          return (
            <Chip
              key={id}
              icon="book"
              note={book && t('drawer.entries', { enabled: book.enabledEntries, count: book.entries })}
              removeLabel={t('drawer.unbind', { name })}
              onRemove={() => void patch({}, { worldbookIds: { remove: [id] } })}
            >
              <span lang={langOf(name)}>{name}</span>
            </Chip>
          )
        })}
        {free.length > 0 && (
          <Menu
            label={t('drawer.bind')}
            trigger={
              <Button small tone="ghost" icon="plus">
                {t('drawer.bind')}
              </Button>
            }
            entries={free.map((book) => ({
              id: book.id,
              label: book.name,
              onSelect: () => void patch({}, { worldbookIds: { add: [book.id] } }),
            }))}
          />
        )}
        {here.length < bound.length && (
          <p className="help">
            {t(session.isolation && here.length === 0 ? 'drawer.goneIsolated' : 'drawer.goneHelp')}
          </p>
        )}
        {books.length === 0 && (
          <span className="small dim">
            {t('drawer.noBooks')}{' '}
            <LinkButton
              className="inline"
              onClick={() => {
                closeSessionSettings()
                openPlace('worldbooks')
              }}
            >
              {t('drawer.openBooks')}
            </LinkButton>
          </span>
        )}
      </div>
    </DrawerRow>
  )
}

export function IsolationRow({ session, patch }: RowProps) {
  const { t } = useTranslation('context')
  const sendTime = useSettings((state) => state.settings?.isolation.sendTime ?? false)
  const bound = session.worldbookIds.length > 0
  const works = session.isolation && bound
  return (
    <DrawerRow
      field="isolation"
      label={t('drawer.isolation')}
      state={session.isolation ? 'here' : undefined}
      end={
        <Switch
          checked={session.isolation}
          label={t('drawer.isolation')}
          onValue={(isolation) => void patch({ isolation })}
        />
      }
    >
      <p className="help">
        {t('drawer.isolationHelp')}
        {i18n.language === 'zh-CN' ? '' : ' '}
        {bound ? t(works ? 'drawer.withheld' : 'drawer.wouldHold') : t('drawer.isolationNeeds')}
      </p>
      {bound && (
        <>
          <Withheld session={session} />
          <Checkbox
            className="small drawer-time"
            label={
              <span>
                {t('drawer.letTime')} <span className="dim">({t('drawer.letTimeNote')})</span>
              </span>
            }
            checked={sendTime}
            onValue={(checked) => void updateSettings({ isolation: { sendTime: checked } }).catch(showError)}
          />
        </>
      )}
      <ReleaseIsolated session={session} />
    </DrawerRow>
  )
}

const SAVED_AFTER_MS = 400

const isLimit = (text: string) => /^\d{1,6}$/.test(text) && Number(text) <= 100_000

export function LimitRow({ session, patch, save }: TextRowProps) {
  const { t } = useTranslation('context')
  const id = useId()
  const general = useSettings((state) => state.settings?.context.historyLimit ?? 30)
  const out = usePreview((state) => (state.sessionId === session.id ? (state.preview?.windowStart?.dropped ?? 0) : 0))
  const typed = useLeftText({
    id: `limit:${session.id}`,
    name: `${t('drawer.limit')} · ${session.title}`,
    stored: String(session.historyLimit ?? general),
    fits: isLimit,
    save: (text) => save({ historyLimit: Number(text) }),
  })
  const { value, leave } = typed
  const settle = useRef(leave)
  settle.current = leave
  useEffect(() => {
    if (!isLimit(value)) return
    const timer = setTimeout(() => settle.current(), SAVED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [value])
  return (
    <DrawerRow
      field="historyLimit"
      label={t('drawer.limit')}
      htmlFor={id}
      state={session.historyLimit === null ? 'inherited' : 'here'}
      onReset={() => void patch({ historyLimit: null })}
      end={
        <>
          <TextField
            id={id}
            figures
            className="limit-field"
            inputMode="numeric"
            value={value}
            onChange={(event) => typed.change(event.target.value.replace(/\D/g, ''))}
            onBlur={leave}
            onKeyDown={(event) => event.key === 'Enter' && leave()}
          />
          <span className="small dim">{t('drawer.limitUnit')}</span>
        </>
      }
      help={out ? t('drawer.limitHelpOut', { count: out, limit: general }) : t('drawer.limitHelp', { limit: general })}
    />
  )
}

export function LayoutRow({ session, patch }: RowProps) {
  const { t } = useTranslation('context')
  const general = useSettings((state) => state.settings?.context.layout ?? 'documented')
  return (
    <DrawerRow
      field="layout"
      label={t('drawer.layout')}
      state={session.layout === null ? 'inherited' : 'here'}
      onReset={() => void patch({ layout: null })}
      end={
        <Segmented
          label={t('drawer.layout')}
          value={session.layout ?? general}
          onValue={(layout) => void patch({ layout })}
          options={[
            { value: 'documented', label: t('tab.documented') },
            { value: 'cache-first', label: t('tab.cache-first') },
          ]}
        />
      }
    />
  )
}

export function SummariseRow({ session, patch }: RowProps) {
  const { t } = useTranslation('context')
  if (session.temporary) return null
  return (
    <DrawerRow
      field="summarise"
      label={t('drawer.summarise')}
      state={session.summarise ? undefined : 'here'}
      end={
        <Switch
          checked={session.summarise}
          label={t('drawer.summarise')}
          onValue={(summarise) => void patch({ summarise })}
        />
      }
      help={t('drawer.summariseHelp')}
    />
  )
}

export function FolderRow({ session, patch, save }: TextRowProps) {
  const { t } = useTranslation('context')
  const id = useId()
  const typed = useLeftText({
    id: `folder:${session.id}`,
    name: `${t('drawer.folder')} · ${session.title}`,
    stored: session.workingFolder ?? '',
    save: (text) => save({ workingFolder: text || null }),
  })
  return (
    <DrawerRow
      field="workingFolder"
      label={t('drawer.folder')}
      htmlFor={id}
      state={session.workingFolder ? 'here' : undefined}
      onReset={() => void patch({ workingFolder: null })}
      help={t('drawer.folderHelp')}
    >
      <TextField
        id={id}
        mono
        value={typed.value}
        onChange={(event) => typed.change(event.target.value)}
        onBlur={typed.leave}
        onKeyDown={(event) => event.key === 'Enter' && typed.leave()}
      />
    </DrawerRow>
  )
}
