/** Validation: all errors at once, with their paths, and only useful ones. */
import { expect, it } from 'vitest'
import { faultsMax } from './input-errors.ts'
import { listedErrorsMax } from './problem.ts'
import {
  area,
  commaSeparated,
  compile,
  id,
  nullable,
  oneOf,
  strictObject,
  Type,
  time,
  visible,
} from './schema.ts'

const Person = strictObject({
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

it('reports nothing for a valid value', () => {
  expect(listErrors(Person, { name: 'Marta', kind: 'private', age: 40 })).toEqual([])
})

it('reports all errors at once, each with its JSON pointer', () => {
  expect(
    listErrors(Person, {
      name: 'M',
      kind: 'dog',
      age: 'forty',
      'a/b~c': 1,
      address: { tags: ['a', 2, 'c'], zip: 1 },
      'x/y~z': null,
    }).sort(),
  ).toEqual([
    '/address/street REQUIRED',
    '/address/tags TOO_MANY',
    '/address/tags/1 WRONG_TYPE',
    '/address/zip UNKNOWN_FIELD',
    '/age WRONG_TYPE',
    '/a~1b~0c WRONG_TYPE',
    '/kind NOT_ALLOWED',
    '/name TOO_SHORT',
    '/x~1y~0z UNKNOWN_FIELD',
  ])
})

it.each([
  [{ name: 'Marta', kind: 'private' }, '/age REQUIRED'],
  [{ name: 'Martina', kind: 'private', age: 1 }, '/name TOO_LONG'],
  [{ name: 'Marta', kind: 'private', age: -1 }, '/age TOO_SMALL'],
  [{ name: 'Marta', kind: 'private', age: 151 }, '/age TOO_LARGE'],
  [{ name: 'Marta', kind: 'private', age: 1.5 }, '/age WRONG_TYPE'],
  [[], ' WRONG_TYPE'],
  [undefined, ' WRONG_TYPE'],
  ['text', ' WRONG_TYPE'],
])('names what is wrong with %j', (value, error) => {
  expect(listErrors(Person, value)).toEqual([error])
})

it('lists the allowed values', () => {
  expect(compile(oneOf(['live', 'test']))('prod')).toEqual([
    { path: '', code: 'NOT_ALLOWED', message: 'must be one of live, test' },
  ])
})

it('explains why this value is invalid, if the schema has a message for it', () => {
  const kind = oneOf(['sale', 'rent'], { refusals: { auction: 'this portal lists no auctions' } })
  const findMessage = (value: unknown) => compile(strictObject({ kind: nullable(kind) }))({ kind: value })
  expect(findMessage('auction')).toEqual([
    { path: '/kind', code: 'NOT_ALLOWED', message: 'this portal lists no auctions' },
  ])
  for (const value of ['barter', 'constructor'])
    expect(findMessage(value)).toMatchObject([{ message: 'must be one of sale, rent' }])
})

it('reports a single error for an invalid value of a nullable field', () => {
  const schema = strictObject({
    at: nullable(time('When.')),
    address: nullable(strictObject({ street: Type.String() })),
  })
  expect(listErrors(schema, { at: null, address: null })).toEqual([])
  expect(listErrors(schema, { at: 5, address: null })).toEqual(['/at WRONG_TYPE'])
  expect(listErrors(schema, { at: 'yesterday', address: null })).toEqual(['/at WRONG_FORMAT'])
  expect(listErrors(schema, { at: null, address: { street: 1 } })).toEqual(['/address/street WRONG_TYPE'])
  expect(listErrors(schema, { at: null, address: {} })).toEqual(['/address/street REQUIRED'])
})

it('names all types of a union, or what is wrong with a value of one of them', () => {
  const schema = strictObject({ value: Type.Union([Type.String({ maxLength: 3 }), Type.Number()]) })
  const both = { path: '/value', code: 'WRONG_TYPE', message: 'must be a string or a number' }
  for (const value of [null, true, {}, []]) expect(compile(schema)({ value })).toEqual([both])
  expect(listErrors(schema, { value: 'four' })).toEqual(['/value TOO_LONG'])
})

it('reports an error for a field that must be null', () => {
  expect(listErrors(strictObject({ nothing: Type.Null() }), { nothing: 1 })).toEqual(['/nothing WRONG_TYPE'])
})

it('does not convert between numbers and strings in a body', () => {
  expect(listErrors(strictObject({ n: Type.Integer() }), { n: '5' })).toEqual(['/n WRONG_TYPE'])
  expect(listErrors(strictObject({ s: Type.String() }), { s: 5 })).toEqual(['/s WRONG_TYPE'])
})

it('converts query strings to numbers, booleans and lists', () => {
  const schema = strictObject({ n: Type.Integer(), yes: Type.Boolean(), list: Type.Array(Type.String()) })
  const query = { n: '5', yes: 'true', list: 'one' }
  expect(listErrors(schema, query, 'text')).toEqual([])
  expect(query).toEqual({ n: 5, yes: true, list: ['one'] })
  expect(listErrors(schema, { n: 'five', yes: 'perhaps', list: 'x' }, 'text')).toEqual([
    '/n WRONG_TYPE',
    '/yes WRONG_TYPE',
  ])
  expect(listErrors(strictObject({ n: Type.Integer() }), { n: ['1', '2'] }, 'text')).toEqual([
    '/n WRONG_TYPE',
  ])
})

it('fills in defaults, also inside a missing object', () => {
  const schema = strictObject({
    limit: Type.Integer({ default: 50 }),
    options: Type.Object({ tags: Type.Array(Type.String(), { default: [] }) }, { default: {} }),
  })
  const first = {}
  expect(listErrors(schema, first)).toEqual([])
  expect(first).toEqual({ limit: 50, options: { tags: [] } })
})

it('does not share default values between validated values', () => {
  const validate = compile(strictObject({ tags: Type.Array(Type.String(), { default: [] }) }))
  const [first, second] = [{ tags: [] as string[] }, {} as { tags: string[] }]
  validate(second)
  second.tags.push('mine')
  const third = {} as { tags: string[] }
  validate(third)
  expect(first.tags).toEqual([])
  expect(third.tags).toEqual([])
})

it.each(['01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f', '01980A4E-1111-7C3E-9D7A-2F6B1C0D9E8F'])(
  'accepts %s as an id',
  value => {
    expect(listErrors(id('An id.'), value)).toEqual([])
  },
)

it.each([
  '',
  '1',
  'urn:uuid:01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f',
  '{01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f}',
  '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f\n',
  '01980a4e11117c3e9d7a2f6b1c0d9e8f',
])('rejects %j as an id', value => {
  expect(listErrors(id('An id.'), value)).toEqual([' WRONG_FORMAT'])
})

it.each([
  '2026-11-02T10:00:00Z',
  '2026-11-02T10:00:00.123456Z',
  '2026-11-02T10:00:00+01:00',
  '2026-11-02T10:00:00-11:30',
])('accepts %s as a time', value => {
  expect(listErrors(time('A time.'), value)).toEqual([])
})

it.each([
  '2026-11-02',
  '2026-11-02T10:00:00',
  '2026-02-30T10:00:00Z',
  '2026-11-02T25:00:00Z',
  'yesterday',
  // PostgreSQL or Date cannot read these.
  '0000-01-01T00:00:00Z',
  '2026-11-02T10:00:00+23:00',
  '2016-12-31T23:59:60Z',
])('rejects %s as a time', value => {
  expect(listErrors(time('A time.'), value)).toEqual([' WRONG_FORMAT'])
})

it.each<[text: string, errors: string[]]>([
  ['2.1,41.3,2.2,41.4', []],
  ['2.1,41.3,2.1,41.3', []],
  ['-180,-90,180,90', []],
  ['2.2,41.3,2.1,41.4', [' NOT_ALLOWED']],
  ['2.1,41.4,2.2,41.3', [' NOT_ALLOWED']],
  ['2.1,41.4,2.2', [' WRONG_FORMAT']],
  ['', [' WRONG_FORMAT']],
])('for the area %s it reports %j', (text, errors) => {
  expect(listErrors(area('An area.'), text)).toEqual(errors)
})

it.each([
  ['a field', { maxReslts: 1 }, '/maxReslts', 'is not a known field; did you mean maxResults?'],
  [
    'a field in snake case',
    { max_results: 1 },
    '/max_results',
    'is not a known field; did you mean maxResults?',
  ],
  ['a value', { kind: 'pirvate' }, '/kind', 'must be one of private, agency; did you mean private?'],
  ['a field that resembles none', { colour: 1 }, '/colour', 'is not a known field; check its spelling'],
])('suggests a correction for %s', (_what, value, path, message) => {
  const schema = strictObject({
    maxResults: Type.Optional(Type.Integer()),
    kind: Type.Optional(oneOf(['private', 'agency'])),
  })
  expect(compile(schema)(value)).toMatchObject([{ path, message }])
})

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
