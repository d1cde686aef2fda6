/** Values of agencies, portals and scripts that are not those of the listing. */
import { expect, it } from 'vitest'
import { readListing } from '../read-listing.ts'

const filler = `<p>${'The owners have looked after the place with great care for many years and it shows. '.repeat(20)}</p>`
// Without a fact of property, the page would be no listing.
const fact = '<dl><dt>Bathrooms</dt><dd>2</dd></dl>'
const read = (body: string, state: object | null = null) =>
  readListing({
    html: `<!doctype html><html lang="en"><body>${body}${fact}${filler}
      ${state === null ? '' : `<script type="application/json">${JSON.stringify(state)}</script>`}</body></html>`,
    url: 'https://homes.example/listing/1234567',
    country: 'ES',
    currency: null,
  })!.values
const listing = { id: 1234567, price: 250000, bedrooms: 3 }

it("leaves the agency's postcode and point out", () => {
  const agency = {
    '@type': 'RealEstateAgent',
    address: { '@type': 'PostalAddress', postalCode: '08014' },
    geo: { latitude: 41.374146, longitude: 2.139515 },
  }
  const head = `<script type="application/ld+json">${JSON.stringify(agency)}</script>
    <h1>Sunny home</h1><p>250.000 €, 3 bedrooms. Office: 08014 Barcelona</p>`
  const place = { postcode: '08014', latitude: 41.374146, longitude: 2.139515 }
  expect(read(head, { ...listing, ...place })).toMatchObject({ postcode: null, latitude: null })
  const other = { postcode: '08014', latitude: 41.4012, longitude: 2.1567 }
  expect(read(head, { ...listing, ...other }).latitude).toBe(41.4012)
})

it('takes one of several weak points for none', () => {
  const points = [
    { latitude: 41.374146, longitude: 2.139515 },
    { latitude: 41.404146, longitude: 2.169515 },
  ]
  const divs = points.map(
    point => `<div data-latitude="${point.latitude}" data-longitude="${point.longitude}"></div>`,
  )
  expect(read(`<h1>Sunny home</h1>${divs.join('')}`).latitude).toBeNull()
  expect(read(`<h1>Sunny home</h1>${divs[0]}`).latitude).toBe(41.374146)
})

it('takes a reference with the letters that the page prints before its number', () => {
  const body = '<h1>Sunny home</h1><dl><dt>Reference</dt><dd>479434</dd></dl>'
  expect(read(`${body}<p>Online number OM-479434</p>`).reference).toBe('OM-479434')
  expect(read(body).reference).toBe('479434')
})

it('takes a heading in the part of the advertiser for no name', () => {
  const body = '<h1>Sunny home</h1><div class="agent-box"><h3 class="title">Opening Hours</h3></div>'
  expect(read(body).advertiserName).toBeNull()
  const named =
    '<h1>Sunny home</h1><div class="agent-box"><h3 class="title">Anna Rovira</h3></div><p>By Anna Rovira</p>'
  expect(read(named).advertiserName).toBe('Anna Rovira')
})

it('takes codes of regions for no towns, and a text that the page does not print for no description', () => {
  const state = {
    ...listing,
    city: 'marina',
    description: 'Buy, rent and sell homes with us in the whole country',
  }
  expect(read('<h1>Sunny home near the marina</h1><p>250.000 €</p>', state)).toMatchObject({
    municipality: null,
    description: expect.not.stringContaining('whole country'),
  })
})

it('counts neither photos nor storeys', () => {
  const values = read('<h1>Sunny home</h1><p><i title="camera"></i> 24</p><p>3 bedrooms</p>', {
    ...listing,
    floorCount: 4,
  })
  expect(values).toMatchObject({ bedrooms: 3, floor: null })
})

it('takes the values of a search form for none of the listing', () => {
  const form = (attributes: string) =>
    `<h1>Sunny home in Getafe</h1><form ${attributes}><input type="hidden" name="bedrooms" value="7">
    <input type="hidden" name="city" value="Getafe"><input type="hidden" name="price" value="90000"></form>
    <p>7 days, 90.000</p>`
  expect(read(form('action="/search"'))).toMatchObject({ price: null, bedrooms: null, municipality: null })
  expect(read(form('action="/enquiry"'))).toMatchObject({ price: 90000, bedrooms: 7, municipality: 'Getafe' })
})

it("leaves the point of the advertiser's map and of the footer out", () => {
  const map = '<div data-lat="41.374146" data-lng="2.139515"></div>'
  expect(read(`<h1>Sunny home</h1>${map}`).latitude).toBe(41.374146)
  expect(read(`<h1>Sunny home</h1><div class="agency-card">${map}</div>`).latitude).toBeNull()
  expect(read(`<h1>Sunny home</h1><footer><div>${map}</div></footer>`).latitude).toBeNull()
})

it('takes a sentence for no place', () => {
  const sentence = 'Discover what makes this area so popular'
  const values = read(`<h1>Sunny home</h1><dl><dt>Address</dt><dd>${sentence}</dd></dl>
    <dl><dt>Neighbourhood</dt><dd>${sentence}</dd></dl>`)
  expect(values).toMatchObject({ address: null, neighbourhood: null })
})
