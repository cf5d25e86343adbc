import { describe, expect, test } from 'vitest'
import { textOf } from '../ipc/said-contract'
import { argumentProblem, parsedArguments, readList, readNumber, schemaProblem } from './arguments'

describe('arguments', () => {
  test('an object, JSON text and JSON text of JSON text are the same arguments', () => {
    const given = { query: 'tide' }
    expect(parsedArguments(given)).toEqual(given)
    expect(parsedArguments(JSON.stringify(given))).toEqual(given)
    expect(parsedArguments(JSON.stringify(JSON.stringify(given)))).toEqual(given)
    expect(parsedArguments('')).toEqual({})
    expect(parsedArguments('tide')).toBe('tide')
    expect(parsedArguments('["tide"]')).toEqual(['tide'])
  })

  test('a list never falls apart into letters', () => {
    expect(readList('Lisbon, 港务长，Kestrel')).toEqual(['Lisbon', '港务长', 'Kestrel'])
    expect(readList('["Lisbon", "Kestrel"]')).toEqual(['Lisbon', 'Kestrel'])
    expect(readList(['Lisbon', 3, ' '])).toEqual(['Lisbon'])
    expect(readList('Lisbon')).toEqual(['Lisbon'])
    expect(readList('[not json')).toEqual(['[not json'])
    expect(readList(undefined)).toEqual([])
  })

  test('numbers may come as text', () => {
    expect(readNumber('0.5')).toBe(0.5)
    expect(readNumber(2)).toBe(2)
    expect(readNumber('much')).toBeUndefined()
    expect(readNumber('')).toBeUndefined()
  })

  test('what does not fit is named, and a schema that does not compile checks nothing', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { n: { type: 'number' } },
      required: ['n'],
    }
    expect(argumentProblem(schema, {})).toMatch(/n/)
    expect(argumentProblem(schema, { n: 'x' })).toMatch(/\/n.*number/)
    expect(argumentProblem(schema, { n: 1 })).toBeUndefined()
    expect(argumentProblem({ type: 'object', properties: { n: { $ref: '#/nowhere' } } }, { n: 1 })).toBeUndefined()
  })

  test('schemas that cannot be offered say why', () => {
    expect(schemaProblem({ type: 'object' })).toBeUndefined()
    expect(textOf(schemaProblem('object') ?? '')).toMatch(/not an object/)
    expect(textOf(schemaProblem({ description: 'x'.repeat(70_000) }) ?? '')).toMatch(/characters/)
    const loop: Record<string, unknown> = {}
    loop.self = loop
    expect(textOf(schemaProblem(loop) ?? '')).toMatch(/refers to itself/)
    const deep = JSON.parse(`${'{"type":"object","not":'.repeat(2500)}{}${'}'.repeat(2500)}`) as object
    expect(schemaProblem(deep)).toBeDefined()
  })

  test('one invalid schema would cost the whole request, so it is not offered', () => {
    expect(textOf(schemaProblem({ type: 'array' }) ?? '')).toMatch(/type object/)
    expect(textOf(schemaProblem({ type: 'object', properties: { n: { type: 'nonsense' } } }) ?? '')).toMatch(/invalid/)
    expect(textOf(schemaProblem({ type: 'object', properties: { n: { $ref: '#/$defs/gone' } } }) ?? '')).toMatch(
      /not there/,
    )
    expect(textOf(schemaProblem({ type: 'object', properties: { n: { $ref: 'http://127.0.0.1/x' } } }) ?? '')).toMatch(
      /not there/,
    )
    const tuple = { type: 'object', properties: { pair: { type: 'array', items: [{ type: 'number' }] } } }
    expect(schemaProblem(tuple)).toBeUndefined()
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } }
    expect(schemaProblem({ type: 'object', properties: { root: { $ref: '#/$defs/node' } }, $defs: { node } })).toBe(
      undefined,
    )
  })

  test('a pattern that takes for ever is not run', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
    expect(argumentProblem(schema, { a: `${'a'.repeat(50_000)}!` })).toBeUndefined()
  })
})
