/** Parses replies of portal G from text: variants of other servers, and replies that are unreadable. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blockedPages } from '../../../test/blocked-pages.ts'
import type { SearchContext } from '../portal.ts'
import { portalG } from './portal-g.ts'

const vigo = { id: '36057', label: 'Vigo' }
const fullRunContext = { since: null } as SearchContext
const filters = { operation: 'sale', location: vigo } as const

describe('what cannot be read', () => {
  const property = { ListingKey: '1', StandardStatus: 'Active', ListPrice: 100_000 }
  test.each<[what: string, reply: unknown, reason: string, detail: RegExp]>([
    ['a refused token', { error: { code: 'Unauthorized', message: 'token' } }, 'login', /Unauthorized/],
    ['an error', { error: { code: 'BadRequest', message: 'no such field' } }, 'layout', /no such field/],
    ['no value', { '@odata.count': 1, items: [property] }, 'layout', /no value/],
    ['a value that is no list', { '@odata.count': 1, value: {} }, 'layout', /no value/],
    ['a count and an empty list', { '@odata.count': 3, value: [] }, 'layout', /3 reported/],
    ['an empty list without a count', { value: [] }, 'layout', /unknown reported/],
    ['properties without a key', { '@odata.count': 1, value: [{ ListPrice: 1 }] }, 'layout', /none of 1/],
    [
      'properties without a status',
      { '@odata.count': 1, value: [{ ...property, StandardStatus: undefined }] },
      'layout',
      /none of 1/,
    ],
    [
      'properties without a price',
      { '@odata.count': 1, value: [{ ...property, ListPrice: undefined, Price: 1 }] },
      'layout',
      /price/,
    ],
    [
      'a next page at another host',
      { '@odata.count': 2, value: [property], '@odata.nextLink': 'https://other.example/odata/Property' },
      'layout',
      /on another host/,
    ],
    [
      'a next page that is no address',
      { value: [property], '@odata.nextLink': 7 },
      'layout',
      /on another host/,
    ],
    ['no JSON', undefined, 'layout', /JSON/],
  ])('%s is no page of results', (_what, reply, reason, detail) => {
    const text = JSON.stringify(reply) ?? 'Bad gateway'
    const document = { text, url: 'https://g.example/odata/Property' }
    expect(portalG.search.read(document, filters, fullRunContext)).toMatchObject({
      kind: 'unreadable',
      reason,
      detail: expect.stringMatching(detail),
    })
  })

  test.each(blockedPages)('%s is a challenge', (_name, text) => {
    const document = { text, url: 'https://g.example/odata/Property' }
    expect(portalG.search.read(document, filters, fullRunContext)).toMatchObject({ reason: 'challenge' })
  })
})

describe('variants of other servers', () => {
  function read(...properties: object[]) {
    const value = properties.map((property, index) => ({
      ListingKey: String(index + 1),
      StandardStatus: 'Active',
      ListPrice: 100_000,
      ...property,
    }))
    const document = { text: JSON.stringify({ value }), url: 'https://g.example/odata/Property' }
    const result = portalG.search.read(document, { operation: 'sale', location: vigo }, fullRunContext)
    if (result.kind !== 'page') throw new Error(result.detail)
    return result
  }
  const listings = (...properties: object[]) => read(...properties).cards.map(card => card.listing)

  test('every status except Active means gone', () => {
    const statuses = ['Active', 'Pending', 'Closed', 'Withdrawn', 'Expired', 'Delete']
    const { cards, withdrawnIds } = read(...statuses.map(StandardStatus => ({ StandardStatus })))
    expect([cards.map(({ listingId }) => listingId), withdrawnIds]).toEqual([
      ['1'],
      ['2', '3', '4', '5', '6'],
    ])
  })

  test('an area is read only in square metres', () => {
    const areas = listings(
      { LivingArea: 93.5, LivingAreaUnits: 'Square Meters' },
      { LivingArea: 1000, LivingAreaUnits: 'Square Feet' },
      { LivingArea: 93 },
    )
    expect(areas.map(listing => listing?.squareMeters)).toEqual([93.5, null, null])
  })

  test('the property type comes from class and subtype', () => {
    const kinds = listings(
      { PropertyType: 'Residential', PropertySubType: 'Townhouse' },
      { PropertyType: 'Residential Lease' },
      { PropertyType: 'Commercial Lease', PropertySubType: 'Warehouse' },
      { PropertyType: 'Residential', PropertySubType: 'Deeded Parking' },
      { PropertyType: 'Land', PropertySubType: 'Unimproved Land' },
    )
    expect(kinds.map(listing => [listing?.operation, listing?.propertyType])).toEqual([
      ['sale', 'homes'],
      ['rent', 'homes'],
      ['rent', 'premises'],
      ['sale', 'garages'],
      [null, null],
    ])
  })

  test('a phone number has the name of its owner', () => {
    const office = { ListOfficeName: 'Fincas Rey', ListOfficePhone: '986 12 34 56' }
    const agent = { ListAgentFullName: 'Ana Rey', ListAgentDirectPhone: '612 345 678' }
    const owner = { OwnerName: 'Eva', OwnerPhone: '+34 698 765 432' }
    const contacts = listings(
      { ...office, ...agent, ListAgentEmail: 'ana@fincas.example' },
      { ...office, ListAgentFullName: 'Ana Rey' },
      { ...office, ...owner },
      { ListAgentFullName: 'Ana Rey' },
      owner,
      {},
    )
    expect(
      contacts.map(listing => [
        listing?.contact.name,
        listing?.contact.phone,
        listing?.contact.advertiserType,
      ]),
    ).toEqual([
      ['Ana Rey', '+34612345678', 'agency'],
      ['Fincas Rey', '+34986123456', 'agency'],
      ['Fincas Rey', '+34986123456', 'agency'],
      ['Ana Rey', null, 'agency'],
      ['Eva', '+34698765432', 'private'],
      [null, null, null],
    ])
    expect(contacts[0]?.contact.email).toBe('ana@fincas.example')
  })

  test('photos are in order, and a listing without an address gets that of the interface', () => {
    const media = [3, 1, 2].map(Order => ({ Order, MediaURL: `/media/${Order}.jpg` }))
    const [listing] = listings({ Media: [...media, { Order: 0 }] })
    expect(listing).toMatchObject({
      images: [1, 2, 3].map(order => `https://g.example/media/${order}.jpg`),
      url: "https://g.example/odata/Property('1')",
    })
  })

  test('a next page may be a path on this portal', () => {
    const text = JSON.stringify({
      value: [{ ListingKey: '1', StandardStatus: 'Active', ListPrice: 1 }],
      '@odata.nextLink': 'Property?$skiptoken=7',
    })
    const document = { text, url: 'https://g.example/odata/Property?$top=1' }
    expect(
      portalG.search.read(document, { operation: 'sale', location: vigo }, fullRunContext),
    ).toMatchObject({
      next: [{ path: 'https://g.example/odata/Property?$skiptoken=7' }],
    })
  })
})

describe('any fields', () => {
  test('known fields with values of any kind never make it throw', () => {
    const path = portalG.search.start({ operation: 'sale', location: vigo }, fullRunContext).path
    const selected = new URL(path, 'https://g.example').searchParams.get('$select')!.split(',')
    const examples = selected.flatMap((name): [Record<string, fc.JsonValue>][] => [
      [{ [name]: { toString: null } }],
      [{ [name]: [{ toString: null }] }],
      [{ [name]: 'constructor' }],
    ])
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...selected, 'Media'), fc.jsonValue()), fields => {
        const property = { ...fields, ListingKey: '1', StandardStatus: 'Active', ListPrice: 1 }
        const text = JSON.stringify({ value: [property] })
        expect(
          portalG.search.read(
            { text, url: 'https://g.example/' },
            { operation: 'sale', location: vigo },
            fullRunContext,
          ),
        ).toMatchObject({ kind: 'page', cards: [{ listingId: '1', listing: { price: 1 } }] })
      }),
      { examples },
    )
  })
})
