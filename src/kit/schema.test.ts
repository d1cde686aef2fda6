/** Validation: all errors at once, with their paths, and only useful ones. */
import { expect, it } from 'vitest'
import { area, compile, id, nullable, oneOf, strictObject, Type, time } from './schema.ts'

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
