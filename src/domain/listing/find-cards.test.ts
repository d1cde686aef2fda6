/** Search pages whose layout nobody declared. */
import { describe, expect, test } from 'vitest'
import { findCards, findPageUrl } from './find-cards.ts'

const url = 'https://www.portal.example/venta/vigo'
const find = (body: string, findListingId?: (url: URL) => string | null) =>
  findCards({ html: `<html><body>${body}</body></html>`, url, ...(findListingId && { findListingId }) })

interface Sample {
  id: number
  title?: string
  price?: string
  more?: string
}

const card = ({ id, title = `Piso número ${id}`, price = `${id} €`, more = '' }: Sample) =>
  `<article class="item"><a href="/inmueble/${id}/"><img src="/f/${id}.jpg"></a>
   <h3><a href="/inmueble/${id}/">${title}</a></h3><p class="price">${price}</p>${more}
   <a href="/favoritos?id=${id}">Guardar</a></article>`
const toCards = (ids: number[], sample: Omit<Sample, 'id'> = {}) =>
  ids.map(id => card({ id, ...sample })).join('')
const ids = [10_001, 10_002, 10_003, 10_004]
const toPaths = (found: ReturnType<typeof findCards>) => found.cards.map(one => new URL(one.url).pathname)

describe('cards', () => {
  test('are elements that repeat with a link and a price; menus and footers are none', () => {
    const menu = ids.map(id => `<li><a href="/barrios/${id}">Barrio ${id}</a> 2.100 €/m²</li>`).join('')
    const footer = ids.map(id => `<a href="/noticias/${id}">Noticia ${id}</a>`).join('')
    const found = find(`<ul>${menu}</ul><main>${toCards(ids)}</main><footer>${footer}</footer>`)
    expect(found.source).toBe('markup')
    expect(found.cards).toEqual(
      ids.map(id => ({
        url: `https://www.portal.example/inmueble/${id}/`,
        facts: { title: `Piso número ${id}`, price: id, currency: 'EUR' },
      })),
    )
  })

  test('are found in rows, and a card that is alone in its row is not the row', () => {
    const rows = `<div class="row">${toCards(ids.slice(0, 3))}</div><div class="row"><b>9.000 € de descuento</b>${toCards(ids.slice(3))}</div>`
    expect(find(rows).cards.map(({ facts }) => facts.price)).toEqual(ids)
  })

  test('include promoted ones, which look a little different and link through a counter', () => {
    const target = encodeURIComponent('https://www.portal.example/inmueble/20001/')
    const promoted = `<article class="item top"><a href="https://stats.portal.example/c?l=${target}"><h3>Ático en el puerto</h3></a><p class="price">300.000 €</p></article>`
    expect(toPaths(find(`<section>${promoted}</section><section>${toCards(ids)}</section>`))).toEqual(
      [20_001, ...ids].map(id => `/inmueble/${id}/`),
    )
  })

  test('include those without a price, if the page lays them out like the others', () => {
    const found = find(toCards(ids) + card({ id: 30_001, price: 'Precio a consultar' }))
    expect(found.cards.at(-1)).toEqual({
      url: 'https://www.portal.example/inmueble/30001/',
      facts: { title: 'Piso número 30001' },
    })
  })

  test('link to the listing, not to its agent', () => {
    const withAgent = ids.map(
      id =>
        `<li><a href="/agencia/costa-${id}"><img src="/l.png"></a><a href="/piso-en-vigo-${id}"><b>Piso en Vigo</b></a><i>1${id} €</i></li>`,
    )
    expect(toPaths(find(withAgent.join('')))).toEqual(ids.map(id => `/piso-en-vigo-${id}`))
  })

  test('have keys in the query, in a UUID, or in no number at all', () => {
    const list = (paths: string[]) =>
      paths.map(path => `<li><a href="${path}">Casa bonita</a><b>200.000 €</b></li>`).join('')
    const uuids = ['a', 'b'].map(letter => `/expose/6eca04ed-8da1-51f1-95da-776acaec893${letter}`)
    for (const paths of [['/p.php?id=AB 1', '/p.php?id=AB 2'], uuids, ['/casa-del-mar', '/casa-del-monte']])
      expect(find(list(paths)).cards).toHaveLength(2)
  })

  test('are none on a page of one listing, on news, and on an empty page', () => {
    expect(find(card({ id: 1 })).cards).toEqual([])
    expect(
      find(ids.map(id => `<li><a href="/noticias/${id}">Suben los pisos</a></li>`).join('')).cards,
    ).toEqual([])
    expect(find('')).toEqual({ cards: [], total: null, nextUrl: null, saysNone: false, source: 'markup' })
  })

  test('of a portal whose URLs are known may be a single one', () => {
    const findListingId = ({ pathname }: URL) => /^\/inmueble\/(\d+)\/$/.exec(pathname)?.[1] ?? null
    expect(find(`<nav><a href="/inmueble/">Todos</a></nav>${card({ id: 7 })}`, findListingId).cards).toEqual([
      {
        url: 'https://www.portal.example/inmueble/7/',
        facts: { title: 'Piso número 7', price: 7, currency: 'EUR' },
      },
    ])
    expect(find(toCards(ids), () => null).cards).toEqual([])
  })
})

describe('the price of a card', () => {
  const getPrice = (html: string) => {
    const { price, currency } = find(toCards(ids, { price: html })).cards[0]?.facts ?? {}
    return [price, currency]
  }

  test.each([
    ['250.000 € <small>3.125 €/m²</small>', 250_000, 'EUR'],
    ['<del>280.000 €</del> <span>250.000 €</span>', 250_000, 'EUR'],
    ['<span class="old-price">280.000 €</span> <span>250.000 €</span>', 250_000, 'EUR'],
    ['<span>900</span><span>€/mes</span> <span>Garaje opc. 125 €/mes</span>', 900, 'EUR'],
    ['Monatsrate 1.200 €</p><p>250.000 €', 250_000, 'EUR'],
    ['USD 280.000 <i>$ 200.000 Expensas</i>', 280_000, 'USD'],
    ['£1,250 pcm (£288 pw)', 1250, 'GBP'],
    ['475.000&nbsp;€', 475_000, 'EUR'],
    ['14 900 000 Ft helyett most <b>14 500 000 Ft</b>', 14_500_000, 'HUF'],
    ['24.9 M Ft <i>311 250 Ft/m²</i>', 24_900_000, 'HUF'],
    ['1,2 M€', 1_200_000, 'EUR'],
    ['5 490 000 Kč', 5_490_000, 'CZK'],
    ['MN 3,500,000', 3_500_000, 'MXN'],
    ['R$ 650.000', 650_000, 'BRL'],
    ['$ 250,000', 250_000, '$'],
  ])('%s', (html, price, currency) => {
    expect(getPrice(html)).toEqual([price, currency])
  })

  test('of a range is unknown', () => {
    expect(getPrice('200.000 € - 250.000 €')).toEqual([undefined, undefined])
  })

  test('per month makes the operation a rent', () => {
    expect(find(toCards(ids, { price: '900 €/mes' })).cards[0]?.facts.operation).toBe('rent')
  })
})

describe('the title of a card', () => {
  const getTitle = (inner: string) =>
    find(ids.map(id => `<li><a href="/piso/${id}">${inner}</a></li>`).join('')).cards[0]?.facts.title

  test('is the element that the page names so', () => {
    expect(getTitle('<h2>Vigo</h2><h3 class="title">Piso con vistas</h3><b>90.000 €</b>')).toBe(
      'Piso con vistas',
    )
  })

  test('else a heading, else the first text that is no price, state or label of every card', () => {
    expect(getTitle('<b>Nuevo</b><h4>Piso con vistas</h4><b>90.000 €</b>')).toBe('Piso con vistas')
    const numbered = ids.map(
      id =>
        `<li><a href="/piso/${id}"><i>Ya visto</i><b>90.000 €</b><i>80 m²</i><i>Piso ${id} con vistas</i></a></li>`,
    )
    expect(find(numbered.join('')).cards[1]?.facts.title).toBe('Piso 10002 con vistas')
  })
})

test('details are facts: numbers and units in elements of their own too, but no ranges', () => {
  const more = '<ul><li><b>96</b> <span>m²</span></li><li>3 hab.</li><li>2 baños</li></ul>'
  expect(find(toCards(ids, { more })).cards[0]?.facts).toMatchObject({
    squareMeters: 96,
    rooms: 3,
    bathrooms: 2,
  })
  const range = '<ul><li>127 a 524 m² tot.</li></ul>'
  expect(find(toCards(ids, { more: range })).cards[0]?.facts).not.toHaveProperty('squareMeters')
})

describe('embedded lists', () => {
  const toItem = (id: number) => ({
    detail: { es: `/inmueble/${id}/` },
    price: { amount: id, currency: 'EUR' },
    title: `Piso ${id}`,
  })
  const toScript = (value: unknown) =>
    `<script>window.__STATE__ = ${JSON.stringify({ search: { results: value } })}</script>`

  test('give the listings that the page shows only when people scroll', () => {
    const all = [...ids, 20_001, 20_002, 20_003]
    const found = find(toCards(ids.slice(0, 2)) + toScript(all.map(toItem)))
    expect(found.source).toBe('data')
    expect(toPaths(found)).toEqual(all.map(id => `/inmueble/${id}/`))
    expect(found.cards[6]?.facts).toEqual({ title: 'Piso 20003', price: 20_003, currency: 'EUR' })
  })

  test('complete a card whose price is not in the markup', () => {
    const cards = toCards(ids) + card({ id: 20_001, price: '<i></i>' })
    expect(find(cards + toScript([...ids, 20_001].map(toItem))).cards.at(-1)?.facts).toMatchObject({
      price: 20_001,
    })
  })

  test('of other listings are ignored', () => {
    const similar = [50_001, 50_002, 50_003, 50_004, 50_005, 50_006].map(toItem)
    expect(toPaths(find(toCards(ids) + toScript(similar)))).toEqual(ids.map(id => `/inmueble/${id}/`))
  })

  test('in JSON-LD are enough', () => {
    const items = ids.map((id, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      item: {
        '@type': 'Product',
        name: `Piso ${id}`,
        url: `/inmueble/${id}/`,
        offers: { price: String(id), priceCurrency: 'EUR' },
      },
    }))
    const found = find(
      `<script type="application/ld+json">${JSON.stringify({ '@type': 'ItemList', itemListElement: items })}</script>`,
    )
    expect(found.cards[1]).toEqual({
      url: 'https://www.portal.example/inmueble/10002/',
      facts: { title: 'Piso 10002', price: 10_002, currency: 'EUR' },
    })
  })
})

describe('the number of results', () => {
  test.each([
    ['<h1>1.261 pisos en venta en Vigo</h1>', 1261],
    ['<h1>6 534 Casas para Venda</h1>', 6534],
    ['<h2>1 - 25 von 1.261 Immobilien</h2>', 1261],
    ['<p class="count"><span>190</span> találat</p>', 190],
    ['<p>Znaleziono 94 ogłoszenia mieszkań</p>', 94],
    ['<strong>Ogłoszenia: 950</strong>', 950],
    ['<h1>644 huurwoningen in Amsterdam</h1>', 644],
    // Fewer than the page shows, a link to another search, and no number of listings.
    ['<h1>3 pisos en venta</h1>', null],
    ['<a href="/lugo">250 pisos en Lugo</a>', null],
    ['<h1>Pisos en venta desde 90.000 €</h1>', null],
  ])('%s', (html, total) => {
    expect(find(html + toCards(ids)).total).toBe(total)
  })

  test('does not come from a card', () => {
    expect(find(toCards(ids, { title: 'Edificio de 12 viviendas' })).total).toBeNull()
  })
})

describe('the next page', () => {
  const numbers = (current: number) =>
    [1, 2, 3]
      .map(
        page =>
          `<a href="/venta/vigo?p=${page}" class="page ${page === current ? 'active' : ''}">${page}</a>`,
      )
      .join('')

  test.each([
    ['<link rel="next" href="/venta/vigo?p=2">', '?p=2'],
    ['<a href="/venta/vigo?p=2">Siguiente</a>', '?p=2'],
    ['<a href="/venta/vigo?p=2" aria-label="Nächste Seite">x</a>', '?p=2'],
    ['<li class="next"><a href="/venta/vigo?p=2"></a></li>', '?p=2'],
    ['<a href="/venta/vigo?p=2">&gt;</a>', '?p=2'],
    [numbers(2), '?p=3'],
    [numbers(1).replace(/<a[^>]*>1<\/a>/, '<b>1</b>'), '?p=2'],
    [numbers(3), null],
    ['<a href="#">Siguiente</a>', null],
    ['<a class="disabled" href="/venta/vigo?p=9">Siguiente</a>', null],
    ['<a rel="next" href="https://elsewhere.example/2">Next</a>', null],
  ])('%s', (html, next) => {
    expect(find(toCards(ids) + html).nextUrl).toBe(next && url + next)
  })
})

test.each([
  ['<h2>No hemos encontrado pisos en Vigo</h2>', true],
  ['<p>0 resultados</p>', true],
  ['<div>Leider keine Treffer</div>', true],
  ['<script>texts = { none: "No results found" }</script>', false],
  [`<p>0 resultados guardados</p>${toCards(ids)}`, false],
  ['<p>Error</p>', false],
])('a page says that its search found nothing: %s', (html, saysNone) => {
  expect(find(html).saysNone).toBe(saysNone)
})

test('a saved page states its URL', () => {
  expect(findPageUrl('<link rel="canonical" href="https://a.example/x">')).toBe('https://a.example/x')
  expect(findPageUrl('<meta property="og:url" content="https://a.example/y">')).toBe('https://a.example/y')
  expect(findPageUrl('<link rel="canonical" href="/x">')).toBeNull()
})

test.each([
  ['links', '<a href="/piso/1">1.000 €</a>'],
  ['distinct links', ''],
  ['nested elements', '<div class="price"><a href="/p/12345">'],
  ['prices', '<li><a href="/p/77777"></a><b class=price>'.concat('9.000 € '.repeat(20), '</li>')],
  [
    'lists in lists',
    '<script>a = [{"url":"/piso/12345","price":1,"x":[{"url":"/piso/12345","price":1}]}]</script>',
  ],
])('a long page of %s is read in bounded time', (_name, part) => {
  const parts = Array.from({ length: Math.ceil(2_000_000 / (part.length || 40)) }, (_, index) =>
    part === '' ? `<li><a href="/piso/${index + 10_000}">Piso</a> ${index}.000 €</li>` : part,
  )
  // The fastest of up to three: other processes use the same processors.
  let tookMs = Infinity
  for (let run = 0; run < 3 && tookMs >= 4000; run++) {
    const before = process.threadCpuUsage()
    find(parts.join(''))
    tookMs = process.threadCpuUsage(before).user / 1000
  }
  expect(tookMs).toBeLessThan(4000)
})
