import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FormField, ToolForm } from '../../src-main/tools/contract'
import { langOf } from '../i18n/format'
import { type Approval, answerApproval } from '../tools/approval-store'
import { Button } from '../ui/button'
import { Checkbox, Labelled, Select, TextField } from '../ui/field'

type Value = string | boolean | string[]
type Content = Record<string, string | number | boolean | string[]>

const INPUTS: Readonly<Record<string, string>> = {
  email: 'email',
  uri: 'url',
  date: 'date',
  'date-time': 'datetime-local',
}

function initialOf({ type, initial, options, required }: FormField): Value {
  if (type === 'boolean') return initial === true
  if (type === 'array') return Array.isArray(initial) ? initial : []
  if (initial !== undefined) return String(initial)
  return options && required ? (options[0]?.value ?? '') : ''
}

/** What is sent: figures as figures, moments with their zone, and nothing for what was left empty. */
function contentOf(fields: readonly FormField[], values: Readonly<Record<string, Value>>): Content {
  const entries = fields.flatMap(({ name, type, format, required }): [string, Content[string]][] => {
    const value = values[name] ?? ''
    if (typeof value !== 'string') return [[name, value]]
    if (value === '' && !required) return []
    if (type === 'number' || type === 'integer') return [[name, Number(value)]]
    const moment = format === 'date-time' ? new Date(value) : null
    return [[name, moment && !Number.isNaN(moment.getTime()) ? moment.toISOString() : value]]
  })
  return Object.fromEntries(entries)
}

/** What a server asks the person for while one of its tools runs: sent, declined, or put away. */
export function ServerFormFoot({ approval, form }: { approval: Approval; form: ToolForm }) {
  const { t } = useTranslation(['chat', 'common'])
  const [values, setValues] = useState<Record<string, Value>>(() =>
    Object.fromEntries(form.fields.map((field) => [field.name, initialOf(field)])),
  )
  const send = (event: FormEvent) => {
    event.preventDefault()
    void answerApproval(approval, 'once', { form: contentOf(form.fields, values) })
  }
  return (
    <footer className="approval">
      <form className="server-form" aria-label={t('form.label', { server: form.server })} onSubmit={send}>
        <p className="small dim">{t('form.label', { server: form.server })}</p>
        <p className="question" lang={langOf(form.message)}>
          {form.message}
        </p>
        {form.fields.map((field) => (
          <FieldRow
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            onValue={(value) => setValues((now) => ({ ...now, [field.name]: value }))}
          />
        ))}
        <p className="tiny dim">{t('form.warning', { server: form.server })}</p>
        <div className="row">
          <Button small tone="ghost" onClick={() => void answerApproval(approval, 'deny', { cancel: true })}>
            {t('common:cancel')}
          </Button>
          <span className="grow" />
          <Button small onClick={() => void answerApproval(approval, 'deny')}>
            {t('form.decline')}
          </Button>
          <Button small type="submit" tone="primary">
            {t('form.send')}
          </Button>
        </div>
      </form>
    </footer>
  )
}

interface FieldRowProps {
  field: FormField
  value: Value
  onValue(value: Value): void
}

function FieldRow({ field, value, onValue }: FieldRowProps) {
  const { t } = useTranslation('chat')
  const { label, type, description, options, required } = field
  if (type === 'boolean') {
    return (
      <div className="f">
        <Checkbox label={label} checked={value === true} onValue={onValue} />
        {description && <p className="field-note dim">{description}</p>}
      </div>
    )
  }
  if (type === 'array') return <Several field={field} chosen={Array.isArray(value) ? value : []} onValue={onValue} />
  const text = typeof value === 'string' ? value : ''
  return (
    <Labelled label={required ? label : t('form.optional', { label })} help={description}>
      {(ids) =>
        options ? (
          <Select
            {...ids}
            value={text}
            onValue={onValue}
            options={[...(required ? [] : [{ value: '', label: t('form.none') }]), ...options]}
          />
        ) : (
          <TextField {...ids} {...boundsOf(field)} value={text} onChange={(event) => onValue(event.target.value)} />
        )
      }
    </Labelled>
  )
}

function boundsOf({ type, format, required, minimum, maximum, minLength, maxLength }: FormField) {
  const isNumber = type === 'number' || type === 'integer'
  return isNumber
    ? { type: 'number', required, min: minimum, max: maximum, step: type === 'integer' ? 1 : 'any' }
    : { type: INPUTS[format ?? ''] ?? 'text', required, minLength, maxLength }
}

function Several({ field, chosen, onValue }: { field: FormField; chosen: string[]; onValue(value: string[]): void }) {
  return (
    <fieldset className="f several">
      <legend className="fl">{field.label}</legend>
      <div>
        {field.options?.map(({ value, label }) => (
          <Checkbox
            key={value}
            label={label}
            checked={chosen.includes(value)}
            onValue={(on) => onValue(on ? [...chosen, value] : chosen.filter((each) => each !== value))}
          />
        ))}
      </div>
      {field.description && <p className="field-note dim">{field.description}</p>}
    </fieldset>
  )
}
