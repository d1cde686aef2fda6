/** Words of listings that stand where places do, and places whose level is uncertain. */
import { describe, expect, it } from 'vitest'
import { readListing } from '../read-listing.ts'

const prose = 'The owners have looked after the home with great care for many years and it shows. '
const fact = '<dl><dt>Bathrooms</dt><dd>2</dd></dl>'
const crumbs = (...items: string[]) =>
  `<ol class="breadcrumb">${items.map(item => `<li><a href="/x">${item}</a></li>`).join('')}</ol>`

interface Options {
  country: string
  state?: object
  path?: string
  description?: string
  title?: string
}

function read(body: string, { country, state, path = '/listing/1234567', description = '', title }: Options) {
  const data = state === undefined ? '' : { id: 1234567, price: 250_000, bedrooms: 3, ...state }
  return readListing({
    html: `<!doctype html><html lang="en">${title === undefined ? '' : `<title>${title}</title>`}<body>${body}${fact}
      <div class="description"><p>${description} ${prose.repeat(9)}</p></div>
      ${data === '' ? '' : `<script type="application/json">${JSON.stringify(data)}</script>`}</body></html>`,
    url: `https://homes.example${path}`,
    country,
    currency: null,
  })!.values
}

describe('a town in data that begins like a breadcrumb', () => {
  it.each([
    ['Frankfurt am Main', 'Frankfurt', 'DE'],
    ['Freiburg Im Breisgau', 'Freiburg', 'DE'],
    ['Praha 5', 'Praha', 'CZ'],
  ])('keeps the whole name of %s', (city, above, country) => {
    const body = `${crumbs('Immobilien', above)}<h1>Wohnung in ${city}</h1>`
    expect(read(body, { country, state: { city } })).toMatchObject({
      municipality: city,
      neighbourhood: null,
    })
  })

  it('is divided from its district', () => {
    const body = `${crumbs('Immobilien', 'Düsseldorf')}<h1>Wohnung in Düsseldorf Derendorf</h1>`
    expect(read(body, { country: 'DE', state: { city: 'Düsseldorf Derendorf' } })).toMatchObject({
      municipality: 'Düsseldorf',
      neighbourhood: 'Derendorf',
    })
  })
})

describe('the last place of a breadcrumb', () => {
  it.each([
    ['Valencia', 'Ruzafa', null],
    ['Barcelona', 'Gràcia', null],
    ['Málaga', 'Marbella', null],
    ['Asturias', 'Llanes', 'Llanes'],
  ])('below %s: %s is the town %s', (above, place, municipality) => {
    const values = read(`${crumbs('Inicio', above, place)}<h1>Piso en ${place}</h1>`, { country: 'ES' })
    expect(values).toMatchObject({ municipality, province: above })
  })

  it('makes the place above it the town', () => {
    const body = `${crumbs('Inicio', 'Málaga', 'Marbella', 'Nueva Andalucía')}<h1>Piso en Marbella</h1>`
    expect(read(body, { country: 'ES' })).toMatchObject({
      municipality: 'Marbella',
      neighbourhood: 'Nueva Andalucía',
    })
  })
})

describe('the place before a town in a heading', () => {
  it.each([
    ['Piso, Reformado, Madrid', 'Madrid', 'ES', null],
    ['Piso, Luminoso, Madrid', 'Madrid', 'ES', null],
    ['3-Zimmer-Wohnung, Balkon, München', 'München', 'DE', null],
    ['Wohnung, Balkon, Berlin', 'Berlin', 'DE', null],
    ['Calle Mayor 5, Reformado, Madrid', 'Madrid', 'ES', null],
    ['Piso en calle Mayor, 5, Sol, Madrid', 'Madrid', 'ES', 'Sol'],
    ['Prinzenallee 4, Wedding, Berlin', 'Berlin', 'DE', 'Wedding'],
  ])('%s', (heading, city, country, neighbourhood) => {
    expect(read(`<h1>${heading}</h1>`, { country, state: { city } })).toMatchObject({
      municipality: city,
      neighbourhood,
    })
  })
})

describe('the end of a British heading', () => {
  const heading = (place: string, options: Partial<Options> = {}) =>
    read(`<h1>12 Park Road, ${place}</h1>`, { country: 'GB', ...options }).municipality

  it.each(['Corner Plot', 'Chain Free', 'Long Leasehold', 'Show Home'])('%s is no town', words => {
    expect(heading(words)).toBeNull()
    expect(
      heading(words, { path: `/12-park-road-${words.toLowerCase().replace(' ', '-')}-1234567` }),
    ).toBeNull()
  })

  it('is the town if another text of the page names it', () => {
    expect(heading('Nantwich')).toBeNull()
    expect(heading('Nantwich', { description: 'A short walk from the centre of Nantwich.' })).toBe('Nantwich')
    expect(heading('Nantwich', { path: '/for-sale/nantwich/1234567' })).toBe('Nantwich')
    expect(heading('Nantwich CW5 5RU')).toBe('Nantwich')
    expect(heading('Nantwich, Cheshire')).toBe('Nantwich')
  })
})

describe('a number and a word beside the heading', () => {
  it.each([
    ['2010 Baujahr', 'AT', null],
    ['2015 Renovated', 'BE', null],
    ['2015 Terrasse', 'BE', null],
    ['2012 Erstbezug', 'AT', null],
    ['2000 Antwerpen', 'BE', '2000'],
    ['5020 Salzburg', 'AT', '5020'],
  ])('%s in %s: postcode %s', (text, country, postcode) => {
    const heading = country === 'BE' ? 'Appartement in Antwerpen' : 'Wohnung mit Blick'
    expect(read(`<h1>${heading}</h1><p>${text}</p>`, { country }).postcode).toBe(postcode)
  })
})

describe('an address', () => {
  it.each([
    ['Bayeux 14400', null],
    ['14400 Bayeux', null],
    ['Bayeux, 14400, France', null],
    ['12 rue des Bouchers, Bayeux 14400', '12 rue des Bouchers'],
  ])('%s is the street %s', (streetAddress, expected) => {
    const address = {
      '@type': 'PostalAddress',
      streetAddress,
      addressLocality: 'Bayeux',
      postalCode: '14400',
    }
    const block = JSON.stringify({ '@type': 'House', name: 'Maison à Bayeux', address })
    const body = `<script type="application/ld+json">${block}</script><h1>Maison à Bayeux</h1><p>${streetAddress}</p>`
    const found = read(body, { country: 'FR' }).address
    if (expected === null) expect(found).toBeNull()
    else expect(found).toContain(expected)
  })

  it('is no town with its postcode, if nothing else names the town', () => {
    const body = '<h1>Maison avec jardin</h1><dl><dt>Adresse</dt><dd>Bayeux 14400</dd></dl>'
    expect(read(body, { country: 'FR' }).address).toBeNull()
  })
})

describe('headings of Italian agencies', () => {
  it.each([
    ['Monzuno - Bologna (BO) - Appartamento Affitto', { municipality: 'Monzuno', province: 'Bologna' }],
    ['Appartamento in affitto a Monzuno - Bologna (BO)', { municipality: 'Monzuno', province: 'Bologna' }],
    ['Trilocale - Cremona (CR)', { municipality: 'Cremona', province: 'CR' }],
  ])('%s', (title, expected) => {
    expect(read(`<h1>${title}</h1>`, { country: 'IT', title })).toMatchObject(expected)
  })
})
