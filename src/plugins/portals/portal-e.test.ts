/**
 * The definition of portal E reads the simulator's feed over HTTP: it must return exactly what the simulator
 * advertises.
 */
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { blockedPages } from '../../../test/blocked-pages.ts'
import { anyCharacter } from '../../../test/characters.ts'
import { kyeroSample as sample } from '../../../test/kyero-sample.ts'
import { feedUrl, parseFeedText, readFeed } from '../../../test/portal-e-harness.ts'
import { readShared } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import { toLocalDateTime } from '../../domain/feed/local-time.ts'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import type { SimulatedListing } from '../../simulator/listing.ts'
import type { FactsCard } from '../portal.ts'
import { portalE } from './portal-e.ts'

const listingCount = 2500

let simulator: Simulator
let cards: FactsCard[]
beforeAll(async () => {
  simulator = await startSimulator({ listings: listingCount })
  const { items, end } = await readFeed(simulator.portalUrl('portal_e'))
  expect(end).toBeNull()
  cards = items.map(item => item.card!)
})
afterEach(() => simulator.faults.clear())
afterAll(() => simulator.close())

describe('what is read', () => {
  test('is every published listing of the country, once', () => {
    const ids = cards.map(card => card.listingId)
    expect(ids).toHaveLength(listingCount)
    expect(new Set(ids).size).toBe(ids.length)
  })

  const kinds = portalE.operations.flatMap(operation =>
    portalE.propertyTypes.map(propertyType => ({ operation, propertyType })),
  )
  test.each(kinds)('equals what was advertised: $operation of $propertyType', kind => {
    const found = cards.filter(
      ({ listing }) => listing.operation === kind.operation && listing.propertyType === kind.propertyType,
    )
    expect(found.length).toBeGreaterThan(50)
    for (const { listingId, path, changedAt, listing, provenance } of found) {
      const original: SimulatedListing = simulator.findListing(listingId.slice(1))!
      expect(listing).toEqual({
        ...kind,
        title: original.title,
        description: original.description,
        price: original.price,
        currency: 'EUR',
        squareMeters: original.squareMeters,
        rooms: null,
        bedrooms: original.bedrooms,
        bathrooms: original.bathrooms,
        floor: original.floor,
        floorText: original.floor === null ? null : String(original.floor),
        condition: original.condition,
        features: expect.any(Array),
        address: original.address,
        municipality: original.city,
        province: original.province,
        postcode: null,
        latitude: original.latitude,
        longitude: original.longitude,
        images: expect.any(Array),
        url: simulator.portalUrl('portal_e') + path,
        publishedAt: null,
        contact: {
          name: original.advertiser.name,
          phone: original.advertiser.phone,
          phoneRaw: expect.any(String),
          email: null,
          advertiserType: original.advertiser.type,
        },
      })
      expect(listing.features.toSorted()).toEqual(original.features.toSorted())
      expect(listing.images).toHaveLength(original.photoCount)
      // Local time in Madrid: in autumn one hour occurs twice.
      expect(toLocalDateTime(Date.parse(changedAt!), portalE.timezone)).toBe(
        toLocalDateTime(original.updatedAt.getTime(), portalE.timezone),
      )
      expect(provenance.price).toBe('feed')
      expect(portalE.listingPath.exec(path)?.groups).toEqual({ listingId })
    }
  })

  test('the address of a listing opens its page', async () => {
    const { listing } = cards[0]!
    const page = await fetch(listing.url)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain(listing.title!.slice(0, 20))
    expect((await fetch(listing.images[0]!)).status).toBe(200)
  })
})

describe('the transfer', () => {
  const path = '/feeds/kyero-v3.xml'

  test('the gzip file, the compressed and the plain reply have the same content', async () => {
    const origin = simulator.portalUrl('portal_e')
    const file = await fetch(`${origin}${path}.gz`)
    expect(file.headers.get('content-type')).toBe('application/gzip')
    expect(file.headers.get('content-encoding')).toBeNull()
    const text = gunzipSync(Buffer.from(await file.arrayBuffer())).toString()
    const encoded = await fetch(origin + path, { headers: { 'accept-encoding': 'gzip' } })
    expect(encoded.headers.get('content-encoding')).toBe('gzip')
    expect(await encoded.text()).toBe(text)
    const plainXml = await fetch(origin + path, { headers: { 'accept-encoding': 'identity' } })
    expect(plainXml.headers.get('content-encoding')).toBeNull()
    expect(await plainXml.text()).toBe(text)
  })

  test('an unchanged feed is not sent again; changed prices and withdrawals are seen', async () => {
    const address = `${simulator.portalUrl('portal_e')}${path}.gz`
    const first = await fetch(address)
    const known = {
      'if-none-match': first.headers.get('etag')!,
      'if-modified-since': first.headers.get('last-modified')!,
    }
    expect((await fetch(address, { headers: known })).status).toBe(304)
    const [changed, withdrawn] = simulator.findListings({
      operation: 'rent',
      propertyType: 'garages',
      city: 'madrid',
    })
    simulator.change(changed!.id, { price: 77 })
    simulator.withdraw(withdrawn!.id)
    expect((await fetch(address, { headers: known })).status).toBe(200)
    const { items } = await readFeed(simulator.portalUrl('portal_e'))
    const findCard = (id: string) => items.find(item => item.listingId === `E${id}`)?.card
    expect(findCard(changed!.id)).toMatchObject({
      changedAt: '2026-11-01T00:00:01.000Z',
      listing: { price: 77 },
    })
    expect(findCard(withdrawn!.id)).toBeUndefined()
    expect((await fetch(`${simulator.portalUrl('portal_e')}/propiedad/E${withdrawn!.id}.htm`)).status).toBe(
      410,
    )
  })
})

describe('what cannot be read', () => {
  test.each([
    ['challenge', 'challenge'],
    ['redirectToLogin', 'login'],
    ['layout', 'layout'],
    ['empty', 'layout'],
  ] as const)('%s is %s', async (kind, reason) => {
    simulator.faults.add({ portal: 'portal_e', kind, match: '/feeds/' })
    expect(await readFeed(simulator.portalUrl('portal_e'))).toMatchObject({
      items: [],
      end: { kind: 'unreadable', reason },
    })
  })

  test.each(blockedPages)('%s is a challenge', (_name, text) => {
    expect(parseFeedText(text)).toMatchObject({ items: [], end: { reason: 'challenge' } })
  })

  test.each([
    ['<?xml version="1.0"?><trovit><ad><id>1</id><price>1</price></ad></trovit>'],
    ['<openimmo><anbieter><immobilie><preise/></immobilie></anbieter></openimmo>'],
  ])('%s is another layout', text => {
    expect(parseFeedText(text)).toMatchObject({ items: [], end: { reason: 'layout' } })
  })

  describeShared('feeds of other formats', () => {
    test.each(['trovit.xml', 'daft_ie.xml', 'casa_it.xml', 'openimmo.xml'])('%s is another layout', name => {
      expect(parseFeedText(readShared(`fixtures/feeds/${name}`))).toMatchObject({
        items: [],
        end: { reason: 'layout' },
      })
    })
  })

  test('a property is parsed, and a listing with a foreign address gets a page of the portal', () => {
    const { items, end } = parseFeedText(sample)
    expect(end).toBeNull()
    expect(items).toMatchObject([
      {
        listingId: '40512',
        card: {
          path: '/propiedad/40512.htm',
          changedAt: '2025-06-14T07:30:05.000Z',
          listing: {
            url: 'https://portal-e.example/propiedad/40512.htm',
            price: 312_000,
            features: ['pool'],
          },
        },
      },
    ])
  })

  test('a feed is complete only with its end, wherever it is cut', () => {
    for (let length = 0; length < sample.trimEnd().length; length += 1)
      expect(parseFeedText(sample.slice(0, length)).end).toMatchObject({ reason: 'layout' })
  })

  test('a property that cannot be parsed is counted, and the others are read', () => {
    const property = sample.slice(sample.indexOf('<property>'), sample.indexOf('</root>'))
    const changed = [property.replace('40512', ''), property.replace('40512', 'a/b'), property]
    const { items, end } = parseFeedText(sample.replace(property, changed.join('')))
    expect(items.map(item => [item.listingId, item.card === null])).toEqual([
      ['property-1', true],
      ['a/b', true],
      ['40512', false],
    ])
    expect(end).toBeNull()
  })

  test('properties without any price are a new layout', () => {
    expect(parseFeedText(sample.replaceAll('price>', 'amount>')).end).toMatchObject({ reason: 'layout' })
  })

  test('the agency of a feed applies to each property', () => {
    const agent = '<agent><name>Costa &amp; Sol</name><tel>952 12 34 56</tel></agent>'
    const { items } = parseFeedText(sample.replace('</kyero>', `</kyero>${agent}`))
    expect(items[0]?.card?.listing.contact).toEqual({
      name: 'Costa & Sol',
      phone: '+34952123456',
      phoneRaw: '952 12 34 56',
      email: null,
      advertiserType: 'agency',
    })
  })

  test('chunks of any size give the same result, and altered characters never make it throw', () => {
    const doubledFeed = sample.replace('</root>', `${sample.slice(sample.indexOf('<property>'))}`)
    const changes = fc.array(
      fc.tuple(fc.nat(doubledFeed.length), fc.string({ unit: anyCharacter, maxLength: 2 })),
      {
        maxLength: 20,
      },
    )
    fc.assert(
      fc.property(changes, fc.integer({ min: 1, max: 3000 }), (changes, size) => {
        let text = doubledFeed
        for (const [index, sign] of changes)
          text = text.slice(0, index) + sign + text.slice(index + sign.length)
        expect(parseFeedText(text, feedUrl, size)).toEqual(parseFeedText(text))
      }),
      { numRuns: 80 },
    )
  })
})
