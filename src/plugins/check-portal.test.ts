/** Portal definitions are checked before they are used: what `checkPortal` reports. */
import { describe, expect, test } from 'vitest'
import myPortal from '../../docs/examples/portals/my-portal.ts'
import { checkPortal } from './check-portal.ts'
import type { PortalDefinition } from './portal.ts'
import { portalKit as kit } from './portal-kit.ts'
import { portalE } from './portals/portal-e.ts'

const { Type } = kit
const validPortal = myPortal(kit)
const feed = portalE as PortalDefinition

const checkWith = (change: object, portal = validPortal) =>
  checkPortal({ ...portal, ...change } as PortalDefinition)
const checkSearch = (change: object, portal = validPortal) =>
  checkWith({ search: { ...portal.search, ...change } }, portal)
const checkFilter = (key: string, schema: object) => {
  const properties = { ...validPortal.filters.properties, [key]: schema }
  return checkWith({ filters: { ...validPortal.filters, properties } })
}
const throwError = () => {
  throw new Error('no luck')
}

test('a valid definition has no problems', () => {
  expect(checkPortal(validPortal)).toEqual([])
  expect(checkPortal(feed)).toEqual([])
})

test.each([undefined, null, 'portal', 7])('%s is not a definition', value => {
  expect(checkPortal(value as never)).toEqual(['its function must return a portal definition'])
})

describe.each<[key: string, wrong: unknown[]]>([
  ['id', [undefined, 7, '', 'My_Portal', '1portal', 'my-portal', 'csv_import']],
  ['name', [undefined, '']],
  ['country', [undefined, 'es', 'FR']],
  ['language', [undefined, 'not a language']],
  ['currency', [undefined, 'eur', '€']],
  ['timezone', [undefined, 'Madrid']],
  ['capabilities', [undefined, {}, { extract: true, validate: true, campaign: true }]],
  ['operations', [undefined, []]],
  ['propertyTypes', [undefined, [], ['castles']]],
  ['listingPath', [undefined, '/anuncio/', /^\/anuncio\/(\d+)$/]],
  [
    'locations',
    [
      undefined,
      { countries: ['ES'], types: ['municipality'] },
      { countries: [], types: ['municipality'], toPortalId: () => null },
      { countries: ['ES'], types: ['town'], toPortalId: () => null },
    ],
  ],
  ['authentication', [null, { kind: 'basic' }, { kind: 'oauth2' }, { kind: 'oauth2', tokenPath: 'token' }]],
  [
    'politeness',
    [
      undefined,
      { requestsPerSecond: 0, concurrency: 1 },
      { requestsPerSecond: 1 },
      { requestsPerSecond: 1, concurrency: 1.5 },
      { requestsPerSecond: 1, concurrency: 1, requestsPerHour: 0 },
    ],
  ],
])('`%s`', (key, wrong) => {
  test.each(wrong.map(value => [value]))('is refused, with its name, as %j', value => {
    const problems = checkWith({ [key]: value })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(`\`${key}\` must`)
  })
})

test('all problems are reported at once', () => {
  const problems = checkWith({ name: '', currency: '€', details: null })
  expect(problems).toHaveLength(3)
  expect(problems.join('\n')).toMatch(
    /`name`.*\n`currency`.*\n`details` must not be null if `search\.cards` is 'addresses'/,
  )
})

describe('`filters`', () => {
  test.each([undefined, {}, { type: 'object', properties: {} }, Type.Object({})])(
    'that allow unknown keys, or are missing, are refused (%#)',
    filters => {
      expect(checkWith({ filters })).toEqual([
        '`filters` must be an object that is closed (additionalProperties: false)',
      ])
    },
  )

  test('must require the operation and the location', () => {
    expect(checkWith({ filters: Type.Object({}, { additionalProperties: false }) })).toEqual([
      '`filters` must require operation',
      '`filters` must require location',
    ])
  })

  test.each([
    ['no title', Type.String({ description: 'x', examples: ['x'] })],
    ['no description', Type.String({ title: 'x', examples: ['x'] })],
    ['no examples', Type.String({ title: 'x', description: 'x', examples: [] })],
  ])('each need a title, a description and examples: %s', (_what, schema) => {
    expect(checkFilter('pets', schema)).toEqual([
      'the filter pets must have a title, a description and examples',
    ])
  })

  test.each([
    ['an example that does not fit', Type.Integer({ title: 'x', description: 'x', examples: [1, 'two'] })],
    ['no schema at all', { type: 'pet', title: 'x', description: 'x', examples: [1] }],
  ])('need examples that are valid: %s', (_what, schema) => {
    expect(checkFilter('pets', schema)).toEqual(['the examples of the filter pets must be valid'])
  })

  test('must accept every operation and property type that the portal lists', () => {
    expect(checkFilter('operation', kit.sharedFilters.operation(['sale']))).toEqual([
      'the filter operation must accept each of `operations`',
    ])
    expect(checkFilter('propertyType', kit.sharedFilters.propertyType(['garages']))).toEqual([
      'the filter propertyType must accept each of `propertyTypes`',
    ])
  })
})

describe('a search', () => {
  test.each([{ search: undefined }, { search: { kind: 'telepathy' } }])(
    'without a valid kind is refused (%j)',
    change => {
      expect(checkWith(change)).toEqual(["`search.kind` must be 'pages' or 'feed'"])
    },
  )

  test.each<[name: string, change: object]>([
    ['search.coverage', { coverage: 'much' }],
    ['search.cards', { cards: 'faces' }],
    ['search.start', { start: undefined }],
    ['search.start', { start: throwError }],
    ['search.start', { start: () => ({ path: '//elsewhere.example/' }) }],
  ])('of pages is refused by `%s` (%#)', (name, change) => {
    const problems = checkSearch(change)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(`\`${name}\` must`)
  })

  test.each<[name: string, change: object]>([
    ['search.request', { request: () => ({ path: 'https://elsewhere.example/' }) }],
    ['search.matches', { matches: undefined }],
  ])('of a feed is refused by `%s`', (name, change) => {
    const problems = checkSearch(change, feed)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(`\`${name}\` must`)
  })
})

describe('a reader', () => {
  const empty = { kind: 'page', total: null, cards: [], next: [] }
  const layout = { kind: 'unreadable', reason: 'layout', detail: '' }
  const unreadable = /must report an empty page as unreadable/
  const challenge = /must report a robot check as a challenge/
  const readers: [name: string, check: (reading: () => unknown) => string[]][] = [
    ['search.read', read => checkSearch({ read })],
    ['details.read', read => checkWith({ details: { read } })],
    ['search.createReader', end => checkSearch({ createReader: () => ({ push: () => [], end }) }, feed)],
  ]

  test.each(readers)('`%s` that accepts any text as a page of listings is refused', (name, check) => {
    for (const reading of [() => empty, () => null, throwError]) {
      const problems = check(reading)
      expect(problems).toEqual([expect.stringMatching(unreadable), expect.stringMatching(challenge)])
      for (const problem of problems) expect(problem).toContain(`\`${name}\``)
    }
  })

  test.each(readers)('`%s` that reports a robot check as a new layout is refused', (_name, check) => {
    expect(check(() => layout)).toEqual([expect.stringMatching(challenge)])
  })

  test.each([{}, { read: 'page' }, { read: () => layout, followUp: {} }])(
    '`details` are refused as %j',
    details => {
      expect(checkWith({ details }).join('\n')).toContain('`details` must be null, or have a function `read`')
    },
  )
})
