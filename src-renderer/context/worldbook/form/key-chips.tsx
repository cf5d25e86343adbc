import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { langOf } from '../../../i18n/format'
import { Chip } from '../../../ui/badge'
import { cx } from '../../../ui/class-names'

/** Splits what was typed or pasted into keys: commas and newlines divide, also full-width ones, except in a pattern. */
export function splitKeys(text: string): string[] {
  const keys: string[] = []
  let rest = text
  for (;;) {
    const pattern = /^\s*\/(?:[^/\\\n]|\\.)+\/[a-z]*(?=\s*(?:[,，、;；\n]|$))/i.exec(rest)
    const plain = pattern ? null : /^[^,，、;；\n]*/.exec(rest)
    const found = (pattern ?? plain)?.[0] ?? ''
    if (found.trim()) keys.push(found.trim())
    rest = rest.slice(found.length).replace(/^\s*[,，、;；\n]/, '\u0000')
    if (!rest.startsWith('\u0000')) return keys
    rest = rest.slice(1)
  }
}

export interface KeyChipsProps {
  label: string
  keys: readonly string[]
  placeholder: string
  /** Draws the edge of a field around them. */
  boxed?: boolean
  onKeys(keys: string[]): void
}

/** Keys as chips: Enter or a comma adds, Backspace in the empty field takes the last one back for editing. */
export function KeyChips({ label, keys, placeholder, boxed, onKeys }: KeyChipsProps) {
  const { t } = useTranslation('worldbook')
  const [typed, setTyped] = useState('')
  const add = (text: string) => {
    const fresh = splitKeys(text).filter((key, at, all) => !keys.includes(key) && all.indexOf(key) === at)
    if (fresh.length > 0) onKeys([...keys, ...fresh])
    setTyped('')
  }
  return (
    <div className={cx('keys', boxed && 'boxed')}>
      {keys.map((key, index) => (
        <Chip
          // biome-ignore lint/suspicious/noArrayIndexKey: a file may hold the same key twice
          key={`${key}${index}`}
          className={key.trim() === '' ? 'key blank' : 'key'}
          removeLabel={t('form.removeKey', { key })}
          onRemove={() => onKeys(keys.filter((_each, at) => at !== index))}
        >
          <button
            type="button"
            className="chip-link"
            title={t('form.editKey')}
            lang={langOf(key)}
            onClick={() => {
              onKeys(keys.filter((_each, at) => at !== index))
              setTyped(key)
            }}
          >
            {key.trim() === '' ? t('form.blankKey') : key}
          </button>
        </Chip>
      ))}
      <input
        className="key-in"
        aria-label={label}
        placeholder={keys.length === 0 ? placeholder : t('form.moreKeys')}
        value={typed}
        spellCheck={false}
        onChange={(event) => {
          const { value } = event.target
          const composing = (event.nativeEvent as InputEvent).isComposing
          // a comma inside a pattern belongs to it
          if (!composing && /[,，、\n]$/.test(value) && !value.trimStart().startsWith('/')) add(value)
          else setTyped(value)
        }}
        onPaste={(event) => {
          const text = event.clipboardData.getData('text')
          if (splitKeys(text).length < 2) return
          event.preventDefault()
          add(typed + text)
        }}
        onBlur={() => typed.trim() && add(typed)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter' && typed.trim()) {
            event.preventDefault()
            add(typed)
          }
          if (event.key === 'Backspace' && typed === '' && keys.length > 0) {
            event.preventDefault()
            setTyped(keys.at(-1) ?? '')
            onKeys(keys.slice(0, -1))
          }
        }}
      />
    </div>
  )
}
