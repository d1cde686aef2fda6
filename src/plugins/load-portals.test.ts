/**
 * Portals that the operator adds: the example of the documentation in the whole program, and definitions that are
 * refused.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { waitUntilEnded } from '../../test/extraction.ts'
import { startTestAppForTest } from '../../test/harness.ts'
import { type Handler, servePortals } from '../../test/portal.ts'
import { makeTenant } from '../../test/tenant.ts'
import { builtInPortals } from '../app.ts'
import type { Extraction } from '../features/extractions/schemas.ts'
import { loadPortals } from './load-portals.ts'

const examples = fileURLToPath(new URL('../../docs/examples/portals/', import.meta.url))
const { startPortal } = servePortals()

const listings = Array.from({ length: 5 }, (_, index) => ({
  id: String(100 + index),
  price: 100_000 + index * 10_000,
}))
const pageSize = 2

/** The portal of the example: listings for sale in Vigo, two per page. */
const answer: Handler = ({ path }, response) => {
  const { pathname, searchParams } = new URL(path, 'http://portal.example')
  response.setHeader('content-type', 'text/html; charset=utf-8')
  if (pathname === '/venta/vigo-36057') {
    const page = Number(searchParams.get('pagina'))
    const found = listings.filter(
      ({ price }) => price <= Number(searchParams.get('hasta') ?? Number.POSITIVE_INFINITY),
    )
    const cards = found
      .slice((page - 1) * pageSize, page * pageSize)
      .map(({ id }) => `<article class="anuncio"><a href="/anuncio/${id}">Piso</a></article>`)
    const next = page * pageSize < found.length ? '<a class="siguiente" href="#">Siguiente</a>' : ''
    const none = cards.length === 0 ? '<p class="sin-resultados">Nada</p>' : ''
    return response.end(`<h1 class="total">${found.length} pisos</h1>${cards.join('')}${none}${next}`)
  }
  const listing = listings.find(({ id }) => pathname === `/anuncio/${id}`)
  if (!listing) return response.writeHead(404).end()
  const offer = { '@type': 'Offer', price: listing.price, priceCurrency: 'EUR' }
  const seller = { '@type': 'Person', name: 'Ana', telephone: '986 12 34 56' }
  const home = { '@type': 'Apartment', name: 'Piso en venta', numberOfRooms: 3 }
  const node = { '@context': 'https://schema.org', ...home, offers: { ...offer, seller } }
  response.end(
    `<title>Piso en venta</title><script type="application/ld+json">${JSON.stringify(node)}</script>`,
  )
}

/** Makes a folder with these files. */
function createFolder(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'aldaba-portals-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

/** The source of a definition with this id. */
const buildPortal = (id: string) =>
  `import example from ${JSON.stringify(join(examples, 'my-portal.ts'))}
export default kit => ({ ...example(kit), id: '${id}' })`

async function getErrorMessage(folder: string, takenIds: string[] = []): Promise<string> {
  const error = await loadPortals(folder, takenIds).catch((error: Error) => error)
  if (error instanceof Error) return error.message
  throw new Error(`${folder} was accepted`)
}

describe('the example of the documentation', () => {
  const filters = { operation: 'sale', location: { id: 'vigo-36057', label: 'Vigo' } }

  /** Starts the program with the example as a portal, served by this test. */
  async function start() {
    const portal = await startPortal(null, answer)
    const app = await startTestAppForTest({
      portals: [...builtInPortals, ...(await loadPortals(examples))],
      env: { PORTAL_URLS: `my_portal=${portal.baseUrl}` },
    })
    return { app, portal }
  }

  test('is read completely and exactly in live', async () => {
    const { app, portal } = await start()
    const tenant = await makeTenant(app, 'live')
    const body = { platform: 'my_portal', filters, maxResults: 100 }
    const started = await tenant.call<Extraction>('POST', '/extractions', { body })
    expect(started.status, started.text).toBe(202)
    expect(await waitUntilEnded(tenant, started.body.extractionId)).toMatchObject({
      status: 'COMPLETED',
      outcome: 'full',
      error: null,
      skippedByReason: {},
      progress: { pagesFetched: 3, listingsRead: 5, leadsCreated: 5, failed: 0, percent: 100 },
    })
    const leads = await tenant.listAllLeads()
    expect(leads.map(({ property }) => property.price).toSorted()).toEqual(listings.map(({ price }) => price))
    expect(leads[0]).toMatchObject({
      contact: { name: 'Ana', phone: '+34986123456' },
      property: { operation: 'sale', propertyType: 'homes', currency: 'EUR' },
      sources: [{ platform: 'my_portal' }],
    })
    expect(portal.requests.map(({ path }) => path)).toContain('/venta/vigo-36057?pagina=3')
  })

  test('counts the results of a search, and names the filter that it cannot apply', async () => {
    const { app } = await start()
    const tenant = await makeTenant(app, 'live')
    const validate = (more: object) =>
      tenant.call('POST', '/platforms/my_portal/validate', { body: { ...filters, ...more } })
    expect((await validate({ maxPrice: 110_000.5 })).body).toMatchObject({ valid: true, expectedResults: 2 })
    expect((await validate({ maxPrice: 1 })).body).toMatchObject({ valid: true, expectedResults: 0 })
    expect((await validate({ minRooms: 2 })).body).toMatchObject({
      valid: false,
      errors: [{ path: '/minRooms', code: 'NOT_SUPPORTED' }],
    })
  })

  test('is unconfigured in test, which has only the simulated portals', async () => {
    const { app } = await start()
    const { body } = await app.call<{ data: { id: string; status: string }[] }>('GET', '/platforms?limit=100')
    expect(body.data.find(({ id }) => id === 'my_portal')).toMatchObject({ status: 'unconfigured' })
    const reply = await app.call('POST', '/extractions', { body: { platform: 'my_portal', filters } })
    expect(reply).toMatchObject({ status: 422, body: { code: 'PORTAL_UNCONFIGURED' } })
  })

  test('is in the served OpenAPI document', async () => {
    const { app } = await start()
    const document = JSON.stringify(await (await fetch(`${app.url}/openapi.json`)).json())
    expect(document).toContain('"portal_g","my_portal"')
  })
})

test('without a folder no portals are added', async () => {
  expect(await loadPortals(null)).toEqual([])
})

test('a definition works in any folder, as TypeScript and as JavaScript', async () => {
  const folder = createFolder({})
  cpSync(join(examples, 'my-portal.ts'), join(folder, 'one.ts'))
  writeFileSync(join(folder, 'two.mjs'), buildPortal('two'))
  writeFileSync(join(folder, 'three.js'), buildPortal('three'))
  expect((await loadPortals(folder)).map(({ id }) => id)).toEqual(['my_portal', 'three', 'two'])
})

test('tests, declarations and subfolders are ignored', async () => {
  const folder = createFolder({
    'notes.md': 'x',
    'portal.test.ts': 'throw 1',
    'portal.d.ts': 'throw 1',
    'one.ts': buildPortal('one'),
  })
  mkdirSync(join(folder, 'parts'))
  writeFileSync(join(folder, 'parts', 'words.ts'), 'throw 1')
  expect((await loadPortals(folder)).map(({ id }) => id)).toEqual(['one'])
})

test('all problems are reported at once, by file', async () => {
  const folder = createFolder({
    'a-throws.ts': "export default () => { throw new Error('no luck') }",
    'b-throws-text.ts': "export default () => { throw 'bad luck' }",
    'c-no-function.ts': 'export default { id: "x" }',
    'd-no-default.ts': 'export const portal = 1',
    'e-nothing.ts': 'export default () => undefined',
    'f-syntax.ts': 'export default ( => 1',
    'g-import.ts': "import 'no-such-package-anywhere'",
    'h-wrong.ts': `${buildPortal('h').replace('id:', "currency: '€', id:")}`,
    'i-right.ts': buildPortal('i'),
  })
  const lines = (await getErrorMessage(folder)).split('\n')
  expect(lines[0]).toBe(`Some portal definitions in ${folder} can't be used:`)
  const loadProblems = (file: string) => lines.filter(line => line.startsWith(`  ${file}: `))
  const mustReturn = 'its default export must be a function that returns a portal definition'
  expect(loadProblems('a-throws.ts')).toEqual(['  a-throws.ts: no luck'])
  expect(loadProblems('b-throws-text.ts')).toEqual(['  b-throws-text.ts: bad luck'])
  expect(loadProblems('c-no-function.ts')).toEqual([`  c-no-function.ts: ${mustReturn}`])
  expect(loadProblems('d-no-default.ts')).toEqual([`  d-no-default.ts: ${mustReturn}`])
  expect(loadProblems('e-nothing.ts')).toEqual([
    '  e-nothing.ts: its function must return a portal definition',
  ])
  expect(loadProblems('f-syntax.ts')).toHaveLength(1)
  expect(loadProblems('g-import.ts')[0]).toContain('no-such-package-anywhere')
  expect(loadProblems('h-wrong.ts')).toEqual([
    '  h-wrong.ts: `currency` must be an ISO 4217 code, such as EUR',
  ])
  expect(loadProblems('i-right.ts')).toEqual([])
})

test('an id that another file or a built-in portal has is refused', async () => {
  const folder = createFolder({
    'a.ts': buildPortal('one'),
    'b.ts': buildPortal('one'),
    'c.ts': buildPortal('portal_a'),
  })
  expect(await getErrorMessage(folder, ['portal_a'])).toBe(
    `Some portal definitions in ${folder} can't be used:
  b.ts: \`id\` must be unique: a.ts already has the portal one
  c.ts: \`id\` must be unique: the product itself already has the portal portal_a`,
  )
})

test('an unreadable folder is reported', async () => {
  const file = join(createFolder({ 'a.ts': '' }), 'a.ts')
  expect(await getErrorMessage(file)).toContain(`The portal definitions in ${file} can't be read: ENOTDIR`)
})
