/** Long pages: a thread reads the same as the main thread, and a reader that never ends fails only its listing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { context } from '../../test/crawl.ts'
import { servePortals } from '../../test/portal.ts'
import { builtInPortals } from '../app.ts'
import { createThreadPool } from '../kit/thread-pool.ts'
import { loadPortals } from '../plugins/load-portals.ts'
import type { PortalDefinition } from '../plugins/portal.ts'
import { findModule } from '../plugins/portal-modules.ts'
import { crawlPages } from './crawl.ts'
import { CrawlFailure } from './failure.ts'
import { fetchListing } from './fetch-listing.ts'
import { createLongPage, isLongPage, type ReadingThreads, shortMaxBytes } from './long-page.ts'
import type { ThreadReply, ThreadTask } from './page-thread.ts'

const portalA = builtInPortals.find(({ id }) => id === 'portal_a')!
const filler = '<p>Piso luminoso con ascensor.</p>'.repeat(shortMaxBytes / 30)
const listingHtml = `<html><body><h1>Piso en venta en Gràcia</h1><div class="info-data"><span>374.000 €</span></div>
<ul class="details-property"><li>86 m² construidos</li><li>3 habitaciones</li></ul>${filler}</body></html>`
const search = `<h1 class="listing-title">1 anuncio</h1><article><a class="item-link" href="/inmueble/1/">Piso</a>
<span class="item-price">374.000 €</span></article>${filler}`
const { startAndOpen } = servePortals()

/** Opens a client of a portal that answers every request with `body`. */
async function serveBody(
  body: string | Buffer,
  definition: PortalDefinition = portalA,
  contentType = 'text/html',
) {
  const { client } = await startAndOpen(
    (_request, response) => response.setHeader('content-type', contentType).end(body),
    {
      definition,
    },
  )
  return client
}

const createCard = (listingId: string) => ({ listingId, path: `/inmueble/${listingId}/` })
const listingOptions = (definition: PortalDefinition, client: Awaited<ReturnType<typeof serveBody>>) => ({
  portal: { definition, baseUrl: '', credentials: null, isLocal: true },
  client,
  filters: {},
  includeDetails: true,
  updateExisting: true,
  incremental: false,
})

describe('a long page', () => {
  test('of a listing is read like a short one', async () => {
    const outcome = await fetchListing(
      createCard('1'),
      undefined,
      listingOptions(portalA, await serveBody(listingHtml)),
    )
    expect(outcome).toMatchObject({
      kind: 'listing',
      listing: { price: 374_000, squareMeters: 86, rooms: 3 },
    })
  })

  test('of a search is crawled like a short one', async () => {
    const { search: pages } = portalA
    if (pages.kind !== 'pages') throw new Error('Portal A is read by pages.')
    const filters = { operation: 'sale', location: { id: 'barcelona', label: 'Barcelona' } }
    const { chunks } = crawlPages(pages, { client: await serveBody(search), filters, context, cursor: null })
    const { value: chunk } = await chunks.next()
    expect(chunk).toMatchObject({ reportedTotal: 1, cards: [{ listingId: '1' }] })
  })
})

/** These portals are new: the lower limit of slow readers does not apply to them. */
describe('a page', () => {
  test.each<[string, string | Buffer, string, boolean]>([
    ['longer than the limit is long', Buffer.alloc(shortMaxBytes + 1, 'a'), 'text/html', true],
    ['as long as the limit is short', 'a'.repeat(shortMaxBytes), 'text/html', false],
    [
      'longer than the limit after unpacking is long',
      gzipSync(Buffer.alloc(shortMaxBytes + 1, 'a')),
      'application/gzip',
      true,
    ],
    [
      'as long as the limit after unpacking is short',
      gzipSync(Buffer.alloc(shortMaxBytes, 'a')),
      'application/gzip',
      false,
    ],
  ])('%s', async (_what, body, contentType, expected) => {
    const portal = await loadOwnPortal('')
    const reply = await (await serveBody(body, portal, contentType)).fetchPage({ path: '/' })
    expect(reply.kind === 'page' && isLongPage(reply.document)).toBe(expected)
  })
})

/** An operator's portal whose readers run `work` with the text of a listing. */
async function loadOwnPortal(work: string): Promise<PortalDefinition> {
  const folder = mkdtempSync(join(tmpdir(), 'aldaba-portals-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const example = fileURLToPath(new URL('../../docs/examples/portals/my-portal.ts', import.meta.url))
  writeFileSync(
    join(folder, 'own.ts'),
    `import example from ${JSON.stringify(example)}
export default kit => {
  const portal = example(kit)
  return { ...portal, id: 'own', details: { ...portal.details, read: page => { if (page.text.includes('HOSTILE')) { ${work} } return portal.details.read(page) } } }
}`,
  )
  return (await loadPortals(folder))[0]!
}

const createThreads = (taskMaxMs: number, memoryMaxMb: number): ReadingThreads =>
  createThreadPool<ThreadTask, ThreadReply>({
    name: 'pages',
    module: new URL('./page-thread.ts', import.meta.url),
    size: 2,
    taskMaxMs,
    memoryMaxMb,
    idleMs: 1000,
  })

describe("a page on which an operator's reader never ends", () => {
  test.each<[string, string, number]>([
    ['takes too long', 'for (;;);', 2000],
    [
      'needs too much memory',
      'for (const held = []; ; ) held.push(new Array(10_000).fill(held.length))',
      15_000,
    ],
  ])('because it %s fails its listing with LAYOUT_CHANGED', async (_what, work, taskMaxMs) => {
    const definition = await loadOwnPortal(work)
    const client = { tenantId: 'tenant', signal: new AbortController().signal }
    const portal = findModule(definition)!
    const body = Buffer.from(`HOSTILE${filler}`)
    const page = createLongPage(
      { portal, body, isShared: false, contentType: 'text/html', url: 'https://own.example/1' },
      client,
      createThreads(taskMaxMs, 64),
    )
    const outcome = await fetchListing(
      createCard('1'),
      undefined,
      listingOptions(definition, {
        fetchPage: async () => ({
          kind: 'page',
          document: page,
          validators: { etag: null, lastModified: null },
        }),
      } as never),
    )
    expect(outcome).toMatchObject({ kind: 'failed', failure: expect.any(CrawlFailure) })
    const message = expect.stringContaining("The page can't be read: it takes")
    expect(outcome).toMatchObject({ failure: { code: 'LAYOUT_CHANGED', message } })
  })
})
