/** What follows from values that agree, and what contradicts. */
import { describe, expect, it } from 'vitest'
import { readListing } from './read-listing.ts'

const fact = '<dl><dt>Bathrooms</dt><dd>2</dd></dl>'
const read = (
  body: string,
  { country = 'ES' as string | null, state = null as object | null, lang = 'en' } = {},
) =>
  readListing({
    html: `<!doctype html><html${lang === '' ? '' : ` lang="${lang}"`}><body>${body}${fact}
      ${state === null ? '' : `<script type="application/json">${JSON.stringify(state)}</script>`}</body></html>`,
    url: 'https://homes.example/listing/1234567',
    country,
    currency: null,
  })!.values

describe('currencies', () => {
  it('reads a price in dollars as dollars where people pay otherwise', () => {
    const html = '<h1>Hotel in Lagos</h1><div class="price">$12,000,000</div>'
    expect(read(html, { country: 'NG' })).toMatchObject({ price: 12_000_000, currency: 'USD' })
    expect(read(html, { country: 'MX' }).currency).toBe('MXN')
    expect(read(html, { country: 'CR' }).currency).toBe('USD')
  })

  it.each<[string, string | null]>([
    ['DO', null],
    ['BO', null],
    ['BR', 'BRL'],
  ])(
    'does not take the sign that people in %s also write for their own money for dollars',
    (country, currency) => {
      const html = '<h1>Hotel in the hills</h1><div class="price">$12,000,000</div>'
      expect(read(html, { country })).toMatchObject({ price: 12_000_000, currency })
    },
  )

  it('knows the former code of the rouble', () => {
    const state = { id: 1234567, price: 180_000, currency: 'RUR', bedrooms: 2 }
    expect(read('<h1>Flat</h1><p>180 000 ₽</p>', { country: 'KZ', state }).currency).toBe('RUB')
  })
})

it('does not take an average for the price', () => {
  const state = { id: 1234567, avPrice: 210_000, livingArea: 90, bedrooms: 3 }
  expect(read('<h1>Sunny home</h1><p>210,000</p>', { state }).price).toBeNull()
})

describe('areas', () => {
  it('keeps one that sources agree about beside the price of a square metre', () => {
    const state = { id: 1234567, price: 25, area: 60, bedrooms: 2 }
    const html = '<h1>Flat</h1><dl><dt>Price</dt><dd>25 €</dd><dt>Area</dt><dd>60 m²</dd></dl>'
    expect(read(html, { state }).squareMeters).toBe(60)
  })

  it('is usable in data that call it so', () => {
    const state = { id: 1234567, price: 250_000, bedrooms: 3, usefulArea: '72 m²' }
    expect(read('<h1>Sunny home</h1><p>72 m² useful</p>', { state })).toMatchObject({
      squareMeters: null,
      usableSquareMeters: 72,
    })
  })

  it('takes that of the room, not that of the flat', () => {
    const html = `<h1>Private room of 24 m² for rent</h1><dl><dt>Area</dt><dd>84 m²</dd></dl><p>590 €</p>`
    expect(read(html)).toMatchObject({ subtype: 'room', squareMeters: 24 })
  })

  it('does not take the usable area or that of the plot for that of the home', () => {
    const html = `<h1>Sunny home</h1><table><tr><td>Usable area</td><td>70.50 m²</td></tr>
      <tr><td>Plot</td><td>300 m²</td></tr></table>`
    expect(read(html)).toMatchObject({ squareMeters: null, usableSquareMeters: 70.5, plotSquareMeters: 300 })
  })

  it.each([
    ['House', { squareMeters: null, plotSquareMeters: 607 }],
    ['Flat', { squareMeters: 607, plotSquareMeters: null }],
  ])('counts one under two names once: %s', (type, areas) => {
    const state = {
      id: 1234567,
      price: 250_000,
      bedrooms: 3,
      propertyType: type,
      livingArea: 607,
      plotArea: 607,
    }
    expect(read(`<h1>${type} in the hills</h1><p>607 m²</p>`, { state })).toMatchObject(areas)
  })

  it('reads one before a mark of the status, and in the foot of a block', () => {
    expect(read('<h1>Sunny home</h1><h2>5 bed house / 155.71 m² Sale agreed</h2>').squareMeters).toBe(155.71)
    const block = '<div class="wp-block-footer style2"><ul><li>75m<sup>2</sup></li></ul></div>'
    expect(read(`<h1>Sunny home</h1>${block}`).squareMeters).toBe(75)
    for (const name of ['site-footer', 'layout-footer', 'layoutFooter', 'theme-x-footer__inner', 'footer-2'])
      expect(read(`<h1>Sunny home</h1>${block.replace('wp-block-footer', name)}`).squareMeters).toBeNull()
  })

  it('are those of blocks with a foot, whose phone is no phone of the page', () => {
    const link = '<a href="tel:+34910000001">910 000 001</a>'
    const foot = (name: string) =>
      read(`<h1>Sunny home</h1><div class="${name}">${link}</div>`).advertiserPhone
    expect(foot('layout-footer')).toBeNull()
    expect(foot('agent-card-footer')).toBe('910 000 001')
  })
})

describe('the operation', () => {
  it('is in the first sentence of the description, if nothing else states it', () => {
    const prose = 'The home has a large kitchen and a garden that looks to the south. '.repeat(5)
    const html = `<h1>Lot 20, Rawlins</h1><div class="description">Mobile home for sale. ${prose}</div>`
    expect(read(html).operation).toBe('sale')
  })

  it('is no sale by a weak word beside the price of a rent', () => {
    const html = '<h1>Garage in Findorff</h1><div class="breadcrumb">Sale</div><p>75 €</p>'
    expect(read(html).operation).toBeNull()
  })
})

describe('the type', () => {
  it('follows from the subtype, not from the type of all listings of a site', () => {
    const state = { id: 1234567, price: 250_000, propertyType: 'House' }
    const values = read('<h1>Hotel for sale in Getafe</h1><dl><dt>Property type</dt><dd>Hotel</dd></dl>', {
      state,
    })
    expect(values).toMatchObject({ subtype: 'premises', propertyType: 'premises' })
  })
})

describe('other facts', () => {
  it('reads the age as a year, if it is one', () => {
    const list = (age: string) => `<h1>Sunny home</h1><ul><li>Antigüedad: ${age}</li></ul>`
    expect(read(list('1998'), { lang: 'es' }).yearBuilt).toBe(1998)
    expect(read(list('20 años'), { lang: 'es' }).yearBuilt).toBeNull()
  })

  it('takes 0 in data for no floor, the level of a room for none of the home, and an answer for no condition', () => {
    const html = `<h1>Sunny home</h1><ul><li>Level: Basement</li></ul>
      <h6>Condition</h6><ul><li>New construction: No</li></ul>`
    const state = { id: 1234567, price: 250_000, bedrooms: 3, floor: 0 }
    expect(read(html, { state })).toMatchObject({ floor: null, condition: null })
  })

  it('leaves out cards that are named "similar" in other languages', () => {
    const card = '<li class="podobneKafelek"><span>2011</span> <span>rok budowy</span></li>'
    expect(read(`<h1>Sunny home</h1><ul>${card}</ul>`).yearBuilt).toBeNull()
  })

  it('reads contingent sales as reserved', () => {
    const state = { id: 1234567, price: 250_000, bedrooms: 3, listingStatus: 'Contingent' }
    expect(read('<h1>Sunny home</h1>', { state }).status).toBe('reserved')
  })
})

describe('languages', () => {
  it.each([
    ['sv', '<h1>Villa i Torrevieja</h1>', '+34 965 000 000'],
    ['it', '<h1>Appartamento a Torrevieja</h1>', '+34 965 000 000'],
    ['pt', '<h1>Apartamento em Torrevieja</h1>', '965 000 000'],
  ])('of translated pages name no country: %s', (lang, heading, phone) => {
    const agent = `<div class="agent"><a href="tel:${phone}">${phone}</a></div>`
    expect(
      read(`${heading}<p class="price">250.000 €</p>${agent}`, { country: null, lang }).country,
    ).toBeNull()
  })

  it('name the country whose calling code the phone has', () => {
    const agent = '<div class="agent"><a href="tel:+390524000000">+39 0524 000 000</a></div>'
    const html = `<h1>Appartamento in vendita</h1><p class="price">250.000 €</p>${agent}`
    expect(read(html, { country: null, lang: 'it' }).country).toBe('IT')
  })

  const html = '<h1>Casa adosada en venta en Marbella</h1><p>250.000 €</p>'
  it('are those of the country, too, if the page declares none', () => {
    const junk = `<p>${'de het een van voor met zijn niet '.repeat(9)}</p>`
    expect(read(html + junk, { lang: '' })).toMatchObject({ operation: 'sale', subtype: 'house' })
  })
})

describe('data', () => {
  it.each<[string, object, object]>([
    ['programs of Spanish agencies', { m_construidos: 75, num_banos: 3 }, { squareMeters: 75, bathrooms: 3 }],
    [
      'programs of German agencies',
      { wohnflaeche: 75, baujahr: 1972 },
      { squareMeters: 75, yearBuilt: 1972 },
    ],
    [
      'boards of the United States',
      { structureSqFt: '1,176', baths: '3 Full / 1 Partial' },
      { squareMeters: 109.25, bathrooms: 3 },
    ],
    ['codes of the condition', { propertyCondition: 'GOOD_CONDITION' }, { condition: 'good' }],
    ['types of premises', { propertyType: 'HOTEL' }, { subtype: 'premises' }],
  ])('of %s', (_, members, values) => {
    const state = { id: 1234567, price: 250_000, bedrooms: 3, ...members }
    expect(read('<h1>Sunny home</h1>', { state })).toMatchObject(values)
  })
})
