/** What errors of input say, and their bounds. */
import { expect, it } from 'vitest'
import { faultsMax } from './input-errors.ts'
import { listedErrorsMax } from './problem.ts'
import { commaSeparated, compile, oneOf, strictObject, Type, visible } from './schema.ts'

const _Person = strictObject({
  name: Type.String({ minLength: 2, maxLength: 5 }),
  kind: oneOf(['private', 'agency']),
  age: Type.Integer({ minimum: 0, maximum: 150 }),
  'a/b~c': Type.Optional(Type.Boolean()),
  address: Type.Optional(
    strictObject({ street: Type.String(), tags: Type.Array(Type.String(), { maxItems: 2 }) }),
  ),
})

const listErrors = (schema: Parameters<typeof compile>[0], value: unknown, kind?: 'body' | 'text') =>
  compile(schema, kind)(value).map(({ path, code }) => `${path} ${code}`)

it('suggests a correction for a value of a union of literals', () => {
  const choice = Type.Union([Type.Literal('sale'), Type.Literal('rent')])
  expect(compile(strictObject({ operation: choice }))({ operation: 'sael' })).toEqual([
    { path: '/operation', code: 'NOT_ALLOWED', message: 'must be one of sale, rent; did you mean sale?' },
  ])
})

it('collects at most 1,000 of a hundred thousand errors', () => {
  const list = strictObject({
    ids: Type.Array(strictObject({ kind: oneOf(['a', 'b']), value: Type.String() })),
  })
  expect(listErrors(list, { ids: Array(100_000).fill(0) })).toHaveLength(faultsMax)
  const unknown = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`f${index}`, index]))
  expect(listErrors(strictObject({}), unknown)).toHaveLength(faultsMax)
})

it('does not check list items beyond the limit', () => {
  const schema = strictObject({ list: Type.Array(Type.String(), { maxItems: 2, uniqueItems: true }) })
  expect(listErrors(schema, { list: ['a', 'b', ...Array(100_000).fill({})] })).toEqual([
    '/list TOO_MANY',
    '/list/2 WRONG_TYPE',
  ])
})

it('does not cut a value that fits one of two choices with different limits', () => {
  const schema = Type.Union([
    strictObject({ list: Type.Array(Type.String(), { maxItems: 1 }) }),
    strictObject({ list: Type.Array(Type.String(), { maxItems: 5 }) }),
  ])
  const value = { list: ['a', 'b', 'c', 'd'] }
  expect(listErrors(schema, value)).toEqual([])
  expect(value.list).toHaveLength(4)
  expect(listErrors(schema, { list: ['a', 'b', 'c', 'd', 5] })).not.toEqual([])
})

it('shortens long names in paths', () => {
  const [error] = compile(strictObject({}))({ ['x'.repeat(100_000)]: 1 })
  expect(error!.path.length).toBeLessThanOrEqual(300)
})

it('searches for similar names only for errors that a reply lists', () => {
  const schema = strictObject({ maxPrice: Type.Optional(Type.Integer()) })
  const unknown = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`maxPric${index % 10}${index}`, 1]),
  )
  const messages = compile(schema)({ ...unknown, maxPrise: 1 }).map(({ message }) => message)
  expect(messages).toHaveLength(501)
  expect(
    messages.slice(0, listedErrorsMax).every(message => message.startsWith('is not a known field')),
  ).toBe(true)
  expect(new Set(messages.slice(listedErrorsMax))).toEqual(new Set(['is not valid']))
})

it('also lists allowed values that are not strings', () => {
  const schema = strictObject({ level: Type.Unsafe<unknown>({ enum: ['upper', 1, null] }) })
  expect(compile(schema)({ level: 'uper' })).toEqual([
    { path: '/level', code: 'NOT_ALLOWED', message: 'must be one of upper, 1, null; did you mean upper?' },
  ])
})

it('lists the names of a short list, if none is similar', () => {
  const findMessage = (names: string[], text: string) =>
    compile(strictObject({ status: commaSeparated(names, {}) }))({ status: text })[0]?.message
  expect(findMessage(['open', 'snoozed', 'closed'], 'foo')).toBe(
    '"foo" is not a known name; use open, snoozed or closed',
  )
  expect(findMessage(['open', 'snoozed', 'closed'], 'close')).toBe(
    '"close" is not a known name; did you mean closed?',
  )
  const many = Array.from({ length: 13 }, (_, index) => `field${index}`)
  expect(findMessage(many, 'foo')).toBe('"foo" is not a known name; check its spelling')
})

it('says what is wrong in words, and shows an example in place of a pattern', () => {
  const Reply = strictObject({
    text: Type.String({ pattern: visible }),
    phone: Type.String({ pattern: '^\\+[0-9]+$', examples: ['+34612345678'] }),
    user: Type.String({ pattern: '^(none|[0-9]+)$', examples: ['none', '42'] }),
    code: Type.String({ pattern: '^[A-Z]$' }),
    name: Type.String({ minLength: 1 }),
    labels: Type.Array(Type.String(), { uniqueItems: true }),
  })
  const value = { text: ' ', phone: '612', user: 'me', code: 'a', name: '', labels: ['a', 'a'] }
  expect(compile(Reply)(value).map(({ message }) => message)).toEqual([
    'must not be blank',
    'must have the form of +34612345678',
    'must have the form of none or 42',
    'must match pattern "^[A-Z]$"',
    'must not be empty',
    'must not have the same item twice',
  ])
})
