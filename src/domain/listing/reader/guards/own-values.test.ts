/** Values of the listing beside those of its agency, its portal and the texts for advertising. */
import { describe, expect, it } from 'vitest'
import { findCountryOfLanguage } from '../countries.ts'
import { readListing } from '../read-listing.ts'

const filler = `<p>${'The owners have looked after the place with great care for many years and it shows. '.repeat(20)}</p>`
const fact = '<dl><dt>Bathrooms</dt><dd>2</dd></dl>'
function read(
  body: string,
  {
    country = 'DE',
    head = '',
    state = null,
    path = '/listing/1234567',
    end = filler,
  }: {
    country?: string
    head?: string
    state?: object | null
    path?: string
    end?: string
  } = {},
) {
  return readListing({
    html: `<!doctype html><html lang="en"><head>${head}</head><body>${body}${fact}${end}
      ${state === null ? '' : `<script type="application/json">${JSON.stringify(state)}</script>`}</body></html>`,
    url: `https://homes.example${path}`,
    country,
    currency: null,
  })!.values
}

describe('the place', () => {
  it('is the town beside the heading, not the address on the card of a person', () => {
    const card = `<ul><li class="fn">Dennis Muster</li><li class="adr"><span class="street-address">Ringstraße 6</span><br>
      <span>10115</span> <span>Berlin</span></li></ul>`
    expect(read(`<h1>4-Zimmer-Wohnung</h1><h2>35390 Gießen, Etagenwohnung</h2>${card}`)).toMatchObject({
      address: null,
      postcode: '35390',
      municipality: 'Gießen',
    })
  })

  it('is no address under a heading about the agency', () => {
    const table = '<table><tr><th>Address</th><td>24 Station Road</td></tr></table>'
    expect(read(`<h1>House</h1><h2>About this agency</h2><h4>Harper</h4>${table}`).address).toBe(null)
    expect(read(`<h1>House</h1><h2>Facts</h2>${table}`).address).toBe('24 Station Road')
  })

  it('is the whole line of an element for addresses that ends with a province', () => {
    expect(
      read('<h1>Flat</h1><address>After Blue Bridge, Ajah, Lagos</address>', { country: 'NG' }).address,
    ).toBe('After Blue Bridge, Ajah, Lagos')
  })

  it('is no other label with its value', () => {
    const values = read('<h1>Flat</h1><div><h3>Property address</h3><span>\u200bPID: 7NUGY</span></div>', {
      country: 'NG',
      path: '/listing',
    })
    expect(values).toMatchObject({ address: null, reference: '7NUGY' })
  })

  it('is that of the only property of a listing', () => {
    const location = { latitude: 45.51281, longitude: 9.13612, city: 'Milano' }
    const state = { realEstate: { id: 1234567, price: 250000, bedrooms: 2, properties: [{ location }] } }
    expect(
      read('<h1>Flat in Milano</h1><p>250.000 €, 2 bedrooms</p>', { country: 'IT', state }),
    ).toMatchObject({
      latitude: 45.51281,
      municipality: 'Milano',
    })
  })

  it.each([
    ['es', 'EUR', '+34 910 000 000', 'ES'],
    ['es', 'EUR', '+376 800 000', 'AD'],
    ['es', 'EUR', '910 000 000', null],
    ['pt', 'EUR', '00351 210 000 000', 'PT'],
    ['pt', 'EUR', '+34 910 000 000', null],
    ['sv', 'EUR', '+34 910 000 000', null],
    ['it', 'EUR', '', null],
    ['de', 'EUR', '+43 1 000 0000', 'AT'],
    ['en', 'EUR', '+353 1 000 0000', null],
  ])('speaks %s, pays in %s and is called at %s: %s', (language, currency, phone, country) => {
    expect(findCountryOfLanguage(language, currency, phone)).toBe(country)
  })
})

describe('the reference', () => {
  it.each([
    ['<h1>For sale: flat (PID: 6PBUWY)</h1>', '/listing', '6PBUWY'],
    ['<h1>Three rooms - Oliwa - 48721860 • Homes</h1>', '/listing', '48721860'],
    ['<h1>Annonce n°106898 : une maison</h1>', '/listing', '106898'],
    ['<h1>1547 Elm Court | MLS# ML81643266</h1>', '/property/81643266', 'ML81643266'],
    ['<h1>Bright flat</h1><p>Flat 7NUGY</p>', '/property/flat-in-lagos-7NUGY', '7NUGY'],
    ['<h1>Bright flat</h1><p>1771-14563-258</p>', '/detail/1771-14563-258.html', '1771-14563-258'],
    ['<h1>Bright flat</h1>', '/detail/1771-14563-258.html', null],
  ])('of %s at %s is %s', (body, path, reference) => {
    expect(read(body, { path }).reference).toBe(reference)
  })
})

describe('texts', () => {
  it('prefers the heading to a title that the page does not print', () => {
    const state = { id: 1234567, price: 250000, bedrooms: 3, title: 'Sopot, Grunwaldzka, 80 m2' }
    expect(read('<h1>Flat Sopot, Dolny, Grunwaldzka, two rooms, 80 m2</h1>', { state }).title).toBe(
      'Flat Sopot, Dolny, Grunwaldzka, two rooms, 80 m2',
    )
  })

  it('takes no explanation of a form for the description', () => {
    const prose = 'Your reply is sent to the person by e-mail and is not published on this page at all. '
    const values = read(`<h1>Garage</h1><form><div><p>${prose.repeat(8)}</p></div></form>`, { end: '' })
    expect(values.description).toBe(null)
  })

  it('puts the cover that only the head names before the photographs', () => {
    const photos = [1, 2, 3].map(index => `<img src="/photos/room-000${index}.jpg">`).join('')
    const head = '<meta property="og:image" content="https://homes.example/photos/cover-0009.jpg">'
    expect(read(`<h1>House</h1><div>${photos}</div>`, { head }).images).toEqual(
      ['cover-0009', 'room-0001', 'room-0002', 'room-0003'].map(
        name => `https://homes.example/photos/${name}.jpg`,
      ),
    )
  })
})
