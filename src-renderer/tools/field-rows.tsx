import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../ui/button'
import { Checkbox, TextField } from '../ui/field'

export interface Field {
  key: string
  name: string
  value: string
  secret: boolean
}

let keys = 0
const newKey = (): string => `r${keys++}`

export const rowsOf = (fields: Readonly<Record<string, string>>, secretNames: readonly string[]): Field[] =>
  Object.entries(fields).map(([name, value]) => ({ key: newKey(), name, value, secret: secretNames.includes(name) }))

const named = (rows: readonly Field[]) => rows.filter((row) => row.name.trim() !== '')

export const recordOf = (rows: readonly Field[]): Record<string, string> =>
  Object.fromEntries(named(rows).map((row) => [row.name.trim(), row.value]))

export const secretsOf = (rows: readonly Field[]): string[] =>
  named(rows).flatMap((row) => (row.secret ? [row.name.trim()] : []))

/** Names that are secrets more often than not. */
const SECRET = /key|token|secret|password|authorization/i

interface FieldRowsProps {
  rows: readonly Field[]
  onRows(rows: Field[]): void
  /** Offer to keep a value in the key store. */
  secrets?: boolean
}

/** Names and values, such as environment entries or headers. */
export function FieldRows({ rows, onRows, secrets }: FieldRowsProps) {
  const { t } = useTranslation('tools')
  const change = (key: string, patch: Partial<Field>) =>
    onRows(rows.map((row) => (row.key === key ? { ...row, ...patch } : row)))
  return (
    <div className="field-rows">
      {rows.map((row) => (
        <div key={row.key} className="row">
          <TextField
            mono
            aria-label={t('rows.name')}
            placeholder={t('rows.name')}
            value={row.name}
            onChange={(event) => {
              const name = event.target.value
              change(row.key, { name, ...(secrets && SECRET.test(name) ? { secret: true } : {}) })
            }}
          />
          <TextField
            mono
            aria-label={t('rows.value')}
            placeholder={t('rows.value')}
            type={row.secret ? 'password' : 'text'}
            value={row.value}
            onChange={(event) => change(row.key, { value: event.target.value })}
          />
          {secrets && (
            <Checkbox label={t('rows.secret')} checked={row.secret} onValue={(secret) => change(row.key, { secret })} />
          )}
          <IconButton
            small
            icon="x"
            label={t('rows.remove', { name: row.name })}
            onClick={() => onRows(rows.filter((each) => each.key !== row.key))}
          />
        </div>
      ))}
      <Button
        small
        tone="ghost"
        icon="plus"
        onClick={() => onRows([...rows, { key: newKey(), name: '', value: '', secret: false }])}
      >
        {t('rows.add')}
      </Button>
    </div>
  )
}
