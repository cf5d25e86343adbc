import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection, LearnedThing } from '../../../src-main/models/contract'
import { call } from '../../api/client'
import { formatWhen } from '../../i18n/format'
import { inWords } from '../../i18n/said'
import { useModels } from '../../models/model-store'
import { Button } from '../../ui/button'
import { showError } from '../../ui/toast'

/** Milliseconds in which forgetting can be undone. */
const UNDO_MS = 8000

/** What refusals taught of a connection, each with the server's words and a way to forget it. */
export function LearnedList({ connection: given }: { connection: Connection }) {
  const { t } = useTranslation('settings')
  const { id } = given
  const connection = useModels((state) => state.connections.find((each) => each.id === id)) ?? given
  const { gone, forget, recall } = useForgetting(id)
  const rows = [
    ...connection.learned,
    ...gone.filter((lesson) => connection.learned.every((one) => one.id !== lesson.id)),
  ]
  const isGone = (lesson: LearnedThing) => gone.some((one) => one.id === lesson.id)
  const left = connection.learned.filter((lesson) => !isGone(lesson))
  if (rows.length === 0) return null
  return (
    <section className="learned" aria-label={t('connections.learned.title')}>
      <div className="row">
        <h3 className="strong">{t('connections.learned.title')}</h3>
        <span className="dim small num">{left.length}</span>
        <span className="grow" />
        {left.length > 1 && (
          <Button small tone="ghost" onClick={() => forget(left)}>
            {t('connections.learned.forgetAll')}
          </Button>
        )}
      </div>
      <p className="small dim">{t('connections.learned.help')}</p>
      <ul>
        {rows
          .toSorted((a, b) => b.at.localeCompare(a.at))
          .map((lesson) => (
            <LearnedRow
              key={lesson.id}
              lesson={lesson}
              gone={isGone(lesson)}
              onForget={() => forget([lesson])}
              onRecall={() => recall(lesson)}
            />
          ))}
      </ul>
    </section>
  )
}

interface RowProps {
  lesson: LearnedThing
  gone: boolean
  onForget(): void
  onRecall(): void
}

function LearnedRow({ lesson, gone, onForget, onRecall }: RowProps) {
  const { t } = useTranslation('settings')
  const what = inWords(lesson.what, lesson.words)
  const model = lesson.model ?? t('connections.learned.everyModel')
  const said = [lesson.status, lesson.said].filter((part) => part !== undefined && part !== '').join(' · ')
  return (
    <li className="learn">
      <div>
        <b>{what}</b>
        <div className="small dim num" role={gone ? 'status' : undefined}>
          {gone ? t('connections.learned.forgotten') : `${model} · ${formatWhen(lesson.at)}`}
        </div>
      </div>
      <Button
        small
        tone="ghost"
        onClick={gone ? onRecall : onForget}
        aria-label={t(gone ? 'connections.learned.undoOf' : 'connections.learned.forgetOf', { what })}
      >
        {t(gone ? 'connections.learned.undo' : 'connections.learned.forget')}
      </Button>
      {!gone && said !== '' && (
        // the server's words keep their language
        <div className="said mono" lang="en">
          {said}
        </div>
      )}
    </li>
  )
}

/** Forgotten lessons stay on screen for a moment, with the way back. */
function useForgetting(connectionId: string) {
  const [gone, setGone] = useState<LearnedThing[]>([])
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const running = timers.current
    return () => running.forEach((timer) => void clearTimeout(timer))
  }, [])
  const settle = (lessonId: string) => {
    clearTimeout(timers.current.get(lessonId))
    timers.current.delete(lessonId)
    setGone((before) => before.filter((lesson) => lesson.id !== lessonId))
  }
  return {
    gone,
    forget(lessons: readonly LearnedThing[]) {
      const lessonIds = lessons.map((lesson) => lesson.id)
      setGone((before) => [...before, ...lessons])
      for (const id of lessonIds)
        timers.current.set(
          id,
          setTimeout(() => settle(id), UNDO_MS),
        )
      void call('connections.forget', { id: connectionId, lessonIds }).catch((error) => {
        lessonIds.forEach(settle)
        showError(error)
      })
    },
    recall(lesson: LearnedThing) {
      void call('connections.recall', { id: connectionId, lessonIds: [lesson.id] })
        .then(() => settle(lesson.id))
        .catch(showError)
    },
  }
}
