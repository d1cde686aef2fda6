/** Requirements of every portal definition. A new portal is tested here without changes. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import type { TObject, TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { builtInPortals } from '../src/app.ts'
import { loadGazetteer } from '../src/features/platforms/gazetteer.ts'
import { createPortals } from '../src/features/platforms/service.ts'
import { compile } from '../src/kit/schema.ts'
import { checkPortal } from '../src/plugins/check-portal.ts'
import { loadPortals } from '../src/plugins/load-portals.ts'
import type { PortalDefinition, PortalDocument, SearchContext } from '../src/plugins/portal.ts'
import { blockedPages } from './blocked-pages.ts'
import { anyCharacter } from './characters.ts'

const ownPortals = await loadPortals(
  process.env.PORTALS_DIR ?? fileURLToPath(new URL('../docs/examples/portals', import.meta.url)),
)
const tested: PortalDefinition[] = [...builtInPortals, ...ownPortals]
const definitions = tested.map(portal => [portal.id, portal] as const)
const portals = createPortals({
  definitions: tested,
  urls: {},
  simulated: [],
  findSimulatedUrl: async () => '',
  loadGazetteer,
})

/** A search with every example of the filters, in the largest town of the country. */
function makeExampleSearch({ id, country, filters, operations, propertyTypes }: PortalDefinition) {
  const place = loadGazetteer().search({ q: '', limit: 1, countries: [country], types: ['municipality'] })[0]!
  const location = { id: portals.findLocationId(id, place)!, label: place.name }
  const search: Record<string, unknown> = { operation: operations[0], location }
  if ('propertyType' in filters.properties) search.propertyType = propertyTypes[0]
  return { search, context: { place, since: null } satisfies SearchContext }
}

/** All parsers of the definition. */
function listParsers(portal: PortalDefinition): [string, (page: PortalDocument) => unknown][] {
  const { search: filters, context } = makeExampleSearch(portal)
  const { search, details } = portal
  const found: [string, (page: PortalDocument) => unknown][] = []
  if (search.kind === 'pages') found.push(['search', page => search.read(page, filters, context)])
  else {
    found.push([
      'feed',
      ({ text, url }) => {
        const reader = search.createReader(url)
        const items = reader.push(text)
        return reader.end() ?? { kind: 'page', items }
      },
    ])
  }
  if (details) found.push(['details', page => details.read(page)])
  return found
}

describe.each(definitions)('%s', (id, portal) => {
  test('fulfils the contract', () => {
    expect(checkPortal(portal)).toEqual([])
  })

  test('has unique ids for the municipalities of its country', () => {
    const places = loadGazetteer().listPlaces()
    const towns = places.filter(({ country, type }) => country === portal.country && type === 'municipality')
    const ids = towns.flatMap(place => portals.findLocationId(id, place) ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThan(towns.length * 0.99)
    for (const place of towns.slice(0, 50))
      expect(portals.findPlace(id, portals.findLocationId(id, place)!)).toBe(place)
  })

  test('has known places as examples', () => {
    const { examples, properties } = portal.filters.properties.location as TObject & {
      examples: { id: string }[]
    }
    const ids = [
      examples.map(example => example.id),
      (properties.id as TSchema & { examples: string[] }).examples,
    ]
    for (const shown of ids) {
      expect(shown).not.toEqual([])
      for (const locationId of shown) expect(portals.findPlace(id, locationId), locationId).toBeDefined()
    }
  })

  test('requests a path of its origin, and the request can be stored as JSON', () => {
    const { search: filters, context } = makeExampleSearch(portal)
    expect(compile(portal.filters)(structuredClone(filters))).toEqual([])
    const { search } = portal
    const request =
      search.kind === 'pages' ? search.start(filters, context) : search.request(filters, context)
    expect(request.path).toMatch(/^\/[^/]/)
    expect(JSON.parse(JSON.stringify(request))).toEqual(request)
  })

  test.each(listParsers(portal))('recognises robot checks in place of %s', (_name, read) => {
    for (const [name, text] of blockedPages)
      expect(read({ text, url: 'https://portal.example/' }), name).toMatchObject({
        kind: 'unreadable',
        reason: 'challenge',
      })
  })

  test.each(listParsers(portal))(
    'parses any text as %s without throwing, and never returns listings',
    (_name, read) => {
      const piece = fc.oneof(
        fc.string({ unit: anyCharacter }),
        fc.constantFrom(
          '<',
          '</',
          '<article class="item">',
          '{"',
          '"}',
          '<script>',
          '</script>',
          '<property>',
        ),
        fc.constantFrom(
          '<url><loc>',
          '{"elementList":[',
          '{"value":[{',
          '<entry>',
          'JSON.parse("',
          '<![CDATA[',
        ),
      )
      const text = fc.array(piece, { maxLength: 30 }).map(pieces => pieces.join(''))
      fc.assert(
        fc.property(text, text => {
          const reading = read({ text, url: 'https://portal.example/x' }) as {
            kind: string
            cards?: unknown[]
            items?: unknown[]
          }
          expect(['unreadable', 'page', 'gone']).toContain(reading.kind)
          if (reading.kind === 'page')
            expect([...(reading.cards ?? []), ...(reading.items ?? [])]).toEqual([])
        }),
        { numRuns: 200 },
      )
    },
  )
})

test('the enums of the API come from the definitions', () => {
  const document = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'))
  const { platform } = document.components.schemas.NewExtraction.properties
  expect(platform.enum).toEqual(
    builtInPortals.filter(({ capabilities }) => capabilities.extract).map(({ id }) => id),
  )
})
