/** Parses saved result pages of portals with different layouts. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../test/characters.ts'
import { readShared } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import { type CardLayout, parseCards, parseCount, selectElements } from './cards.ts'

interface Item {
  id?: string
  sku?: string
  url: string
  title?: string
  price?: number
  rooms?: number
  squareMeters?: number
}

const savedPages: { name: string; host: string; layout: CardLayout }[] = [
  {
    name: '1a-immobilienmarkt-de-duesseldorf-sale',
    host: 'https://www.1a-immobilienmarkt.de',
    layout: {
      card: { name: 'div', className: 'tabelle' },
      link: { name: 'a', className: 'tabelle_inhalt_titel_black' },
      title: { name: 'a', className: 'tabelle_inhalt_titel_black' },
      price: { name: 'div', className: 'single_data_price' },
      lines: { name: 'div', className: 'single_data_box' },
      image: { name: 'img' },
    },
  },
  {
    name: 'imaxx-de-list',
    host: 'https://www.imaxx.de',
    layout: {
      card: { name: 'div', className: 'property-container' },
      link: { name: 'a' },
      title: { name: 'h3', className: 'property-title' },
      price: { name: 'div', className: 'property-data--item' },
      lines: { name: 'div', className: 'property-data--item' },
      image: { name: 'img', attribute: 'data-src' },
    },
  },
  {
    name: 'immoswp-de-list',
    host: 'https://immo.swp.de',
    layout: {
      card: { name: 'div', className: 'ci-search-result' },
      link: { name: 'a', className: 'ci-search-result__link' },
      title: { name: 'a', className: 'ci-search-result__link' },
      price: { name: 'div', className: 'fw-bold' },
      lines: { name: 'div', className: 'border-start' },
      image: { name: 'img' },
    },
  },
  {
    name: 'kleinanzeigen-de-list',
    host: 'https://www.kleinanzeigen.de',
    layout: {
      card: { name: 'article', className: 'aditem' },
      link: { name: 'a', className: 'ellipsis' },
      title: { name: 'a', className: 'ellipsis' },
      price: { name: 'p', className: 'aditem-main--middle--price-shipping--price' },
      lines: { name: 'p', className: 'aditem-main--middle--tags' },
      description: { name: 'p', className: 'aditem-main--middle--description' },
    },
  },
  {
    name: 'sparkasse-de-list',
    host: 'https://immobilien.sparkasse.de',
    layout: {
      card: { name: 'div', className: 'estate-list-item' },
      link: { name: 'a' },
      title: { name: 'h3' },
      price: { name: 'span', className: 'estate-list-price' },
      lines: { name: 'div', className: 'estate-mainfact' },
    },
  },
]

function load(name: string): { html: string; items: Item[] } {
  const path = `fixtures/listing-search/${name}`
  return { html: readShared(`${path}.html`), ...JSON.parse(readShared(`${path}.expected.json`)) }
}

test('cards are parsed by their layout; elements that are no card or have no link are skipped', () => {
  const card = (
    id: number,
    price: string,
    inside = '',
  ) => `<li class="card big"><h3 class="t"> Piso  ${id}</h3>
<a href="/piso/${id}"><img data-src="/${id}.jpg"></a><span class="p">${price}</span><i>${80 + id} m²</i><i>3 hab.</i>${inside}</li>`
  const html = `<ul>${card(1, '250.000 €')}<li class="ad">${card(2, '1.200 €/mes')}</li>${card(3, 'A consultar', '<p class="d">Con <b>vistas</b></p>')}
<li class="card"><span class="p">1 €</span></li></ul>`
  const { cards, cardCount } = parseCards(html, 'https://portal.example/list?page=2', {
    card: { name: 'li', className: 'card' },
    link: { name: 'a' },
    title: { name: 'h3', className: 't' },
    price: { name: 'span', className: 'p' },
    lines: { name: 'i' },
    image: { name: 'img', attribute: 'data-src' },
    description: { name: 'p', className: 'd' },
  })
  expect(cardCount).toBe(4)
  expect(cards.map(({ url }) => url)).toEqual([1, 2, 3].map(id => `https://portal.example/piso/${id}`))
  expect(cards.map(({ facts }) => facts)).toMatchObject([
    {
      title: 'Piso 1',
      price: 250_000,
      currency: 'EUR',
      squareMeters: 81,
      rooms: 3,
      images: ['https://portal.example/1.jpg'],
    },
    { title: 'Piso 2', price: 1200, squareMeters: 82, rooms: 3 },
    { title: 'Piso 3', squareMeters: 83, description: 'Con vistas' },
  ])
  expect(cards[2]!.facts).not.toHaveProperty('price')
})

describeShared('saved pages of results', () => {
  describe.each(savedPages)('$name', ({ name, host, layout }) => {
    const { html, items } = load(name)
    const { cards, cardCount } = parseCards(html, `${host}/list`, layout)

    test('finds every listing of the page, in order', () => {
      expect(cardCount).toBe(items.length)
      expect(cards.map(card => card.url)).toEqual(items.map(item => new URL(item.url, host).href))
    })

    test('reads prices, sizes and rooms', () => {
      expect(cards.map(card => card.facts.price)).toEqual(items.map(item => item.price))
      for (const [index, { facts }] of cards.entries()) {
        const item = items[index]!
        expect(facts.currency).toBe('EUR')
        expect(facts.title).toBeTruthy()
        if (item.title !== undefined) expect(facts.title).toBe(item.title.replace(/\s+/g, ' '))
        if (item.rooms !== undefined) expect(facts.rooms).toBe(item.rooms)
        if (item.squareMeters !== undefined) expect(facts.squareMeters).toBe(item.squareMeters)
      }
    })

    test('accepts a truncated page', () => {
      for (let share = 0; share < 1; share += 0.017) {
        const parsed = parseCards(html.slice(0, share * html.length), host, layout)
        expect(parsed.cards.length).toBeLessThanOrEqual(items.length)
      }
    })
  })

  test('detail lines are parsed in their language', () => {
    const sparkasse = savedPages[4]!
    const { cards } = parseCards(load(sparkasse.name).html, sparkasse.host, sparkasse.layout)
    expect(cards[0]?.facts).toMatchObject({ squareMeters: 149, rooms: 4, price: 1_618_200 })
    expect(parseCards('', sparkasse.host, sparkasse.layout)).toEqual({ cards: [], cardCount: 0 })
  })

  test('reads the total number of results of sparkasse', () => {
    const { html } = load('sparkasse-de-list')
    const headline = { name: 'div', className: 'estate-list-headline' }
    expect(parseCount(html, headline)).toBe(696)
  })
})

test.each([
  ['<h2 class="n">696 Wohnungen zum Kauf in Düsseldorf + 10 km</h2>', 696],
  ['<h2 class="x n"><b>1.261</b> anúncios</h2>', 1261],
  ['<h2 class="n">Encontrados 12.</h2>', 12],
  ['<h2 class="n">Sem resultados</h2>', null],
  ['<h2 class="nn">7</h2>', null],
  ['n n n', null],
])('%s counts %s', (html, count) => {
  expect(parseCount(html, { name: 'h2', className: 'n' })).toBe(count)
})

test('arbitrary text and long repetitions neither fail nor stall', () => {
  const layout: CardLayout = {
    card: { name: 'div', className: 'c' },
    link: { name: 'a' },
    title: { name: 'b' },
    price: { name: 'i', className: 'p' },
    lines: { name: 'u' },
  }
  const chunk = fc.constantFrom(
    '<div class="c">',
    '<div',
    ' class=c',
    '>',
    '</div>',
    '<a href="/1">',
    '<i class=p>',
    '1 €',
    'c',
  )
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 99 }),
    fc.array(chunk).map(chunks => chunks.join('')),
  )
  fc.assert(
    fc.property(text, html => {
      const { cards, cardCount } = parseCards(html, 'https://portal.example/', layout)
      expect(cards.length).toBeLessThanOrEqual(cardCount)
    }),
  )
  const started = performance.now()
  for (const part of ['c', '<div class="c">', '<div class="c', '<c ', '<a href="/1"><i class="p">'])
    parseCards(part.repeat(10_000), 'https://portal.example/', layout)
  expect(performance.now() - started).toBeLessThan(3000)
})

test('finds unclosed elements, and skips nested ones', () => {
  const html =
    '<img class="s" src="1"><img src="2"><img class="s t" src="3"><p class="s">a<p class="s">b</p></p><p class="s">c</p>'
  expect(selectElements(html, { name: 'img', className: 's' }).map(({ tag }) => tag)).toEqual([
    '<img class="s" src="1">',
    '<img class="s t" src="3">',
  ])
  expect(selectElements(html, { name: 'img' })).toHaveLength(3)
  expect(selectElements(html, { name: 'p', className: 's' }).map(({ inner }) => inner)).toEqual([
    'a<p class="s">b</p>',
    'c',
  ])
})
