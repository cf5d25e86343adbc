import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { argumentProblem } from '../arguments'
import type { FormField, ToolForm } from '../contract'

/** More in one form, or in one call, is no question to a person. */
const MOST_FIELDS = 20
const MOST_OPTIONS = 100
const MOST_MESSAGE = 4000
const MOST_WORDS = 500
export const MOST_FORMS = 5

const words = z
  .string()
  .transform((text) => text.slice(0, MOST_WORDS))
  .optional()
const option = z.object({ const: z.string().max(1000), title: words })

const property = z.object({
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array']),
  title: words,
  description: words,
  format: z.string().max(40).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  default: z.union([z.string().max(MOST_MESSAGE), z.number(), z.boolean(), z.array(z.string())]).optional(),
  enum: z.array(z.string().max(1000)).max(MOST_OPTIONS).optional(),
  enumNames: z.array(z.string().max(1000)).max(MOST_OPTIONS).optional(),
  oneOf: z.array(option).max(MOST_OPTIONS).optional(),
  items: z
    .object({
      enum: z.array(z.string().max(1000)).max(MOST_OPTIONS).optional(),
      anyOf: z.array(option).max(MOST_OPTIONS).optional(),
    })
    .optional(),
})
type Property = z.output<typeof property>

function optionsOf({ enum: values, enumNames, oneOf, items }: Property): FormField['options'] {
  const titled = oneOf ?? items?.anyOf
  if (titled) return titled.map(({ const: value, title }) => ({ value, label: title ?? value }))
  return (values ?? items?.enum)?.map((value, at) => ({ value, label: enumNames?.[at] ?? value }))
}

function fieldOf(name: string, given: Property, required: boolean): FormField | undefined {
  const { type, title, description, format, minimum, maximum, minLength, maxLength, default: initial } = given
  const options = optionsOf(given)
  if (type === 'array' && !options) return undefined
  const bounds = { format, minimum, maximum, minLength, maxLength, description, initial, options }
  const known = Object.fromEntries(Object.entries(bounds).filter(([, value]) => value !== undefined))
  return { name, label: title ?? name, type, required, ...known }
}

/** What a server asks a person for, as a form; undefined = nothing a person could be shown. */
export function readForm({ message, requestedSchema }: ElicitRequestFormParams, server: string): ToolForm | undefined {
  const entries = Object.entries(requestedSchema.properties)
  if (entries.length > MOST_FIELDS) return undefined
  const required = new Set(requestedSchema.required ?? [])
  const fields: FormField[] = []
  for (const [name, given] of entries) {
    const { data } = property.safeParse(given)
    const field = data && name.length <= MOST_WORDS ? fieldOf(name, data, required.has(name)) : undefined
    // Without a field it needs, an answer could not fit.
    if (!field && required.has(name)) return undefined
    if (field) fields.push(field)
  }
  return { server, message: message.slice(0, MOST_MESSAGE), fields }
}

export type FormAnswer = NonNullable<ElicitResult['content']>

/** What does not fit, in English; undefined = it can be sent. */
export function formProblem({ requestedSchema }: ElicitRequestFormParams, content: FormAnswer): string | undefined {
  return argumentProblem(requestedSchema, content)
}
