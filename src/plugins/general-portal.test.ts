/** Definitions from start addresses: drafted by the command, and run by the whole program without a change. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../test/command.ts'
import { waitUntilEnded } from '../../test/extraction.ts'
import { startTestAppForTest } from '../../test/harness.ts'
import { type Handler, servePortals } from '../../test/portal.ts'
import { makeTenant } from '../../test/tenant.ts'
import { builtInPortals } from '../app.ts'
import type { Extraction } from '../features/extractions/schemas.ts'
import { checkPortal } from './check-portal.ts'
import { type GeneralPortalOptions, generalPortal } from './general-portal.ts'
import { loadPortals } from './load-portals.ts'

const { startPortal } = servePortals()
const pageSize = 4
const homes = Array.from({ length: 10 }, (_, index) => ({
  id: 48_201 + index,
  price: 150_000 + index * 10_000,
  squareMeters: 60 + index,
}))

/** A site with plain cards, three pages, and listings that state their facts in JSON-LD. */
const answer: Handler = ({ path }, response) => {
  const { pathname, searchParams } = new URL(path, 'http://portal.example')
  response.setHeader('content-type', 'text/html; charset=utf-8')
  if (pathname === '/comprar/pisos-vigo') {
    const page = Number(searchParams.get('pag') ?? 1)
    const cards = homes.slice((page - 1) * pageSize, page * pageSize).map(
      ({
        id,
        price,
        squareMeters,
      }) => `<div class="ad"><a href="/anuncios/piso-en-vigo-${id}"><img src="/${id}.jpg"></a>
        <h2><a href="/anuncios/piso-en-vigo-${id}">Piso en venta en Vigo, ref. ${id}</a></h2>
        <b>${price.toLocaleString('de')} €</b><ul><li>${squareMeters} m²</li><li>3 hab.</li></ul></div>`,
    )
    const next =
      page * pageSize < homes.length ? `<a href="/comprar/pisos-vigo?pag=${page + 1}">Siguiente</a>` : ''
    return response.end(
      `<html lang="es"><title>Pisos en venta en Vigo</title><h1>${homes.length} pisos en venta en Vigo</h1>
       <nav><a href="/alquiler/pisos-vigo">Alquiler</a><a href="/comprar/pisos-lugo">Lugo</a></nav>${cards.join('')}${next}</html>`,
    )
  }
  const home = homes.find(({ id }) => pathname === `/anuncios/piso-en-vigo-${id}`)
  if (!home) return response.writeHead(404).end()
  const node = {
    '@context': 'https://schema.org',
    '@type': 'Apartment',
    name: `Piso en venta en Vigo, ref. ${home.id}`,
    url: pathname,
    numberOfRooms: 3,
    floorSize: { '@type': 'QuantitativeValue', value: home.squareMeters, unitCode: 'MTK' },
    address: {
      '@type': 'PostalAddress',
      streetAddress: 'Rúa do Príncipe 5',
      addressLocality: 'Vigo',
      postalCode: '36202',
    },
    offers: {
      '@type': 'Offer',
      price: home.price,
      priceCurrency: 'EUR',
      seller: { '@type': 'Person', name: 'Ana', telephone: '986 12 34 56' },
    },
  }
  response.end(
    `<html lang="es"><title>Piso en venta en Vigo</title><script type="application/ld+json">${JSON.stringify(node)}</script></html>`,
  )
}

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'aldaba-drafts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a drafted definition extracts a portal completely, without a change', async () => {
  const portal = await startPortal('User-agent: *\nDisallow: /alquiler', answer)
  const folder = createFolder()
  const file = join(folder, 'my-site.mjs')
  const commands = await startTestAppForTest({ env: { ROLE: 'api' } })
  const draft = (...args: string[]) =>
    runCommand(commands, ['portals', 'draft', ...args], { ALLOWED_PRIVATE_RANGES: '127.0.0.1/32' })
  const drafted = await draft(`${portal.baseUrl}/comprar/pisos-vigo`, '--id', 'my_site', '--out', file)
  expect(drafted.code, drafted.stderr).toBe(0)
  expect(drafted.stdout).toContain('with a price  4 of 4')
  expect(drafted.stdout).toContain('results       10')
  expect(drafted.stdout).toContain('place         Vigo (ES-36057)')
  expect(drafted.stdout).toContain('"price": 150000')
  expect(portal.requests.map(({ path }) => path)).toEqual([
    '/comprar/pisos-vigo',
    '/anuncios/piso-en-vigo-48201',
  ])
  expect(await draft(`${portal.baseUrl}/alquiler/pisos-vigo`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('does not allow /alquiler/pisos-vigo'),
  })

  const app = await startTestAppForTest({
    portals: [...builtInPortals, ...(await loadPortals(folder))],
    env: { PORTAL_URLS: `my_site=${portal.baseUrl}` },
  })
  const tenant = await makeTenant(app, 'live')
  const filters = { operation: 'sale', location: { id: 'ES-36057', label: 'Vigo' } }
  const validated = await tenant.call('POST', '/platforms/my_site/validate', { body: filters })
  expect(validated.body).toMatchObject({ valid: true, expectedResults: 10 })
  const body = { platform: 'my_site', filters, maxResults: 100 }
  const started = await tenant.call<Extraction>('POST', '/extractions', { body })
  expect(started.status, started.text).toBe(202)
  expect(await waitUntilEnded(tenant, started.body.extractionId)).toMatchObject({
    status: 'COMPLETED',
    error: null,
    skippedByReason: {},
    progress: { pagesFetched: 3, listingsRead: 10, leadsCreated: 10, failed: 0, percent: 100 },
  })
  const leads = await tenant.listAllLeads()
  expect(leads.map(({ property }) => property.price).toSorted()).toEqual(homes.map(({ price }) => price))
  expect(leads[0]).toMatchObject({
    contact: { name: 'Ana', phone: '+34986123456' },
    property: {
      operation: 'sale',
      propertyType: 'homes',
      currency: 'EUR',
      municipality: 'Vigo',
      postcode: '36202',
    },
    sources: [{ platform: 'my_site' }],
  })
})

const options: GeneralPortalOptions = {
  id: 'my_site',
  name: 'My site',
  country: 'ES',
  language: 'es',
  currency: 'EUR',
  timezone: 'Europe/Madrid',
  listingPath: /^\/anuncios\/[^/]*-(?<listingId>\d+)$/,
  searches: [{ operation: 'sale', propertyType: 'homes', place: 'ES-36057', path: '/comprar/pisos-vigo' }],
}
const place = { operation: 'sale', location: { id: 'ES-36057', label: 'Vigo' } } as const
const url = 'https://www.site.example/comprar/pisos-vigo'
const read = (html: string, more: Partial<GeneralPortalOptions> = {}) =>
  generalPortal({ ...options, ...more }).search.read(
    { text: `<body>${html}</body>`, url },
    place,
    {} as never,
  )
const cards = homes
  .slice(0, 3)
  .map(({ id, price }) => `<li><a href="/anuncios/piso-${id}">Piso en Vigo</a><b>${price} €</b></li>`)
  .join('')

test('the definition fulfils the contract', () => {
  expect(checkPortal(generalPortal(options) as never)).toEqual([])
})

test('cards have facts, and the operation and the type of their search', () => {
  expect(read(cards)).toMatchObject({
    kind: 'page',
    total: null,
    cards: [
      {
        listingId: '48201',
        path: '/anuncios/piso-48201',
        listing: { title: 'Piso en Vigo', price: 150_000, operation: 'sale', propertyType: 'homes' },
        provenance: { price: 'markup', operation: 'portal' },
      },
      { listingId: '48202' },
      { listingId: '48203' },
    ],
    next: [],
  })
})

test('the next page must be of the same origin', () => {
  const next = (href: string) => read(`${cards}<a rel="next" href="${href}">x</a>`)
  expect(next('?pag=2')).toMatchObject({ next: [{ path: '/comprar/pisos-vigo?pag=2' }] })
  expect(next('https://img.site.example/2')).toMatchObject({ next: [] })
})

test('a page without cards is empty only if it says so', () => {
  expect(read('<h1>No hemos encontrado pisos</h1>')).toEqual({ kind: 'page', total: 0, cards: [], next: [] })
  expect(read('<h1>Pisos</h1>')).toMatchObject({ kind: 'unreadable', reason: 'layout' })
  expect(read(cards.replaceAll('€', ''))).toMatchObject({ kind: 'unreadable', reason: 'layout' })
  expect(read(cards.replaceAll('anuncios', 'inmuebles'))).toMatchObject({
    kind: 'unreadable',
    reason: 'layout',
  })
})

test('ids may be in the query', () => {
  const listingPath = /^\/p\.php\?(?:[^#]*&)?id=(?<listingId>[^&#]+)/
  const html = cards.replaceAll('/anuncios/piso-', '/p.php?lang=es&amp;id=')
  expect(read(html, { listingPath })).toMatchObject({
    cards: [{ listingId: '48201', path: '/p.php?lang=es&id=48201' }, {}, {}],
  })
})

test('a pattern with a position is used from the start each time', () => {
  expect(read(cards, { listingPath: new RegExp(options.listingPath.source, 'g') })).toMatchObject({
    cards: [{}, {}, {}],
  })
})

test.each([
  ['no start address', [], 'at least one'],
  ['two for one search', [options.searches[0]!, options.searches[0]!], 'more than one start address'],
  ['a path without /', [{ ...options.searches[0]!, path: 'https://x.example' }], 'must begin with one /'],
  [
    'a place without a combination',
    [
      ...options.searches,
      { operation: 'rent', propertyType: 'homes', place: 'ES-27028', path: '/x' } as const,
    ],
    'no start address for rent of homes in ES-36057',
  ],
])('%s is refused', (_name, searches, message) => {
  expect(() => generalPortal({ ...options, searches })).toThrow(message)
})

test('withdrawn listings and pages of no listing are distinguished', () => {
  const { details } = generalPortal(options)
  const page = { url: 'https://www.site.example/anuncios/piso-48201', text: '<title>Error</title><p>x</p>' }
  expect(details!.read(page)).toMatchObject({ kind: 'unreadable', reason: 'layout' })
})

test('saved pages are drafted with the address that they state, or that people give', async () => {
  const folder = createFolder()
  const app = await startTestAppForTest({ env: { ROLE: 'api' } })
  const save = (name: string, html: string) => {
    writeFileSync(join(folder, name), html)
    return join(folder, name)
  }
  const html = `<html><h1>Pisos en alquiler en Lugo</h1>${cards}</html>`
  const stated = save('stated.html', `<link rel="canonical" href="https://www.site.es/lugo">${html}`)
  const silent = save('silent.html', html)
  const run = (...args: string[]) => runCommand(app, ['portals', 'draft', ...args])
  const { code, stdout } = await run(stated)
  expect(code).toBe(0)
  expect(stdout).toContain(`searches: [
      // Lugo, Lugo
      { operation: 'rent', propertyType: 'homes', place: 'ES-27028', path: '/lugo' },`)
  expect(await run(silent)).toMatchObject({ code: 1, stderr: expect.stringContaining('Add --url') })
  const rent = await run(
    silent,
    '--url',
    "https://www.site.pt/x'y",
    '--operation',
    'rent',
    '--place',
    'PT-1106',
    '--json',
  )
  expect(JSON.parse(rent.stdout)).toMatchObject({
    cards: 3,
    listingPath: '^\\/anuncios\\/piso-(?<listingId>\\d+)$',
    place: 'PT-1106',
  })
  const german = await run(silent, '--url', 'https://www.site.de/x')
  expect(german.code).toBe(1)
  expect(german.stdout).toContain('with a price  3 of 3')
  expect(german.stderr).toContain('The portal is in DE.')
  expect(german.stderr).toContain('places of these countries only: ES, PT, IT.')
  expect(await run(silent, '--url', 'https://www.site.com/x')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Add --country ES, PT, or IT'),
  })
  const out = save('exists.mjs', 'mine')
  expect(await run(stated, '--out', out)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Add --force'),
  })
  expect(readFileSync(out, 'utf8')).toBe('mine')
  expect(await run(stated, '--out', out, '--force')).toMatchObject({ code: 0 })
  expect((await loadPortals(folder)).map(({ id }) => id)).toEqual(['site'])
})
