/** Long pages that may make the readers of listings and of search pages slow. */
import { ends, readers } from '../../test/hostile-text.ts'

/** The longest page that is fetched, and one that is just below the length that is read. */
const lengths = { '8 MB': 8_000_000, '2.2 MB': 2_200_000 }
let pageLength = 0

/** Pages by name. Every page is made when it is needed. */
export function listLongPages(): [name: string, makePage: () => string][] {
  return Object.entries(lengths).flatMap(([length, characters]) =>
    listPages().map(([name, makePage]): [string, () => string] => [
      `${length}: ${name}`,
      () => {
        pageLength = characters
        return makePage()
      },
    ]),
  )
}

function listPages(): [name: string, makePage: () => string][] {
  const { pieces, beginnings } = readers['a page of any site']!
  return [
    ...pieces.map((piece, index): [string, () => string] => {
      const beginning = beginnings[index % beginnings.length]!
      const end = ends[index % ends.length]!
      return [`${beginning}${piece}…`, () => beginning + repeat(piece) + end]
    }),
    ...Object.entries(shapes),
  ]
}

const json = (content: string) => `<script type="application/json">${content}</script>`
const ld = (content: string) => `<script type="application/ld+json">${content}</script>`
const house = '{"@type":"House","name":"a","price":100000,"url":"/p/1","address":{"streetAddress":"a 1"}}'
const flat = '{"price":100000,"bedrooms":2,"id":12345678,"address":"a 1","latitude":41.1,"longitude":2.2}'

const shapes: Record<string, () => string> = {
  'one word': () => repeat('a'),
  'one text of amounts': () => `<p>${repeat('1.200 € 3 hab. 80 m² tel 612 34 56 78 ')}`,
  'one text of energy': () => `<div class="description">${repeat('Energy 157 kWh/m² CO2 12 kg/m² A ')}`,
  'one text of years': () =>
    `<div class="description">${repeat('built in 1990, year of construction 1991, ')}`,
  'one text of addresses': () => `<p class="address">${repeat('Calle Mayor 1, 08001 Barcelona, ')}`,
  'one text of commas': () => `<p class="address">${repeat('a, ')}`,
  'one heading': () => `<h1>${repeat('House for sale in Town 3 bedrooms 100 m² ')}</h1>`,
  'one title': () => `<title>${repeat('House for sale in Town | ')}</title>`,
  'one attribute': () => `<div data-x="${repeat('{&quot;price&quot;:1},')}">`,
  'one class': () => `<div class="${repeat('price description ')}">1.000 €</div>`,
  'one link': () => `<a href="/${repeat('casa-en-venta-')}">a</a>`,
  'one style': () => `<div style="${repeat('background:url(/a.jpg);')}">`,
  'one comment': () => `<!--${repeat('<div>price 100 €</div>')}-->`,
  'one svg': () => `<svg>${repeat('<path d="M0 0"/>')}`,
  'one select': () => `<select>${repeat('<option value=1>100.000 €</option>')}`,
  'many attributes': () => `<div itemscope ${repeat('itemprop="name" x=1 ')}>`,
  'many headings': () => repeat('<h2>Description</h2><p>a</p>'),
  'many similar sections': () => repeat('<h2>Similar properties</h2><div>100.000 €</div>'),
  'many titles': () => repeat('<title>House</title><h1>House</h1>'),
  'many meta tags': () =>
    repeat('<meta property="og:title" content="House"><meta property="og:image" content="/a.jpg">'),
  'many pairs': () => repeat('<dl><dt>Price</dt><dd>100.000 €</dd><dt>Bedrooms</dt><dd>3</dd></dl>'),
  'many rows': () => `<table>${repeat('<tr><th>Rooms<td>3<td>Price<td>100.000 €')}`,
  'many lines': () => repeat('<p>Rooms: 3 Bathrooms: 2 Area: 100 m²</p>'),
  'many list items': () => `<ul>${repeat('<li>3 bedrooms<li>Terrace<li>No lift')}`,
  'many labels without values': () => repeat('<span>Price</span>'),
  'many amounts': () => repeat('<b class="price">100.000 €</b>'),
  'many descriptions': () =>
    repeat('<div class="description">A house with a garden and many words that tell of it </div>'),
  'many nested descriptions': () => repeat('<div class="description">A house with a garden '),
  'many nested prices': () => repeat('<div class="price">100.000 € '),
  'many addresses': () => repeat('<address>Calle Mayor 1, 08001 Barcelona</address>'),
  'many breadcrumbs': () =>
    repeat('<nav class="breadcrumb"><a href="/a">Spain</a> > <a href="/b">Madrid</a></nav>'),
  'many crumbs': () => `<ol class="breadcrumb">${repeat('<li><a href="/a">Madrid</a>')}`,
  'many energy scales': () => repeat('<div class="energy"><i>A</i><i>B</i><i>C</i><b>D</b></div>'),
  'many photos': () => repeatNumbered(index => `<img src="/photo-${index}.jpg" width=800>`),
  'many lazy photos': () =>
    repeatNumbered(
      index => `<img data-src="/p/${index}_large.jpg" srcset="/a${index}.jpg 1x, /b${index}.jpg 2x">`,
    ),
  'many phones': () => repeat('<a href="tel:+34612345678">612 345 678</a>'),
  'many agents': () =>
    repeat('<div class="agent"><h3 class="name">Ana</h3><a href="tel:612345678">612345678</a></div>'),
  'many links': () => repeatNumbered(index => `<a href="/casa-en-venta-${index}">a</a>`),
  'many cards': () =>
    repeatNumbered(
      index => `<li class=card><a href="/casa/${index}"><h3>House</h3></a><b>100.000 €</b> 80 m²</li>`,
    ),
  'many cards of one link': () =>
    repeat('<li class=card><a href="/casa/77777"><h3>House</h3></a><b>100.000 €</b></li>'),
  'many nested cards': () => repeatNumbered(index => `<div class=card><a href="/casa/${index}">100.000 €`),
  'cards of many shapes': () =>
    repeatNumbered(index => `<div class="c${index}"><a href="/${index}/casa-${index}">a</a> 1.000 €</div>`),
  'cards with many links': () =>
    `<ul>${repeatNumbered(index => `<li>${'<a href="/a">a</a>'.repeat(40)}<a href="/casa/${index}">9.000 €</a>`)}`,
  'cards with long texts': () =>
    repeatNumbered(
      index => `<li><a href="/casa/${index}">House</a>${'some words '.repeat(400)}100.000 €</li>`,
    ),
  'many scripts': () => repeat('<script>a=1</script>'),
  'many states': () => repeat(`<script>window.x = ${flat}</script>`),
  'many JSON scripts': () => repeat(json(flat)),
  'many JSON-LD scripts': () => repeat(ld(house)),
  'many flight rows': () => repeat('<script>self.__next_f.push([1,"1:{\\"price\\":1}\\n"])</script>'),
  'one flight row': () =>
    `<script>self.__next_f.push([1,"1:[${repeat('{\\"price\\":100,\\"id\\":12345678},')}1]\\n"])</script>`,
  'one state of listings': () => json(`{"listings":[${repeat(`${flat},`)}1]}`),
  'one state of numbers': () => json(`[${repeat('1,')}1]`),
  'one state of empty objects': () => json(`[${repeat('{},')}1]`),
  'one state of nested objects': () =>
    json(`${'{"a":'.repeat(pageLength / 6)}1${'}'.repeat(pageLength / 6)}`),
  'one state of keys': () => json(`{${repeatNumbered(index => `"price${index}":${index},`)}"a":1}`),
  'one state of listings by key': () => json(`{${repeatNumbered(index => `"${index}":${flat},`)}"a":1}`),
  'one state of text': () => json(`{"description":"${repeat('A house with a garden. ')}"}`),
  'one state of photos': () =>
    json(`{"photos":[${repeatNumbered(index => `{"url":"/p/${index}.jpg","w":1},`)}1]}`),
  'one state in a string': () => json(JSON.stringify({ data: `[${`${flat},`.repeat(pageLength / 130)}1]` })),
  'one state cut': () => `<script type="application/json">{"listings":[${repeat(`${flat},`)}`,
  'one literal': () =>
    `<script>window.state = {listings:[${repeat('{price:1e5,rooms:2,id:12345678},')}]}</script>`,
  'many literals': () => `<script>${repeat('a={price:1,rooms:2};')}</script>`,
  'many calls of JSON.parse': () => `<script>${repeat('a=JSON.parse("{\\"price\\":1}");')}</script>`,
  'one parsed string': () => `<script>a=JSON.parse("[${repeat('{\\"price\\":1},')}1]")</script>`,
  'one JSON-LD list': () => ld(`[${repeat(`${house},`)}{}]`),
  'one JSON-LD graph': () =>
    ld(
      `{"@graph":[${repeatNumbered(index => `{"@id":"#${index}","@type":"Offer","about":{"@id":"#${index + 1}"}},`)}{}]}`,
    ),
  'one nested JSON-LD': () =>
    ld(`${'{"@type":"House","offers":'.repeat(pageLength / 26)}1${'}'.repeat(pageLength / 26)}`),
  'one JSON-LD list of organizations': () =>
    ld(`[${repeat('{"@type":"RealEstateAgent","name":"Ana","telephone":"612345678"},')}{}]`),
  'many microdata items': () =>
    repeat('<div itemscope itemtype="https://schema.org/House"><b itemprop="name">a</b></div>'),
  'many nested microdata items': () =>
    repeat('<div itemscope itemtype="https://schema.org/House" itemprop="a">'),
}

function repeat(piece: string): string {
  return piece.repeat(Math.ceil(pageLength / piece.length))
}

/** Different pieces. */
function repeatNumbered(makePiece: (index: number) => string): string {
  const pieces: string[] = []
  for (let index = 10_000, length = 0; length < pageLength; index += 1) {
    const piece = makePiece(index)
    pieces.push(piece)
    length += piece.length
  }
  return pieces.join('')
}
