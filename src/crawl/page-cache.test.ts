/** Which pages are cached, for how long, and how many. */
import { describe, expect, test } from 'vitest'
import { createPageCache } from './page-cache.ts'

const hourMs = 3_600_000
const createReply = (cacheControl: string, headers: Record<string, string> = {}, status = 200) => ({
  status,
  headers: { 'cache-control': cacheControl, ...headers },
  body: Buffer.from('a page'),
})

/** The last millisecond at which a reply stored at 0 is found, or null. */
function lastFoundMs(reply: ReturnType<typeof createReply>): number | null {
  const cache = createPageCache()
  cache.store('/', reply, 0)
  for (const ms of [hourMs - 1, 59_999, 49_999]) if (cache.find('/', ms)) return ms
  return null
}

describe('a page', () => {
  test.each([
    [createReply('max-age=60'), 59_999],
    [createReply('public, Max-Age=60'), 59_999],
    [createReply('max-age=60', { age: '10' }), 49_999],
    [createReply('max-age=31536000, immutable'), hourMs - 1],
    [createReply('max-age=60', { vary: 'Accept-Encoding' }), 59_999],
  ])('that may be cached is returned while it is fresh: %j', (reply, ms) => {
    expect(lastFoundMs(reply)).toBe(ms)
  })

  test.each([
    createReply(''),
    createReply('max-age=0'),
    createReply('s-maxage=60'),
    createReply('max-age=60, private'),
    createReply('no-store, max-age=60'),
    createReply('no-cache, max-age=60'),
    createReply('max-age=60', { vary: '*' }),
    createReply('max-age=60', { age: '60' }),
    createReply('max-age=60', {}, 404),
    { ...createReply('max-age=60'), body: Buffer.alloc(512 * 1024 + 1) },
  ])('that may not be cached or is too large is not returned: %#', reply => {
    expect(lastFoundMs(reply)).toBeNull()
  })

  test('that is stored again replaces the previous one', () => {
    const cache = createPageCache()
    cache.store('/', createReply('max-age=60'), 0)
    cache.store('/', createReply('no-store'), 1)
    expect(cache.find('/', 2)).toBeNull()
  })

  test('is evicted after a hundred others were stored', () => {
    const cache = createPageCache()
    for (let at = 0; at <= 100; at++) cache.store(`/${at}`, createReply('max-age=60'), 0)
    expect([cache.find('/0', 1), cache.find('/1', 1) === null, cache.find('/100', 1) === null]).toEqual([
      null,
      false,
      false,
    ])
  })
})
