/** Cards of developments and of agents, and cards that differ from the others. */
import { expect, test } from 'vitest'
import { findCards } from '../../find-cards.ts'

const url = 'https://www.portal.example/venta/vigo'
const find = (body: string) => findCards({ html: `<html><body>${body}</body></html>`, url }).cards
const ids = [10_001, 10_002, 10_003, 10_004]
const toPaths = (cards: ReturnType<typeof find>) => cards.map(card => new URL(card.url).pathname)

test('developments are cards, even if every price is a range', () => {
  const cards = ids.map(
    id =>
      `<li><a href="/obra-nueva/${id}"><h3>Residencial ${id}</h3></a><p>Precio</p><b>205.900 € - 399.900 €</b></li>`,
  )
  expect(toPaths(find(cards.join('')))).toEqual(ids.map(id => `/obra-nueva/${id}`))
  const news = ids.map(id => `<li><a href="/nuevo/${id}"><h3>Noticia ${id}</h3></a><b>A consultar</b></li>`)
  expect(find(news.join(''))).toEqual([])
})

test('a card whose URL has another form belongs to the list, and the development that many cards name does not', () => {
  const toCard = (path: string, more = '') =>
    `<section class="item"><h2><a href="${path}">Piso en ${path.slice(-5)}</a></h2>${more}<p class="price">200.000 €</p></section>`
  const development = '<div><a href="/obra/20001/mar">Residencial Mar</a></div>'
  const units = ['30001', '30002', '30003'].map(id => `/obra/vigo/${id}/mar/piso`)
  const body =
    ids.map(id => toCard(`/piso/vigo/${id}`)).join('') + units.map(path => toCard(path, development)).join('')
  expect(toPaths(find(body))).toEqual([...ids.map(id => `/piso/vigo/${id}`), ...units])
})

test('a link inside another card of a known listing is no card', () => {
  const toCard = (id: number, price: string) =>
    `<div class="item"><div><a href="/piso/${id}">Piso ${id}</a></div><div><b class="price">${price}</b><div><a href="/credito?k=${price.length}${id}">desde 700 € al mes</a></div></div></div>`
  const cards = [...ids, ids[0]!].map((id, index) => toCard(id, `${200 + index}.000 €`))
  expect(toPaths(find(cards.join('')))).toEqual(ids.map(id => `/piso/${id}`))
})

test('a title is what the page names so, outside the part of the advertiser', () => {
  const cards = ids.map(
    id =>
      `<article><a href="/piso/${id}"><img src="/${id}.jpg"></a><div class="agent-box"><span class="name">Agencia Costa ${id}</span></div><a href="/piso/${id}" data-name="TitleComponent"><span>Piso de 3 habitaciones ${id}</span></a><b>200.000 €</b></article>`,
  )
  expect(find(cards.join('')).map(({ facts }) => facts.title)).toEqual(
    ids.map(id => `Piso de 3 habitaciones ${id}`),
  )
})
