import { Labelled, TextArea, TextField } from '../ui/field'

interface RowProps {
  label: string
  help?: string
  error?: string
  placeholder?: string
  value: string
  onValue(value: string): void
}

/** A labelled line: a name, a path, an address, a figure. */
export function TextRow({
  label,
  help,
  error,
  value,
  onValue,
  ...field
}: RowProps & { mono?: boolean; figures?: boolean }) {
  return (
    <Labelled label={label} help={help} error={error}>
      {(ids) => (
        <TextField
          {...ids}
          {...field}
          {...(field.figures && { inputMode: 'numeric' })}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Labelled>
  )
}

/** A labelled field of several lines; `code` for argument lists, JSON and the like. */
export function TextRows({
  label,
  help,
  error,
  value,
  onValue,
  code,
  ...area
}: RowProps & { code?: boolean; rows: number; growTo: number }) {
  return (
    <Labelled label={label} help={help} error={error}>
      {(ids) => (
        <TextArea
          {...ids}
          {...area}
          {...(code && { className: 'mono code-in', spellCheck: false })}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Labelled>
  )
}
