import { expect, test } from 'vitest'
import { fitSchema } from './fit-schema'
import { plainSchema } from './plain-schema'

const plain = (schema: object) => plainSchema(fitSchema(schema))

test('a pointer with a percent sign of its own finds its place, and a broken one is no error', () => {
  const a = { $ref: '#/$defs/100%' }
  const schema = { type: 'object', properties: { a }, $defs: { '100%': { type: 'number' } } }
  expect(plain(schema).properties).toEqual({ a: { type: 'number' } })
  expect(plain({ $ref: '#/$defs/%E0%A4' })).toMatchObject({ type: 'object', properties: {} })
})

test('what must hold together may point back at itself', () => {
  const a = { allOf: [{ allOf: [{ $ref: 'x.json#/a' }, { $ref: '#' }] }] }
  expect(plain({ allOf: [{ properties: { a } }, { $ref: '#' }] })).toMatchObject({ type: 'object' })
})

test('Gemini gets words that are words, limits that are numbers and no empty choices', () => {
  const a = { type: 'string', title: 7, description: 5, maxLength: null, minLength: 1 }
  const b = { type: 'string', enum: ['x', ''] }
  expect(plain({ type: 'object', description: 5, properties: { a, b } })).toEqual({
    type: 'object',
    properties: {
      a: { type: 'string', minLength: 1 },
      b: { type: 'string', description: 'One of: "x", "".' },
    },
  })
})
