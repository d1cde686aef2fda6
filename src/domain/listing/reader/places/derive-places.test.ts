/** Places that follow from headings, breadcrumbs and the address. */
import { describe, expect, it } from 'vitest'
import { readListing } from '../read-listing.ts'

const filler = `<p>${'The owners have looked after the place with great care for many years and it shows. '.repeat(20)}</p>`
const fact = '<dl><dt>Bathrooms</dt><dd>2</dd></dl>'
function read(
  body: string,
  {
    country = null,
    head = '',
    state = null,
    path = '/listing/1234567',
    lang = 'en',
  }: {
    country?: string | null
    head?: string
    state?: object | null
    path?: string
    lang?: string
  } = {},
) {
  return readListing({
    html: `<!doctype html><html lang="${lang}"><head>${head}</head><body>${body}${fact}${filler}
      ${state === null ? '' : `<script type="application/json">${JSON.stringify(state)}</script>`}</body></html>`,
    url: `https://homes.example${path}`,
    country,
    currency: null,
  })!.values
}
const crumbs = (...items: string[]) =>
  `<ol class="breadcrumb">${items.map(item => `<li><a href="/x">${item}</a></li>`).join('')}</ol>`

describe('breadcrumbs', () => {
  it.each([
    [
      'GB',
      ['Home', 'For sale', 'Kent', 'Herne Bay', 'Cecil Park'],
      { municipality: 'Herne Bay', province: 'Kent' },
    ],
    [
      'GB',
      ['UK', 'England', 'Kent', 'Homes for sale in Herne Bay'],
      { municipality: 'Herne Bay', province: 'Kent' },
    ],
    [
      'ZA',
      ['Property for sale', 'KwaZulu Natal', 'Herne Bay', 'Prestbury'],
      { municipality: 'Herne Bay', province: 'KwaZulu Natal', neighbourhood: 'Prestbury' },
    ],
    [
      'ES',
      ['Inicio', 'Madrid', 'Madrid Capital', 'Salamanca', 'Piso en venta'],
      { municipality: 'Madrid', province: 'Madrid', neighbourhood: 'Salamanca' },
    ],
    // An area between the province and its towns that no other text names.
    [
      'CZ',
      ['Domy', 'Středočeský kraj', 'Praha-východ'],
      { municipality: null, province: 'Středočeský kraj' },
    ],
    [
      'AE',
      ['Dubai Villas', 'DAMAC Islands', 'Maldives 1'],
      { municipality: 'Dubai', neighbourhood: 'DAMAC Islands' },
    ],
  ])('of %s: %j', (country, items, expected) => {
    expect(read(`${crumbs(...items)}<h1>House for sale in Herne Bay</h1>`, { country })).toMatchObject(
      expected,
    )
  })

  it('reads those of JSON-LD', () => {
    const list = ['Home', 'Kent', 'Herne Bay'].map((name, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
    }))
    const head = `<script type="application/ld+json">${JSON.stringify({ '@type': 'BreadcrumbList', itemListElement: list })}</script>`
    expect(read('<h1>Cecil Park, Herne Bay CT6</h1>', { country: 'GB', head })).toMatchObject({
      municipality: 'Herne Bay',
      province: 'Kent',
    })
  })

  it('correct the level of a district that data name as the town, and of a town as the province', () => {
    const state = { id: 1234567, price: 250000, bedrooms: 3, city: 'Prestbury', region: 'Prestbury' }
    expect(
      read(`${crumbs('KwaZulu Natal', 'Pietermaritzburg', 'Prestbury')}<h1>House in Prestbury</h1>`, {
        country: 'ZA',
        state,
        path: '/prestbury/pietermaritzburg/1234567',
      }),
    ).toMatchObject({
      neighbourhood: 'Prestbury',
      municipality: 'Pietermaritzburg',
      province: 'KwaZulu Natal',
    })
  })
})

describe('headings', () => {
  it.each([
    [
      'Maison à Cuges-les-Pins (Bouches-du-Rhône)',
      'FR',
      { municipality: 'Cuges-les-Pins', province: 'Bouches-du-Rhône' },
    ],
    [
      'Prodej bytu 4+kk, 71 m², Špindlerův Mlýn, okres Trutnov | Reality',
      'CZ',
      { municipality: 'Špindlerův Mlýn', province: 'okres Trutnov' },
    ],
    ['Piso en venta en Goya (Madrid)', 'ES', { municipality: null, neighbourhood: null }],
    ['2-Zimmer-Wohnung in Lichtenberg', 'DE', { municipality: null }],
  ])('%s', (heading, country, expected) => {
    expect(read(`<h1>${heading}</h1>`, { country })).toMatchObject(expected)
  })

  it('name the district before the town of the data', () => {
    const state = { id: 1234567, price: 250000, bedrooms: 3, city: 'Milano' }
    const values = read('<h1>Trilocale via Antonio Aldini, 20, Quarto Oggiaro, Milano</h1>', {
      country: 'IT',
      state,
    })
    expect(values).toMatchObject({ municipality: 'Milano', neighbourhood: 'Quarto Oggiaro' })
  })
})

describe('headings that are an address or name a district', () => {
  it.each([
    ['Sandland Grove, Nantwich', 'GB', { address: 'Sandland Grove, Nantwich', municipality: 'Nantwich' }],
    ['3 Bedroom House, Elm Road, Leeds', 'GB', { address: null }],
    ['Villa in Palm Springs | Homes', 'AE', { neighbourhood: 'Palm Springs', municipality: 'Dubai' }],
    ['Wohnung in Bestlage, Berlin', 'DE', { neighbourhood: null, municipality: 'Berlin' }],
  ])('%s', (heading, country, expected) => {
    const state = { id: 1234567, price: 250000, bedrooms: 3, city: 'Dubai' }
    expect(
      read(`<h1>${heading}</h1><p>Dubai</p>`, {
        country,
        state: country === 'AE' ? state : null,
        path: '/for-sale/nantwich/1234567',
      }),
    ).toMatchObject(expected)
  })

  it('a breadcrumb that the URL supports stands against an area that only the data name', () => {
    const state = { id: 1234567, price: 250000, bedrooms: 3, city: 'Dubai', zone_name: 'Hadaeq' }
    const values = read(
      `${crumbs('Villas', 'Dubai', 'Dubai Hills Estate')}<h1>Villa with a pool</h1><p>Hadaeq, Dubai</p>`,
      {
        country: 'AE',
        state,
        path: '/dubai-dubai-hills-estate/1234567',
      },
    )
    expect(values).toMatchObject({ municipality: 'Dubai', neighbourhood: 'Dubai Hills Estate' })
  })

  it('a district of an okres is no town', () => {
    const values = read(
      `${crumbs('Karlovarský kraj', 'Karlovy Vary', 'Potůčky')}<h1>Prodej domu</h1>
       <p class="heading-address">Stráň, Potůčky, okr. Karlovy Vary <a href="#map">mapa</a></p>`,
      { country: 'CZ', path: '/karlovy-vary/potucky/1234567' },
    )
    expect(values).toMatchObject({ municipality: 'Potůčky', province: 'okr. Karlovy Vary' })
  })
})

describe('levels of places in data', () => {
  const place = (members: object, country: string) =>
    read('<h1>Wohnung in Düsseldorf - Flingern Nord, Dahlem, Berlin, Avilés, Llaranes, Ikoyi, Lagos</h1>', {
      country,
      state: { id: 1234567, price: 250000, bedrooms: 3, ...members },
    })

  it('divides a town that is written with its district', () => {
    expect(place({ city: 'Düsseldorf - Flingern Nord' }, 'DE')).toMatchObject({
      municipality: 'Düsseldorf',
      neighbourhood: 'Flingern Nord',
    })
    expect(place({ city: 'Dahlem, Berlin' }, 'DE')).toMatchObject({
      municipality: 'Berlin',
      neighbourhood: 'Dahlem',
    })
  })

  it('takes no town for a province', () => {
    expect(place({ city: 'Lagos', region: 'Ikoyi' }, 'NG').province).not.toBe('Ikoyi')
  })

  it('prefers of two towns the one that is not the district', () => {
    expect(place({ locality: 'Avilés', municipality: 'Llaranes', district: 'Llaranes' }, 'ES')).toMatchObject(
      {
        municipality: 'Avilés',
        neighbourhood: 'Llaranes',
      },
    )
  })
})

describe('the country', () => {
  it('follows from a province in the currency of the price', () => {
    expect(
      read(`${crumbs('Inicio', 'Madrid')}<h1>Flat in Calle Mayor</h1><p class="price">250.000 €</p>`).country,
    ).toBe('ES')
    expect(read('<h1>9 Oak Drive, Knocklyon, Dublin 16</h1>').country).toBe('IE')
  })

  it('follows from a province in the language of the page', () => {
    expect(read('<h1>Maison à Cuges-les-Pins (Bouches-du-Rhône)</h1>', { lang: 'fr' }).country).toBe('FR')
  })

  it('stays open where the currency is another one', () => {
    expect(
      read(`${crumbs('Inicio', 'Córdoba')}<h1>Flat in Calle Mayor</h1><p class="price">250.000 €</p>`)
        .country,
    ).toBe('ES')
    expect(
      read(`${crumbs('Inicio', 'Madrid')}<h1>Flat in Calle Mayor</h1><p class="price">£250,000</p>`).country,
    ).not.toBe('ES')
  })
})
