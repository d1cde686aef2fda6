/** Values that have the right form but are none. */
import { describe, expect, it } from 'vitest'
import { readListing } from '../read-listing.ts'

/** A page with enough text that it shows what it states. */
const filler = `<p>${'The owners have looked after the place with great care for many years and it shows. '.repeat(20)}</p>`
// Without a fact of property, the page would be no listing.
const fact = '<dl><dt>Bathrooms</dt><dd>2</dd></dl>'
const read = (body: string, state: object | null = null, country = 'ES', head = '') =>
  readListing({
    html: `<!doctype html><html lang="en"><head>${head}</head><body>${body}${fact}${filler}
      ${state === null ? '' : `<script type="application/json">${JSON.stringify(state)}</script>`}</body></html>`,
    url: 'https://homes.example/listing/1234567',
    country,
    currency: null,
  })!.values

describe('texts of the interface', () => {
  it.each([
    'Show on map',
    'Contact data',
    'More photos',
    'Ver teléfono',
    'Auf Karte anzeigen',
    'Description',
  ])('takes %s for no name', text => {
    const state = { id: 1234567, price: 250000, bedrooms: 3, city: text, district: text, agencyName: text }
    const values = read(
      `<h1>Sunny home</h1><dl><dt>Address</dt><dd>${text}</dd></dl>
        <div class="agent"><h3 class="agent-name">${text}</h3></div><p>250.000 €</p>`,
      state,
    )
    expect(values).toMatchObject({
      address: null,
      municipality: null,
      neighbourhood: null,
      advertiserName: null,
    })
  })

  it('takes the text of a button for no name, and leaves the link to the map out of an address', () => {
    const values = read(`<h1>Sunny home</h1>
      <dl><dt>Address</dt><dd>Calle Mayor 2, Getafe <a href="#map">View on map</a></dd></dl>
      <div class="agent"><span class="name"><button>Anna Rovira</button></span></div>`)
    expect(values).toMatchObject({ address: 'Calle Mayor 2, Getafe', advertiserName: null })
  })
})

describe('values of scripts', () => {
  it('takes slugs and encoded texts for no places and no description', () => {
    const state = {
      price: 250000,
      bedrooms: 3,
      city: 'costa-blanca_north',
      region: 'zona-norte',
      neighbourhood: 'La%20Marina',
      description: 'Look%20at%20this%20home%20that%20I%20have%20found%20for%20you%20and%20me',
    }
    expect(read('<h1>Sunny home</h1><p>250.000 €</p>', state)).toMatchObject({
      municipality: null,
      province: null,
      neighbourhood: null,
      description: null,
    })
  })

  it('takes a place, a figure or a reference that the page does not print for none of the listing', () => {
    const state = {
      price: 999000,
      livingArea: 321,
      bedrooms: 17,
      city: 'Zaragoza',
      postcode: '50001',
      reference: 'DB-99881',
    }
    expect(read('<h1>Sunny home</h1><p>Price on request</p>', state)).toMatchObject({
      price: null,
      squareMeters: null,
      bedrooms: null,
      municipality: null,
      postcode: null,
      reference: '1234567',
    })
    const printed = `<h1>Sunny home in Zaragoza</h1><p>50001. 999.000 €, 321 m², 17 bedrooms. DB-99881</p>`
    expect(read(printed, state)).toMatchObject({
      price: 999000,
      squareMeters: 321,
      municipality: 'Zaragoza',
      postcode: '50001',
      reference: 'DB-99881',
    })
  })

  it('keeps what a page without text embeds', () => {
    const values = readListing({
      html: `<script type="application/json">{"id":1234567,"price":999000,"bedrooms":4,"city":"Zaragoza"}</script>`,
      url: 'https://homes.example/listing/1234567',
      country: 'ES',
      currency: null,
    })!.values
    expect(values).toMatchObject({ price: 999000, municipality: 'Zaragoza' })
  })

  it('shortens a postcode to the part that the page prints', () => {
    const state = { id: 1234567, price: 250000, bedrooms: 3, postcode: 'OX3 9AY' }
    expect(read('<h1>Mill Lane, OX3</h1><p>£250,000</p>', state, 'GB').postcode).toBe('OX3')
  })
})

it('leaves the label out of a reference', () => {
  const state = { id: 1234567, price: 250000, bedrooms: 3, reference: 'Ref: AB-4711' }
  expect(read('<h1>Sunny home</h1><p>Ref: AB-4711</p><p>250.000 €</p>', state).reference).toBe('AB-4711')
})
