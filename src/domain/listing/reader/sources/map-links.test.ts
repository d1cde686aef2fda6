/** Points in the URLs of maps. */
import { describe, expect, it } from 'vitest'
import { readListing } from '../read-listing.ts'
import { parseMapUrl } from './map-links.ts'

const point = { latitude: 50.727776, longitude: 15.597127 }

describe('URLs of maps', () => {
  it.each([
    'https://www.google.com/maps/embed/v1/place?key=x&q=50.727776,15.597127&zoom=15',
    'https://www.google.com/maps/?q=50.727776%2C15.597127',
    'https://www.google.com/maps?t=k&q=loc:50.727776+15.597127',
    'https://www.google.com/maps/dir/?api=1&destination=50.727776,15.597127',
    'https://www.google.es/maps/@50.727776,15.597127,17z',
    'https://www.google.com/maps/embed?pb=!1m18!1m12!2d15.597127!3d50.727776!2m3',
    'https://www.google.com/maps/place/X/data=!4m2!3d50.727776!4d15.597127',
    'https://maps.googleapis.com/maps/api/staticmap?center=50.727776,15.597127&zoom=16',
    'https://www.openstreetmap.org/?mlat=50.727776&mlon=15.597127#map=16/50.7/15.5',
    'https://www.bing.com/maps/embed/viewer.aspx?v=3&cp=50.727776~15.597127&lvl=15',
    'https://api.mapbox.com/styles/v1/x/static/pin-s+f00(15.597127,50.727776)/15.5,50.7,14/300x200',
  ])('%s', url => {
    expect(parseMapUrl(url)).toEqual(point)
  })

  it.each([
    'https://www.google.com/maps?q=50.727776,15.597127&z=11',
    'https://www.google.com/maps?q=Calle+Mayor+5',
    'https://www.google.com/maps/@50.7,15.6,17z',
  ])('has no exact point: %s', url => {
    expect(parseMapUrl(url)).toBe(null)
  })
})

describe('maps of a page', () => {
  const read = (body: string) =>
    readListing({
      html: `<html lang="cs"><body><h1>Prodej bytu 2+kk, 50 m²</h1><p>Cena 3 000 000 Kč</p>${body}</body></html>`,
      url: 'https://homes.example/detail/1234567',
      country: 'CZ',
      currency: null,
    })!.values
  const map = (degrees: string) => `<iframe src="https://maps.google.com/maps?q=${degrees}"></iframe>`

  it('give the point of the listing', () => {
    expect(read(`<div class="detail">${map('50.727776,15.597127')}</div>`)).toMatchObject(point)
  })

  it('give none that differ, and none of the agency', () => {
    expect(read(`${map('50.727776,15.597127')}${map('50.101010,15.597127')}`).latitude).toBe(null)
    expect(read(`<div class="agency-card">${map('50.727776,15.597127')}</div>`).latitude).toBe(null)
  })

  it('reads degrees of attributes with a prefix', () => {
    expect(read('<div id="map" data-gps-lat="50.727776" data-gps-lon="15.597127"></div>')).toMatchObject(
      point,
    )
    expect(read('<div id="map" data-coord-lat="50.727776" data-coord-lng="15.597127"></div>')).toMatchObject(
      point,
    )
  })
})
