/** Cursors: the list, tenant and filters that they are bound to, and damaged ones. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyCharacter } from '../../test/characters.ts'
import { startTestApp, type TestApp } from '../../test/harness.ts'
import { makeKey, makeLeads, makeWorkspace } from '../../test/make.ts'
import { createPager, slicePage } from './page.ts'

const position = ['01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f', '300000']
const query = { limit: 1, sort: 'price', q: 'a' }
const invalidCursor = expect.objectContaining({ code: 'INVALID_CURSOR', status: 400 })

const makeCursor = (last: string[]): string =>
  JSON.parse(createPager('leads', 'tenant', query).reply({ json: '[]', last }).json).nextCursor

const readCursor = (cursor: string) => createPager('leads', 'tenant', { ...query, cursor }).after

describe('a page', () => {
  it('starts at the beginning without a cursor', () => {
    expect(createPager('leads', 'tenant', query).after).toBeNull()
  })

  it('passes its rows on unchanged, with a cursor if more follow', () => {
    const pager = createPager('leads', 'tenant', query)
    expect(pager.reply({ json: '[{"n":1.50}]', last: null }).json).toBe(
      '{"data":[{"n":1.50}],"nextCursor":null}',
    )
    expect(JSON.parse(pager.reply({ json: '[1]', last: position }).json)).toEqual({
      data: [1],
      nextCursor: expect.any(String),
    })
  })
})

describe('a cursor', () => {
  it('decodes to the position of the last row shown', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter }), { minLength: 1 }), last => {
        expect(readCursor(makeCursor(last))).toEqual(last)
      }),
    )
  })

  it('needs no escaping in a URL', () => {
    expect(makeCursor(['ñ?&=/+ '])).toMatch(/^[\w-]+$/)
  })

  it.each([
    ['a list of another kind', 'webhooks', 'tenant', query],
    ['another tenant', 'leads', 'other', query],
    ['another value of a filter', 'leads', 'tenant', { ...query, q: 'b' }],
    ['another order', 'leads', 'tenant', { ...query, sort: '-price' }],
    ['fewer filters', 'leads', 'tenant', { limit: 1, sort: 'price' }],
    ['more filters', 'leads', 'tenant', { ...query, status: 'new' }],
  ])('is invalid for %s', (_what, name, tenant, requestedPage) => {
    expect(() => createPager(name, tenant, { ...requestedPage, cursor: makeCursor(position) })).toThrow(
      invalidCursor,
    )
  })

  it('stays valid with another limit or another order of the filters', () => {
    const requestedPage = { q: 'a', limit: 7, cursor: makeCursor(position), sort: 'price' }
    expect(createPager('leads', 'tenant', requestedPage).after).toEqual(position)
  })

  it('is invalid with any one character changed or left out', () => {
    const cursor = makeCursor(position)
    const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(...alphabet), (number, character) => {
        const index = number % cursor.length
        const before = cursor.slice(0, index)
        const after = cursor.slice(index + 1)
        expect(() => readCursor(before + after)).toThrow(invalidCursor)
        fc.pre(cursor[index] !== character)
        expect(() => readCursor(before + character + after)).toThrow(invalidCursor)
      }),
      { numRuns: 1000 },
    )
  })

  it.each(['', 'x', 'bnVsbA', 'NQ', 'W10', 'e30', 'Ingi'])('is invalid if no list made it: %j', text => {
    expect(() => readCursor(text)).toThrow(invalidCursor)
  })
})

describe('a list in memory', () => {
  const page = (items: string[], cursor?: string) => {
    const pager = createPager('letters', 'tenant', { limit: 2, cursor })
    const { page, last } = slicePage(items, pager, 2, item => item)
    return JSON.parse(pager.reply({ json: JSON.stringify(page), last }).json)
  }

  it('continues after the last item shown, even if items before it were added or removed', () => {
    const { data, nextCursor } = page(['a', 'b', 'c', 'd', 'e'])
    expect(data).toEqual(['a', 'b'])
    expect(page(['b', 'c', 'd'], nextCursor)).toEqual({ data: ['c', 'd'], nextCursor: null })
    expect(page(['0', 'a', 'b'], nextCursor)).toEqual({ data: [], nextCursor: null })
  })

  it('rejects a cursor whose item is gone, and does not start over', () => {
    const { nextCursor } = page(['a', 'b', 'c'])
    expect(() => page(['a', 'c'], nextCursor)).toThrow(invalidCursor)
  })
})

describe('a cursor over HTTP', () => {
  let app: TestApp
  let cursor: string
  beforeAll(async () => {
    app = await startTestApp({ env: { ROLE: 'api' } })
    await makeLeads(app.database, app.workspace.testTenantId, [{}, {}, {}])
    const { body } = await app.call<{ nextCursor: string }>('GET', '/leads?limit=1&q=Mallorca')
    cursor = body.nextCursor
  })
  afterAll(() => app.stop())

  const get = (path: string, key?: string) => app.call('GET', path, key ? { key } : {})

  it('continues under the filters it was made with', async () => {
    expect(await get(`/leads?limit=2&q=Mallorca&cursor=${cursor}`)).toMatchObject({
      status: 200,
      body: { nextCursor: null },
    })
  })

  it.each([
    ['another filter', (cursor: string) => `/leads?q=Valencia&cursor=${cursor}`],
    ['no filter', (cursor: string) => `/leads?cursor=${cursor}`],
    ['another order', (cursor: string) => `/leads?q=Mallorca&sort=price&cursor=${cursor}`],
    ['another list', (cursor: string) => `/webhooks?cursor=${cursor}`],
    ['damage', (cursor: string) => `/leads?q=Mallorca&cursor=${cursor.slice(0, -2)}`],
    ['nonsense', () => '/leads?cursor=nonsense'],
  ])('is invalid for %s', async (_what, path) => {
    expect(await get(path(cursor))).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CURSOR', errors: [{ path: '/cursor' }] },
    })
  })

  it('is invalid for another workspace and for the other environment', async () => {
    const { slug } = await makeWorkspace(app.database)
    const foreignKey = await makeKey(app.database, { workspace: slug })
    for (const key of [foreignKey, app.workspace.liveKey]) {
      expect(await get(`/leads?q=Mallorca&cursor=${cursor}`, key)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_CURSOR' },
      })
    }
  })
})
