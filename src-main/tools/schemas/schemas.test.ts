import { Ajv } from 'ajv'
import Ajv2020 from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { argumentProblem, schemaProblem } from '../arguments'
import { fitSchema } from './fit-schema'
import { plainSchema } from './plain-schema'

const text = { type: 'string' }
const number = { type: 'number' }

describe('a schema as every provider takes it', () => {
  test.each<[string, unknown, unknown]>([
    ['no properties', { type: 'object' }, { type: 'object', properties: {} }],
    ['nothing at all', undefined, { type: 'object', properties: {} }],
    ['no type', { properties: { a: text } }, { type: 'object', properties: { a: text } }],
    [
      'a list of types',
      { type: ['object', 'null'], properties: { a: text } },
      { type: 'object', properties: { a: text } },
    ],
    [
      'alternatives',
      {
        anyOf: [
          { type: 'object', properties: { id: text, all: { type: 'boolean' } }, required: ['id', 'all'] },
          { type: 'object', properties: { id: text, name: text }, required: ['id', 'name'] },
        ],
      },
      {
        type: 'object',
        description: 'Give one of these: (id, all) or (id, name).',
        properties: { id: text, all: { type: 'boolean' }, name: text },
        required: ['id'],
      },
    ],
    [
      'kinds told apart by a fixed value',
      {
        oneOf: [
          { properties: { kind: { const: 'circle' }, r: number }, required: ['kind', 'r'] },
          { properties: { kind: { const: 'square' }, a: number }, required: ['kind', 'a'] },
          { properties: { kind: { enum: ['none'] } }, required: ['kind'] },
        ],
      },
      {
        type: 'object',
        description: 'Give one of these: (kind, r) or (kind, a) or (kind).',
        properties: { kind: { enum: ['circle', 'square', 'none'] }, r: number, a: number },
        required: ['kind'],
      },
    ],
    [
      'parts that hold together, one of them pointed at',
      {
        description: 'Both.',
        allOf: [{ $ref: '#/$defs/base' }, { properties: { b: text }, required: ['b'] }],
        $defs: { base: { type: 'object', properties: { a: number }, required: ['a'] } },
      },
      {
        type: 'object',
        description: 'Both.',
        $defs: { base: { type: 'object', properties: { a: number }, required: ['a'] } },
        properties: { a: number, b: text },
        required: ['a', 'b'],
      },
    ],
    [
      'what must not be',
      { type: 'object', properties: { a: text, b: text }, not: { required: ['a', 'b'] } },
      { type: 'object', description: 'Do not give a, b together.', properties: { a: text, b: text } },
    ],
    [
      'one type for two meanings',
      { anyOf: [{ properties: { a: text } }, { properties: { a: number } }] },
      {
        type: 'object',
        properties: { a: { anyOf: [text, number] } },
      },
    ],
    [
      'limits of the first drafts',
      {
        type: 'object',
        properties: { n: { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false } },
      },
      { type: 'object', properties: { n: { type: 'integer', exclusiveMinimum: 0, maximum: 9 } } },
    ],
    [
      'a flag on what is required',
      { type: 'object', properties: { a: { type: 'string', required: true }, b: { type: 'string', required: false } } },
      { type: 'object', properties: { a: text, b: text }, required: ['a'] },
    ],
    [
      'lists that do not say what they hold',
      {
        type: 'object',
        properties: {
          a: { type: 'array' },
          b: { type: ['array', 'null'] },
          c: { items: [text, number] },
          d: { items: true },
        },
      },
      {
        type: 'object',
        properties: {
          a: { type: 'array', items: {} },
          b: { type: ['array', 'null'], items: {} },
          c: { items: { anyOf: [text, number] } },
          d: { items: {} },
        },
      },
    ],
    [
      'arguments that are called like keywords',
      {
        type: 'object',
        properties: { anyOf: text, items: { type: 'array', items: text }, required: { type: 'boolean' } },
      },
      {
        type: 'object',
        properties: { anyOf: text, items: { type: 'array', items: text }, required: { type: 'boolean' } },
      },
    ],
    [
      'a pointer into a list that is gone',
      { type: 'object', anyOf: [{ properties: { a: text } }], properties: { b: { $ref: '#/anyOf/0/properties/a' } } },
      { type: 'object', properties: { b: text, a: text } },
    ],
  ])('%s', (_name, schema, expected) => {
    const before = JSON.stringify(schema)
    expect(fitSchema(schema)).toEqual(expected)
    expect(JSON.stringify(schema)).toBe(before)
    expect(new Ajv2020({ strict: false, validateFormats: false }).validateSchema(fitSchema(schema))).toBe(true)
  })

  test('is fit already when it was made fit', () => {
    const made = fitSchema({
      anyOf: [{ properties: { a: { type: 'array' } } }, { properties: { b: text }, required: ['b'] }],
    })
    expect(fitSchema(structuredClone(made))).toEqual(made)
  })

  test('arguments are checked against the original', () => {
    const either = {
      anyOf: [
        { type: 'object', required: ['a'] },
        { type: 'object', required: ['b'] },
      ],
    }
    expect(schemaProblem(either)).toBeUndefined()
    expect(argumentProblem(either, {})).toBeDefined()
    expect(argumentProblem(either, { b: 1 })).toBeUndefined()
    const old = { type: 'object', properties: { n: { type: 'number', minimum: 0, exclusiveMinimum: true } } }
    expect(schemaProblem(old)).toBeUndefined()
    expect(argumentProblem(old, { n: 0 })).toMatch(/must be > 0/)
    expect(argumentProblem(old, { n: 1 })).toBeUndefined()
  })
})

const GEMINI = new Set(
  'type format title description nullable enum items minItems maxItems properties required minimum maximum minLength maxLength pattern anyOf default'.split(
    ' ',
  ),
)

function strangers(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return ['no schema']
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (!GEMINI.has(keyword)) return [keyword]
    if (keyword === 'properties') return Object.values(value as object).flatMap(strangers)
    if (keyword === 'anyOf') return (value as unknown[]).flatMap(strangers)
    return keyword === 'items' ? strangers(value) : []
  })
}

const plain = (schema: object) => plainSchema(fitSchema(schema))

describe('a schema as Gemini reads it', () => {
  test('has nothing pointed at, no fixed values but lists of texts, one type each', () => {
    const made = plain({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        when: { type: ['string', 'null'], format: 'date-time' },
        mail: { type: 'string', format: 'email' },
        list: { type: 'array' },
        kind: { const: 'a' },
        level: { enum: [1, 2] },
        n: { type: 'integer', exclusiveMinimum: 0 },
        node: { $ref: '#/definitions/node' },
        pair: { type: 'array', prefixItems: [text, number] },
        either: { oneOf: [text, number, { type: 'null' }] },
        both: { type: ['string', 'number'], description: 'Either.' },
        maybe: { anyOf: [{ $ref: '#/definitions/name' }, { type: 'null' }], description: 'A name.' },
        open: { type: 'object', additionalProperties: text },
      },
      required: ['when', 'gone'],
      additionalProperties: false,
      definitions: {
        name: { type: 'string', minLength: 1 },
        node: {
          type: 'object',
          properties: { next: { $ref: '#/definitions/node' }, label: { $ref: '#/definitions/name' } },
        },
      },
    })
    expect(strangers(made)).toEqual([])
    expect(made).toMatchObject({
      type: 'object',
      required: ['when'],
      properties: {
        when: { type: 'string', format: 'date-time', nullable: true },
        mail: { type: 'string' },
        list: { type: 'array', items: { type: 'string' } },
        kind: { type: 'string', enum: ['a'] },
        level: { type: 'integer', description: 'One of: 1, 2.' },
        n: { type: 'integer', description: 'More than 0.' },
        node: { type: 'object', properties: { next: { type: 'object' }, label: { type: 'string', minLength: 1 } } },
        pair: { type: 'array', items: { anyOf: [text, number] } },
        either: { anyOf: [text, number], nullable: true },
        both: { anyOf: [text, number], description: 'Either.' },
        maybe: { type: 'string', minLength: 1, nullable: true, description: 'A name.' },
      },
    })
    expect(new Ajv({ strict: false }).validateSchema(made)).toBe(true)
  })

  test('stays small when parts point at each other', () => {
    const names = Array.from({ length: 12 }, (_, at) => `d${at}`)
    const definitions = Object.fromEntries(
      names.map((name) => [
        name,
        { type: 'object', properties: Object.fromEntries(names.map((to) => [to, { $ref: `#/$defs/${to}` }])) },
      ]),
    )
    const made = plain({ type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs: definitions })
    expect(strangers(made)).toEqual([])
    expect(JSON.stringify(made).length).toBeLessThan(200_000)
  })

  test('any schema comes out whole', () => {
    const { schema } = fc.letrec<{ schema: object }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        fc.record({ type: fc.constantFrom('string', 'number', 'boolean', 'null', ['integer', 'null']) }),
        fc.record({ enum: fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 3 }) }),
        fc.record({
          type: fc.constant('array'),
          items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 2 }), fc.boolean()),
        }),
        fc.record({ anyOf: fc.array(tie('schema'), { maxLength: 3 }) }),
        fc.record({ allOf: fc.array(tie('schema'), { maxLength: 3 }), not: tie('schema') }),
        fc.record({
          type: fc.constant('object'),
          properties: fc.dictionary(fc.constantFrom('a', 'b', 'items', 'type'), tie('schema')),
          required: fc.constantFrom(['a'], true, ['zz']),
        }),
        fc.constant({ $ref: '#' }),
      ),
    }))
    fc.assert(
      fc.property(schema, (made) => {
        const fit = fitSchema(made)
        expect(fit).toMatchObject({ type: 'object', properties: expect.any(Object) })
        for (const keyword of ['anyOf', 'oneOf', 'allOf', 'not', 'enum', '$ref'])
          expect(fit).not.toHaveProperty(keyword)
        expect(strangers(plainSchema(fit))).toEqual([])
      }),
    )
  })
})
