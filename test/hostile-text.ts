/** Every parser of external text, and the pieces of text that may make it slow. */
import { builtInPortals } from '../src/app.ts'
import { parseLogo } from '../src/documents/logo.ts'
import { parseEmail } from '../src/domain/contact/email.ts'
import { parseAtomPage } from '../src/domain/feed/atom.ts'
import { parseKyeroProperty } from '../src/domain/feed/kyero.ts'
import { splitXmlItems } from '../src/domain/feed/xml-items.ts'
import { detectObstacle } from '../src/domain/listing/challenge.ts'
import { parseLiteral } from '../src/domain/listing/js-literal.ts'
import { findListingNodes, parseJsonLdBlocks } from '../src/domain/listing/json-ld.ts'
import { parseMicrodata } from '../src/domain/listing/microdata.ts'
import { parseMetaTags } from '../src/domain/listing/opengraph.ts'
import { parseListing } from '../src/domain/listing/parse-listing.ts'
import { readListing } from '../src/domain/listing/reader/read-listing.ts'
import { parseSitemap } from '../src/domain/listing/sitemap.ts'
import { parseFlightRows, parseState } from '../src/domain/listing/state.ts'
import { toMultilineText } from '../src/domain/listing/values.ts'
import { parseDetailLines, parseTitleWords } from '../src/domain/listing/vocabulary.ts'
import { getCrawlDelaySeconds, isAllowed, parseRobots } from '../src/domain/robots/robots.ts'
import { parseRows } from '../src/features/imports/parse-rows.ts'
import type { ClaimedImport } from '../src/features/imports/run-queries.ts'
import { parseExclusions } from '../src/features/privacy/parse-exclusions.ts'
import type { PortalDefinition, SearchContext } from '../src/plugins/portal.ts'

/** Parsers of streamed files return a promise. */
export type Read = (text: string) => unknown

/** Pieces that are repeated to make a page, a document or a file. */
const symbols = [
  ...'<>"\'= \n\t,;:{}[]()\\/*&.$1aé€-',
  '</',
  '/>',
  '//',
  '/*',
  '*/',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?',
]
const html = [
  '<div>',
  '</div>',
  '<div ',
  '<div class="anuncio">',
  ' class="x"',
  '<span itemprop="a">',
  '<p itemprop=a>',
  '<div itemscope itemprop=a>',
  ' itemprop=a',
  'itemscope',
  '<br ',
  '<li>',
  '<ul class="details-property">',
  '<a href="/inmueble/1/" class="item-link">',
  ' rel=next',
  '<article>item-link',
  '<script type="application/ld+json">',
  '</script>',
  'application/ld',
  '<title>',
  '<meta',
  '<meta property="og:title" content="x">',
  '<input type=',
  '&amp;',
  'id="lnkMoreBuildings"',
  'imageDataService:"',
]
const scriptPieces = [
  '__X = {',
  '__X = [',
  '{a:',
  '{"a":',
  'JSON.parse(',
  '[a',
  'a,',
  '"@id":"a",',
  '{"offers":',
  'a:T1,',
  '0:{}\n',
]
const xmlPieces = [
  '<urlset>',
  '<url>',
  '</url>',
  '<url><loc>',
  '<entry>',
  '<link ',
  '<property>',
  '</property>',
  '<property ',
  '<feature>',
]
const robots = ['user-agent: a\n', 'user-agent: *\n', 'disallow: /a*b\n', '*a', 'crawl-delay: 1\n', '%61']
const words = ['no ', 'sin ', 'parking ', '1 ', '1.', '2 baños, ', '€ ', ' m² ', 'habitaciones ', 'a@', ')']
const table = [
  '""',
  '";"',
  '"\n',
  '\n"',
  '\r\n',
  '\r',
  ';\n',
  '\\"',
  '\\;',
  "''",
  '|',
  'a;',
  '612345678',
  'a@b.es',
  '=1+1',
  "'=",
]
const lines = ['{"a":', '[{', '{}\n', '"a":1,', '\\u0000', '{"a":1}\n']
export const ends = ['', '>', '"', ']', '}', '"}', '</script>', '</feed>', '</urlset>', '\n]]>']

const pageUrl = 'https://portal.example/venta/viviendas/x/?page=2'

export interface Reader {
  read: Read
  pieces: readonly string[]
  /** Texts after which the parser reads the pieces. */
  beginnings: readonly string[]
  /** Length of the shorter text in characters; default 32 Ki, less for parsers of rows. */
  firstLength?: number
}

const rowsLength = 8 * 1024

const pageReader = (read: Read, ...beginnings: string[]): Reader => ({
  read,
  pieces: [...symbols, ...html, ...scriptPieces],
  beginnings: ['', ...beginnings],
})
const textReader = (read: Read): Reader => ({ read, pieces: [...symbols, ...words], beginnings: [''] })
const xmlReader = (read: Read, ...beginnings: string[]): Reader => ({
  read,
  pieces: [...symbols, ...xmlPieces],
  beginnings: ['', ...beginnings],
})

const portalBeginnings: Record<string, [search: string[], details: string[]]> = {
  portal_a: [
    ['<h1 class="listing-title">', '<a ', '<article>item-link<a class="item-link" href="/inmueble/1/">'],
    ['<ul class="details-property"><li>', '<ul class="details-property"><li>a</li></ul>'],
  ],
  portal_b: [['__INITIAL_PROPS__ = {'], ['__NEXT_DATA__ = {', '<script>utag_data = {ad_id:1}</script>']],
  portal_d: [
    ['<div class="anuncio"><a href="/anuncio/x-ID1.htm">'],
    ['<div class="ficha">', '<div class="ficha">abreMapa(\'1'],
  ],
  portal_e: [['<root><property><id>1</id>', '<root>'], []],
  portal_f: [
    ['<urlset>', '<sitemapindex>'],
    ['<dl class="im-features__list">', '<div itemscope>'],
  ],
  portal_h: [['<feed><entry><link href="/anuncio/AL1"/><summary>'], ['<dl class="ficha-datos"><dt>']],
}

const claimed = {
  kind: 'csv',
  hasHeader: true,
  headings: ['Nombre', 'Teléfono', 'Email', 'Notas'],
  position: 0,
  country: 'ES',
  currency: 'EUR',
  keepUnknown: true,
  attestation: null,
}
const fields = { Nombre: 'contact.name', Teléfono: 'contact.phone', Email: 'contact.email', Notas: 'note' }
const rowsReader = (more: object, pieces: readonly string[], ...beginnings: string[]): Reader => ({
  read: text => {
    const copy = { ...claimed, mapping: { ...fields }, guessedMapping: { ...fields }, ...more }
    const begin = { claimed: copy as unknown as ClaimedImport, now: new Date() }
    return Array.fromAsync(parseRows(begin, toBytes(text)))
  },
  pieces,
  beginnings: ['', ...beginnings],
  firstLength: rowsLength,
})

async function* toBytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

const ld = '<script type="application/ld+json">'
export const readers: Record<string, Reader> = {
  'a detail page': pageReader(
    html => parseListing({ html, url: pageUrl, country: 'ES', currency: 'EUR' }),
    `${ld}{"@type":"Product","name":"`,
    '<div itemscope>',
  ),
  // Half of the usual length: this reader is a dozen readers.
  'a page of any site': {
    ...pageReader(
      html => readListing({ html, url: pageUrl, country: null, currency: null }),
      '<dl><dt>Price<dd>',
      '<script type="application/json">{"price":1,"a":[',
      '<script>a=',
    ),
    firstLength: 16 * 1024,
  },
  'JSON-LD': pageReader(html => findListingNodes(parseJsonLdBlocks(html), pageUrl), ld, `${ld}[{"a":1},`),
  microdata: pageReader(parseMicrodata, '<div itemscope>', '<div itemscope '),
  'meta tags': pageReader(parseMetaTags, '<meta property="og:x" '),
  'a state': pageReader(html => parseState(html, '__X'), '__X = {', '<script id="__X">'),
  'streamed rows': pageReader(parseFlightRows, '__next_f.push([1,"'),
  'a literal': pageReader(text => parseLiteral(text, 0), '{', '[', '(', 'JSON.parse("'),
  'an obstacle': pageReader(detectObstacle),
  'a sitemap': xmlReader(parseSitemap, '<urlset>'),
  'an Atom feed': xmlReader(text => parseAtomPage(text, pageUrl), '<feed>', '<feed><entry>'),
  'a property of Kyero': xmlReader(
    xml => parseKyeroProperty(xml, { url: pageUrl, language: 'es', timezone: 'Europe/Madrid', agent: {} }),
    '<property><id>1</id><features>',
    '<property><id>1</id><desc>',
  ),
  'elements of a stream': xmlReader(
    text => readInPieces(splitXmlItems('property'), text),
    '<root>',
    '<root><property>',
  ),
  'robots.txt': {
    read(text) {
      const robots = parseRobots(text)
      return [getCrawlDelaySeconds(robots, 'AldabaBot'), isAllowed(robots, 'AldabaBot', '/a'.repeat(500))]
    },
    pieces: [...symbols, ...robots],
    beginnings: ['', 'user-agent: *\n', 'user-agent: *\ndisallow: '],
  },
  'rows of a table': rowsReader(
    {},
    [...symbols, ...table, ...words],
    'Nombre;Teléfono;Email;Notas\n',
    'Nombre;Teléfono;Email;Notas\nAna;"',
    'sep= \n',
  ),
  'lines of leads': rowsReader(
    { kind: 'ndjson', hasHeader: null },
    [...symbols, ...lines],
    '{"Nombre":"',
    '{"a":{',
  ),
  'an exclusion list': {
    read: text => Array.fromAsync(parseExclusions({ country: 'ES' }, toBytes(text))),
    pieces: [...symbols, ...table],
    beginnings: ['', 'Teléfono;Email\n', 'Teléfono\n612345678\n'],
    firstLength: rowsLength,
  },
  'an e-mail address': textReader(parseEmail),
  'a description': textReader(toMultilineText),
  'a line of characteristics': textReader(text => parseDetailLines([text])),
  'lines of characteristics': textReader(text => parseDetailLines(text.split('\n'))),
  'a title': textReader(parseTitleWords),
  'a logo': {
    read: text => parseLogo(Buffer.from(text)),
    pieces: [...symbols, '<svg:', '<a:use'],
    beginnings: ['<svg '],
  },
  ...Object.fromEntries(builtInPortals.flatMap(toPortalReaders)),
}

function toPortalReaders({ id, search, details }: PortalDefinition): [string, Reader][] {
  const filters = { operation: 'sale', location: { id: 'x', label: 'x' }, propertyType: 'homes' }
  const context: SearchContext = {
    place: {
      id: 'ES',
      name: 'España',
      names: [],
      type: 'country',
      parentId: null,
      country: 'ES',
      latitude: 40,
      longitude: 0,
      population: null,
    },
    since: null,
  }
  const reader = (read: Read, ...beginnings: string[]): Reader => ({
    read,
    pieces: [...symbols, ...html, ...scriptPieces, ...xmlPieces],
    beginnings: ['', ...beginnings],
  })
  const [inSearch = [], inDetails = []] = portalBeginnings[id] ?? []
  const readSearch: Read =
    search.kind === 'feed'
      ? text => readInPieces(search.createReader(pageUrl), text)
      : text => search.read({ text, url: pageUrl }, filters, context)
  const found: [string, Reader][] = [[`a search of ${id}`, reader(readSearch, ...inSearch)]]
  if (details)
    found.push([`a listing of ${id}`, reader(text => details.read({ text, url: pageUrl }), ...inDetails)])
  return found
}

function readInPieces(reader: { push(text: string): unknown; end(): unknown }, text: string): unknown {
  for (let offset = 0; offset < text.length; offset += 65_536)
    reader.push(text.slice(offset, offset + 65_536))
  return reader.end()
}
