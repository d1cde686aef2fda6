/** Features on pages: lists, rows, check marks, data, bullets of descriptions. */
import { describe, expect, it } from 'vitest'
import { readListing } from '../read-listing.ts'

const read = (body: string, state: object | null = null) =>
  readListing({
    html: `<!doctype html><html lang="en"><body><h1>Sunny apartment in the hills</h1>
      <p class="price">€250,000</p><p>3 bedrooms</p><p>90 m²</p>${body}
      ${state === null ? '' : `<script type="application/json">${JSON.stringify({ id: 1234567, price: 250_000, bedrooms: 3, ...state })}</script>`}
      </body></html>`,
    url: 'https://homes.example/listing/1234567',
    country: 'ES',
    currency: null,
  })!.values

const prose = 'The home has a large kitchen and windows that look to the south. '.repeat(5)

describe('features', () => {
  it.each<[string, string, string[]]>([
    [
      'a list in an element with that name',
      '<div class="row features"><ul><li>Double garage, spacious gardens</li><li>No chain</li></ul></div>',
      ['parking', 'garden'],
    ],
    [
      'links to all listings with a feature',
      '<ul><li><a href="/feature/pool/">Pool</a></li><li><a href="/feature/lift/">Lift</a></li><li>3 baths</li></ul>',
      ['pool', 'lift'],
    ],
    ['texts after a check mark', '<p><i class="fa fa-check"></i> Swimming pool area</p>', ['pool']],
    ['texts with a check mark', '<p>✓ Underground garage</p>', ['parking']],
    [
      'short texts of an element with that name',
      '<div class="propertyFeatures"><span>Lift : 1</span><span>Pets</span><span>Air conditioning</span></div>',
      ['lift', 'air_conditioning'],
    ],
    [
      'rows of labels and values',
      `<div><div class="row"><b>Heating</b><i>Gas</i></div><div class="row"><b>Floor</b><i>3</i></div>
       <div class="row"><b>Extras</b><i>Pool, garden</i></div><div class="row"><b>Lift</b><i>No</i></div></div>`,
      ['heating', 'pool', 'garden'],
    ],
    ['a label with a remark', '<p>Heating (gas)</p>', ['heating']],
    [
      'two of them in one text',
      '<ul><li>Terrace and balcony</li><li>3 baths</li><li>90 m²</li></ul>',
      ['terrace', 'balcony'],
    ],
    [
      'bullets of the description',
      `<div class="description">${prose}<br>- Sunny garden<br>- Off street parking<br>- Ten minutes walk to the pool</div>`,
      ['garden', 'parking'],
    ],
  ])('are read from %s', (_, html, features) => {
    expect(read(html).features.toSorted()).toEqual(features.toSorted())
  })

  it.each<[string, object, string[]]>([
    ['objects with labels', { generalFeatures: { Other: { 12: { label: 'Lift', value: null } } } }, ['lift']],
    ['items with the feature', { features: [{ id: 1, feature: 'Double garage' }] }, ['parking']],
    ['one text with commas', { features: 'pool,lift,domotics' }, ['pool', 'lift']],
  ])('are read from data: %s', (_, state, features) => {
    expect(read('', state).features.toSorted()).toEqual(features.toSorted())
  })

  it.each<[string, string]>([
    ['headings of parts', '<h3>Exterior</h3><h3>Parking</h3><p>OUTSIDE</p>'],
    [
      'the views of the page',
      '<p><b>Views</b> <i>3,559</i></p><p>66 views</p><ul><li>Views: 66</li><li>3 baths</li><li>90 m²</li></ul>',
    ],
    ['texts after a cross', '<p><i class="fa fa-times"></i> Swimming pool</p>'],
    ['denied ones', '<h3>Features</h3><dl><dt>BASEMENT</dt><dd>None</dd></dl><p>Lift: not included</p>'],
    [
      'denied within their text',
      '<ul><li>Ascensore No</li><li>Affitto non arredato</li><li>Sin piscina</li><li>Kein Balkon</li><li>90 m²</li></ul>',
    ],
    [
      'what is nearby or possible',
      '<ul><li>Close to a swimming pool</li><li>Parking optional</li><li>3 baths</li></ul>',
    ],
    [
      'what it looks at',
      `<div><div class="row"><b>Orientation</b><i>Garden</i></div><div class="row"><b>Floor</b><i>3</i></div>
       <div class="row"><b>Bedrooms</b><i>3</i></div><div class="row"><b>Bathrooms</b><i>2</i></div></div>`,
    ],
  ])('are not %s', (_, html) => {
    expect(read(html).features).toEqual([])
  })

  it('takes the side of a floor', () => {
    expect(read('<ul><li>Planta 3ª exterior</li><li>3 baños</li><li>90 m²</li></ul>').features).toEqual([
      'exterior',
    ])
  })
})
