/** Listings of portal A in Portugal. */
import { expect, test } from 'vitest'
import { portalA } from './portal-a.ts'

const url = 'https://portal.example/imovel/33445566/'
const html = `<title>Apartamento à venda</title><h1>Apartamento T2 à venda</h1>
<div class="info-data"><span>374.000 €</span></div>
<ul class="details-property"><li>86 m² área bruta</li><li>T2</li><li>2 casas de banho</li></ul>
<div id="headerMap"><ul><li>Avenida Marginal, 5</li><li>União das freguesias de Cascais e Estoril</li><li>Cascais, Lisboa</li></ul></div>
<div class="advertiser-data"><p>Profissional - Casas do Mar</p><p class="_browserPhone">214 123 456</p></div>`

test('the URL is recognised as a listing', () => {
  expect(portalA.listingPath.exec('/imovel/33445566/')?.groups).toEqual({ listingId: '33445566' })
  expect(portalA.listingPath.exec('/inmueble/33445566/')?.groups).toEqual({ listingId: '33445566' })
})

test('the page is parsed, with a Portuguese phone and the municipality of the civil parish', () => {
  const result = portalA.details!.read({ text: html, url })
  expect(result).toMatchObject({
    kind: 'listing',
    listing: {
      price: 374_000,
      squareMeters: 86,
      bedrooms: 2,
      bathrooms: 2,
      propertyType: 'homes',
      address: 'Avenida Marginal, 5',
      municipality: 'Cascais',
      province: 'Lisboa',
      contact: { name: 'Casas do Mar', phone: '+351214123456', advertiserType: 'agency' },
    },
  })
})

test('a withdrawn listing is recognised in Portuguese', () => {
  const text = '<title>Este anúncio já não está publicado</title>'
  expect(portalA.details!.read({ text, url })).toEqual({ kind: 'gone' })
})

test('a card is recognised by its address', () => {
  const card = `<h1 class="listing-title">1 anúncio</h1><article><a class="item-link" href="/imovel/33445566/">Apartamento T2</a><span class="item-price">374.000 €</span></article>`
  const filters = { operation: 'sale', location: { id: 'x', label: 'x' } } as const
  const result = portalA.search.read({ text: card, url: 'https://portal.example/' }, filters, {} as never)
  expect(result).toMatchObject({ total: 1, cards: [{ listingId: '33445566', path: '/imovel/33445566/' }] })
})
