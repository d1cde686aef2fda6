/** Sitemaps in all forms that occur on sites. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readShared } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import { parseSitemap } from './sitemap.ts'

test('an index, also without the loc element', () => {
  const xml = `<sitemapindex xmlns="https://other.example/ns"><sitemap><loc> https://a.example/1.xml </loc>
<lastmod>2026-10-31</lastmod></sitemap><sitemap> https://a.example/2.xml?a=1&amp;b=2 </sitemap></sitemapindex>`
  expect(parseSitemap(xml)).toEqual({
    kind: 'index',
    entries: [
      { url: 'https://a.example/1.xml', changedAt: '2026-10-31T00:00:00.000Z' },
      { url: 'https://a.example/2.xml?a=1&b=2', changedAt: null },
    ],
    unreadableCount: 0,
  })
})

describeShared('sitemaps of other crawlers', () => {
  test('an index without loc elements', () => {
    const index = parseSitemap(readShared('fixtures/robots/cc-sitemap.index.xml'))
    expect(index).toMatchObject({ kind: 'index', unreadableCount: 0 })
    expect(index?.entries).toHaveLength(15)
    expect(index?.entries[0]).toEqual({
      url: 'https://example.com/sitemap.jss?portalCode=10260&lang=en',
      changedAt: null,
    })
  })

  test('another namespace, and white space around URLs', () => {
    const sitemap = parseSitemap(readShared('fixtures/robots/cc-sitemap.badns.xml'))
    expect(sitemap?.entries.map(entry => entry.url)).toEqual([
      'http://www.example.com/1',
      'http://www.example.com/2',
    ])
  })
})

test('prefixes, CDATA, references, images, comments and time zones', () => {
  const xml = `<?xml version="1.0"?><sm:urlset xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="x">
<!-- <sm:url><sm:loc>https://a.example/no</sm:loc></sm:url> -->
<sm:url><image:image><image:loc>https://a.example/1.jpg</image:loc></image:image><sm:loc><![CDATA[https://a.example/1?a=1&b=2]]></sm:loc><sm:lastmod>2026-10-31T10:00:00+01:00</sm:lastmod></sm:url>
<sm:url><sm:loc>https://a.example/2?a=1&amp;b=2</sm:loc><sm:lastmod>2026-10-31</sm:lastmod></sm:url>
<sm:url><sm:loc>https://a.example/3</sm:loc><sm:lastmod>yesterday</sm:lastmod></sm:url>
<sm:url><image:loc>https://a.example/4.jpg</image:loc></sm:url></sm:urlset>`
  expect(parseSitemap(xml)).toEqual({
    kind: 'urls',
    entries: [
      { url: 'https://a.example/1?a=1&b=2', changedAt: '2026-10-31T09:00:00.000Z' },
      { url: 'https://a.example/2?a=1&b=2', changedAt: '2026-10-31T00:00:00.000Z' },
      { url: 'https://a.example/3', changedAt: null },
    ],
    unreadableCount: 1,
  })
})

test.each([
  ['a page', '<!doctype html><html><body>Verifica</body></html>'],
  ['nothing', ''],
  ['a truncated sitemap', '<urlset><url><loc>https://a.example/1</loc></url>'],
])('%s is not a sitemap', (_what, text) => {
  expect(parseSitemap(text)).toBeNull()
})

test('an empty sitemap has no entries', () => {
  expect(parseSitemap('<urlset></urlset>')).toEqual({ kind: 'urls', entries: [], unreadableCount: 0 })
})

test('any text is parsed without failing or stalling', () => {
  const chunk = fc.constantFrom(
    '<urlset>',
    '</urlset>',
    '<url>',
    '</url>',
    '<loc>',
    '</loc>',
    '<!--',
    '-->',
    'https://a.example/',
    '<',
  )
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 40 }), chunks => {
      parseSitemap(chunks.join(''))
    }),
  )
  const started = performance.now()
  for (const part of ['<url>', '<!--', '<url', '<url><loc>x</loc></url>'])
    parseSitemap(`<urlset>${part.repeat(50_000)}</urlset>`)
  expect(performance.now() - started).toBeLessThan(3000)
})
