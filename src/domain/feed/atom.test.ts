/** Pages of Atom feeds with every text type of the standard, and documents that are not feeds. */
import { describe, expect, test } from 'vitest'
import { parseAtomPage } from './atom.ts'

const urlOfPage = 'https://portal.example/alertas.atom?pag=2'

const feed = (inner: string) =>
  `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://a9.com/-/spec/opensearch/1.1/" xmlns:g="http://www.georss.org/georss">${inner}</feed>\n`
const entry = (inner: string) => parseAtomPage(feed(`<entry>${inner}</entry>`), urlOfPage)!.entries[0]!

test('a page has a total, a next page and entries', () => {
  const page = parseAtomPage(
    feed(
      '<title>T</title><link rel="self" href="?pag=2"/><link rel="next" href="?pag=3&amp;a=1"/><o:totalResults>120</o:totalResults><entry><id>1</id></entry><entry><id>2</id></entry>',
    ),
    urlOfPage,
  )
  expect(page).toMatchObject({
    total: 120,
    next: 'https://portal.example/alertas.atom?pag=3&a=1',
    entries: [{ id: '1' }, { id: '2' }],
  })
  expect(parseAtomPage(feed(''), urlOfPage)).toEqual({ total: null, next: null, entries: [] })
})

describe('an entry', () => {
  test('has a URL, times in UTC, coordinates, categories and images', () => {
    expect(
      entry(`<id>tag:x,2026:1</id><title type="html">Piso &amp;amp; más</title>
<link href="/anuncio/1"/><link rel="enclosure" type="image/png" href="/1.png"/><link rel="enclosure" type="audio/mpeg" href="/1.mp3"/>
<published>2026-10-20T04:47:00+02:00</published><updated>2026-10-21T00:00:00Z</updated><author><name>Ana</name></author>
<category scheme="https://x.example/tipo" term="piso"/><g:point>40.4168 -3.7038</g:point>`),
    ).toEqual({
      id: 'tag:x,2026:1',
      title: 'Piso & más',
      page: 'https://portal.example/anuncio/1',
      images: ['https://portal.example/1.png'],
      text: '',
      author: 'Ana',
      publishedAt: '2026-10-20T02:47:00.000Z',
      updatedAt: '2026-10-21T00:00:00.000Z',
      point: { latitude: 40.4168, longitude: -3.7038 },
      categories: [{ scheme: 'https://x.example/tipo', term: 'piso' }],
    })
  })

  test('has its text as HTML, XHTML or plain text', () => {
    expect(entry('<summary type="html">&lt;p&gt;1 &amp;euro;&lt;/p&gt;</summary>').text).toBe(
      '<p>1 &euro;</p>',
    )
    expect(entry('<summary><![CDATA[<p>1</p>]]></summary>').text).toBe('<p>1</p>')
    expect(entry('<content type="xhtml"><div><p>1</p></div></content>').text).toBe('<div><p>1</p></div>')
  })

  test('without content has empty values', () => {
    expect(entry('<g:point>0 0</g:point><link rel="next" href="/x"/>')).toMatchObject({
      id: '',
      page: null,
      point: null,
    })
  })
})

test.each([
  '',
  '<html><body>No soy un robot</body></html>',
  '<rss><channel/></rss>',
  feed('<entry/>').slice(0, -8),
  'x',
])('an incomplete or other document gives null: %j', text => {
  expect(parseAtomPage(text, urlOfPage)).toBeNull()
})
