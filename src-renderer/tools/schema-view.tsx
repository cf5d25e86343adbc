import { useTranslation } from 'react-i18next'

interface Argument {
  name: string
  type: string
  required: boolean
  description: string
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The arguments a JSON Schema of an object names, as far as it says so plainly. */
export function argumentsOf(schema: unknown): Argument[] {
  if (!isRecord(schema) || !isRecord(schema.properties)) return []
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(schema.properties).map(([name, value]) => ({
    name,
    type: isRecord(value) ? typeWords(value) : '',
    required: required.includes(name),
    description: isRecord(value) && typeof value.description === 'string' ? value.description : '',
  }))
}

function typeWords({ type, enum: values, items }: Record<string, unknown>): string {
  if (Array.isArray(values)) return values.map(String).join(' | ')
  if (type === 'array' && isRecord(items)) return `${typeWords(items)}[]`
  return Array.isArray(type) ? type.join(' | ') : String(type ?? '')
}

/** What the model may pass: a line an argument, and the schema itself for who wants it. */
export function SchemaView({ schema }: { schema: unknown }) {
  const { t } = useTranslation('tools')
  const list = argumentsOf(schema)
  return (
    <div>
      <h2>{t('schema.title')}</h2>
      {list.length === 0 && <p className="small dim">{t('schema.none')}</p>}
      <dl className="args">
        {list.map((argument) => (
          <div key={argument.name}>
            <dt className="row">
              <span className="mono">{argument.name}</span>
              <span className="tiny dim cut">{argument.type}</span>
              {!argument.required && <span className="tiny dim">{t('schema.optional')}</span>}
            </dt>
            {argument.description && <dd className="small mid">{argument.description}</dd>}
          </div>
        ))}
      </dl>
      <details className="small">
        <summary>{t('schema.raw')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <pre className="raw-text" tabIndex={0}>
          {JSON.stringify(schema, null, 2)}
        </pre>
      </details>
    </div>
  )
}
