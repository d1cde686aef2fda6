/** Lists with the values of a listing, and listings with few known values. */
import { expect, it } from 'vitest'
import { readListing } from './read-listing.ts'

const card = (id: number) =>
  `<li class="card"><a href="/inmueble/${id}"><img src="${id}.jpg"> Piso ${id} en Getafe</a> <b>${id} €</b></li>`
const cards = `<ul>${[200001, 200002, 200003, 200004, 200005, 200006].map(card).join('')}</ul>`
const prose = 'Een woord over de woning en de buurt, met een keuken en een tuin op het zuiden. '.repeat(4)
const read = (title: string, body: string, url: string) =>
  readListing({
    html: `<!doctype html><html lang="es"><title>${title}</title><body><h1>${title}</h1>${body}${cards}</body></html>`,
    url,
    country: null,
    currency: null,
  })
const facts = `<p class="price">900 €</p><p>59 m²</p><div class="description">${prose}</div>`

it('takes a list whose title is in the plural for no listing', () => {
  const body = `${facts}<p>1 habitación</p><p>2 baños</p>`
  const url = 'https://homes.example/alquiler/getafe'
  expect(read('Casas y pisos en alquiler en Getafe', body, url)).toBeNull()
  expect(read('Piso en alquiler en Getafe', body, url)).not.toBeNull()
})

it('takes a page with three facts for a listing, if its address has a number', () => {
  expect(read('Kodu müük, Tartu', facts, 'https://homes.example/kodu-2186215.html')).not.toBeNull()
  expect(read('Kodu müük, Tartu', facts, 'https://homes.example/kodu')).toBeNull()
})
