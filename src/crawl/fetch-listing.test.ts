/** The outcome of a listing for every reply to its page. */
import { describe, expect, test } from 'vitest'
import { makeListing } from '../../test/make.ts'
import { RequeueJob } from '../kit/jobs/job.ts'
import type { DetailReader, FactsCard, PortalRequest } from '../plugins/portal.ts'
import { CrawlFailure } from './failure.ts'
import {
  computeCardHash,
  fetchListing,
  isUpToDate,
  type KnownListing,
  type ListingOptions,
} from './fetch-listing.ts'
import type { PageReply, PortalClient, Validators } from './portal-client.ts'
import type { ResolvedPortal } from './resolved-portal.ts'

const card: FactsCard = {
  listingId: '7',
  path: '/7',
  listing: makeListing({ price: 100_000 }),
  provenance: {},
}
const validators: Validators = { etag: '"7"', lastModified: 'Sun, 01 Nov 2026 00:00:00 GMT' }
const noValidators: Validators = { etag: null, lastModified: null }
const known: KnownListing = { cardHash: computeCardHash(card), isRead: true, validators }

const page = (reading: object | string): PageReply => ({
  kind: 'page',
  validators,
  document: { text: JSON.stringify(reading), url: 'https://portal.example/7' },
})
const listingPage = page({ kind: 'listing', listing: makeListing({ price: 90_000 }), provenance: {} })
const failure = (code: CrawlFailure['code']) => new CrawlFailure(code, 'x')

/** The text of a listing's page is its reading. */
const details: DetailReader = { read: ({ text }) => JSON.parse(text) }
const withPhone: DetailReader = {
  ...details,
  followUp: {
    request: (_page, { listing }) =>
      listing.contact.phone === null ? null : { path: '/phone/7', form: { id: '7' } },
    read: ({ text }, found) => ({
      ...found,
      listing: { ...found.listing, contact: { ...found.listing.contact, phone: JSON.parse(text) } },
    }),
  },
}

function createPortal(
  answers: Record<string, PageReply | Error>,
  overrides: Partial<ListingOptions> & { details?: DetailReader | null } = {},
) {
  const requests: [PortalRequest, Validators | undefined][] = []
  const client = {
    async fetchPage(request, known) {
      requests.push([request, known])
      const reply = answers[request.path]!
      if (reply instanceof Error) throw reply
      return reply
    },
  } as Partial<PortalClient> as PortalClient
  const { details: reader = details, ...rest } = overrides
  const options: ListingOptions = {
    portal: { definition: { details: reader } } as ResolvedPortal,
    client,
    filters: {},
    includeDetails: true,
    updateExisting: true,
    incremental: false,
    ...rest,
  }
  return {
    requests,
    options,
    read: (stored: KnownListing | undefined = undefined, ownCard = card) =>
      fetchListing(ownCard, stored, options),
  }
}

describe("a listing's page", () => {
  test.each<[string, PageReply | Error, object]>([
    ['that describes it', listingPage, { kind: 'listing', listing: { price: 90_000 } }],
    ['that has not changed', { kind: 'unchanged' }, { kind: 'unchanged' }],
    ['that does not exist', { kind: 'gone' }, { kind: 'skipped', reason: 'gone' }],
    ['that says the listing is withdrawn', page({ kind: 'gone' }), { kind: 'skipped', reason: 'gone' }],
    [
      'that robots.txt does not allow',
      { kind: 'disallowed' },
      { kind: 'skipped', reason: 'robotsDisallowed' },
    ],
    ['that redirects', { kind: 'moved', to: '/' }, { kind: 'failed', failure: { code: 'BLOCKED' } }],
    [
      'in another layout',
      page({ kind: 'unreadable', reason: 'layout', detail: 'no price' }),
      { kind: 'failed', failure: { code: 'LAYOUT_CHANGED', message: expect.stringContaining('no price') } },
    ],
    ['that times out', failure('TIMEOUT'), { kind: 'failed', failure: { code: 'TIMEOUT' } }],
    [
      'that is unavailable',
      failure('PORTAL_UNAVAILABLE'),
      { kind: 'failed', failure: { code: 'PORTAL_UNAVAILABLE' } },
    ],
  ])('%s', async (_what, reply, outcome) => {
    expect(await createPortal({ '/7': reply }).read()).toMatchObject({ listingId: '7', ...outcome })
  })

  test.each<[string, PageReply | Error, object]>([
    ['a robot check', page({ kind: 'unreadable', reason: 'challenge', detail: 'x' }), { code: 'BLOCKED' }],
    ['a login', page({ kind: 'unreadable', reason: 'login', detail: 'x' }), { code: 'BLOCKED' }],
    ['a refusal', failure('BLOCKED'), { code: 'BLOCKED' }],
    ['a refusal of our credentials', failure('CREDENTIALS_INVALID'), { code: 'CREDENTIALS_INVALID' }],
  ])(
    'replaced by %s ends the run, since every further listing would fail too',
    async (_what, reply, thrown) => {
      await expect(createPortal({ '/7': reply }).read()).rejects.toMatchObject(thrown)
    },
  )

  test.each([new RequeueJob(), new TypeError('a bug')])('rethrows %s', async error => {
    await expect(createPortal({ '/7': error }).read()).rejects.toBe(error)
  })

  test("is requested at the card's path", async () => {
    const elsewhere: DetailReader = {
      ...details,
      request: ({ listingId }) => ({ path: `/api/${listingId}`, accept: 'application/json' }),
    }
    const { requests, read } = createPortal({ '/api/7': listingPage }, { details: elsewhere })
    expect(await read()).toMatchObject({ kind: 'listing', sourceState: { path: '/7' } })
    expect(requests).toEqual([[{ path: '/api/7', accept: 'application/json' }, undefined]])
  })

  test('has a source state: its path, the hash of its card, and its validators', async () => {
    expect(await createPortal({ '/7': listingPage }).read()).toMatchObject({
      sourceState: { path: '/7', cardHash: computeCardHash(card), ...validators, isRead: true },
    })
  })

  test('is requested conditionally if its validators are known', async () => {
    const { requests, read } = createPortal({ '/7': { kind: 'unchanged' } })
    expect(await read({ cardHash: 'another', isRead: true, validators })).toMatchObject({
      sourceState: { path: '/7', cardHash: computeCardHash(card), isRead: false },
    })
    expect(requests).toEqual([[{ path: '/7' }, validators]])
  })

  test('is requested unconditionally if no validators are stored', async () => {
    const { requests, read } = createPortal({ '/7': listingPage })
    await read({ cardHash: null, isRead: true, validators: null })
    expect(requests).toEqual([[{ path: '/7' }, undefined]])
  })
})

describe('a listing without a detail page to read', () => {
  test.each([{ details: null }, { includeDetails: false }])('is not requested (%o)', async overrides => {
    const { requests, read } = createPortal({}, overrides)
    expect(await read()).toEqual({
      kind: 'listing',
      listingId: '7',
      listing: card.listing,
      sourceState: { path: '/7', cardHash: computeCardHash(card), ...noValidators, isRead: false },
    })
    expect(requests).toEqual([])
  })

  test('fails if its card has no facts', async () => {
    const { read } = createPortal({}, { details: null })
    expect(await read(undefined, { listingId: '7', path: '/7' } as FactsCard)).toMatchObject({
      kind: 'failed',
      failure: { code: 'LAYOUT_CHANGED' },
    })
  })
})

describe('a listing that does not match the filters', () => {
  const filters = { maxPrice: 95_000 }
  const skipped = { kind: 'skipped', listingId: '7', reason: 'outsideFilters' }

  test('is skipped by its card if there is no page', async () => {
    expect(await createPortal({}, { filters, details: null }).read()).toEqual(skipped)
  })

  test('is filtered by its page rather than by its card', async () => {
    expect(await createPortal({ '/7': listingPage }, { filters }).read()).toMatchObject({ kind: 'listing' })
    expect(await createPortal({ '/7': listingPage }, { filters: { maxPrice: 80_000 } }).read()).toEqual(
      skipped,
    )
  })
})

describe('a second request', () => {
  test('adds its data to the listing', async () => {
    const { requests, read } = createPortal(
      { '/7': listingPage, '/phone/7': page('+34611111111') },
      { details: withPhone },
    )
    expect(await read()).toMatchObject({
      kind: 'listing',
      listing: { price: 90_000, contact: { phone: '+34611111111' } },
      sourceState: { cardHash: computeCardHash(card), ...validators },
    })
    expect(requests[1]).toEqual([{ path: '/phone/7', form: { id: '7' } }, undefined])
  })

  test.each<[string, PageReply | Error]>([
    ['refused', failure('BLOCKED')],
    ['not answered', failure('TIMEOUT')],
  ])('that is %s leaves the listing unchanged, and is repeated in the next run', async (_how, reply) => {
    const { requests, options, read } = createPortal(
      { '/7': listingPage, '/phone/7': reply },
      { details: withPhone, incremental: true },
    )
    const outcome = await read()
    expect(outcome).toMatchObject({ kind: 'listing', listing: { contact: { phone: '+34612345678' } } })
    const { sourceState } = outcome as Extract<typeof outcome, { kind: 'listing' }>
    expect(sourceState).toEqual({ path: '/7', cardHash: null, ...noValidators, isRead: true })

    const { cardHash, etag, lastModified } = sourceState!
    const next: KnownListing = { cardHash, isRead: true, validators: { etag, lastModified } }
    expect(isUpToDate(card, next, options)).toBe(false)
    await read(next)
    expect(requests.slice(2)).toEqual([
      [{ path: '/7' }, noValidators],
      [{ path: '/phone/7', form: { id: '7' } }, undefined],
    ])
  })

  test.each<[string, PageReply]>([
    ['not allowed by robots.txt', { kind: 'disallowed' }],
    ['answered with 404', { kind: 'gone' }],
    ['redirected', { kind: 'moved', to: '/login' }],
  ])('that is %s adds nothing, and is not repeated', async (_how, reply) => {
    const { options, read } = createPortal(
      { '/7': listingPage, '/phone/7': reply },
      { details: withPhone, incremental: true },
    )
    const outcome = await read()
    expect(outcome).toMatchObject({
      kind: 'listing',
      listing: { contact: { phone: '+34612345678' } },
      sourceState: { cardHash: computeCardHash(card), ...validators },
    })
    expect(isUpToDate(card, known, options)).toBe(true)
  })

  test('is not made if the reading needs none', async () => {
    const withoutPhone = makeListing({ contact: { ...makeListing().contact, phone: null } })
    const { requests, read } = createPortal(
      { '/7': page({ kind: 'listing', listing: withoutPhone, provenance: {} }) },
      { details: withPhone },
    )
    expect(await read()).toMatchObject({ kind: 'listing' })
    expect(requests).toHaveLength(1)
  })

  test('ends when the process stops', async () => {
    const { read } = createPortal({ '/7': listingPage, '/phone/7': new RequeueJob() }, { details: withPhone })
    await expect(read()).rejects.toBeInstanceOf(RequeueJob)
  })
})

describe('a known listing', () => {
  const changed = { ...card, listing: makeListing({ price: 99_000 }) }
  const { images: _images, ...facts } = card.listing
  const pictured = { ...card, listing: { ...facts, images: ['https://portal.example/new.jpg?signature=2'] } }
  const bare = { listingId: '7', path: '/7' } as FactsCard
  const unread = { ...known, isRead: false }
  const again = { incremental: true }

  test.each<[boolean, string, FactsCard, KnownListing | undefined, Partial<ListingOptions>]>([
    [false, 'unknown', card, undefined, { incremental: true, updateExisting: false }],
    [true, 'known, and updateExisting is false', changed, known, { updateExisting: false }],
    [false, 'known, in a run that is not incremental', card, known, {}],
    [true, 'known, and its card is unchanged', card, known, again],
    [false, 'known only from its card', card, unread, again],
    [true, 'known only from its card, without details', card, unread, { ...again, includeDetails: false }],
    [true, 'known, and its card only has other pictures', pictured, known, again],
    [false, 'known, and its card has changed', changed, known, again],
    [false, 'changed according to its card', { ...card, changedAt: '2026-11-01T00:00:00Z' }, known, again],
    [false, 'known, but the hash of its card is not', card, { ...known, cardHash: null }, again],
    [false, 'known, but its card has no facts', bare, { ...known, cardHash: computeCardHash(bare) }, again],
  ])('is up to date (%s) when it is %s', async (expected, _when, ownCard, stored, overrides) => {
    const { requests, options, read } = createPortal({ '/7': listingPage }, overrides)
    expect(isUpToDate(ownCard, stored, options)).toBe(expected)
    const outcome = await read(stored, ownCard)
    expect(requests).toHaveLength(expected ? 0 : 1)
    if (expected) expect(outcome).toEqual({ kind: 'unchanged', listingId: '7', sourceState: null })
    else expect(outcome.kind).toBe('listing')
  })

  test('is compared by `changedAt` if the card has no facts', () => {
    const hash = (changedAt: string) => computeCardHash({ listingId: '7', path: '/7', changedAt })
    expect(hash('2026-11-01')).toBe(hash('2026-11-01'))
    expect(hash('2026-11-01')).not.toBe(hash('2026-11-02'))
    expect(computeCardHash(bare)).toBeNull()
  })
})
