/** The levels of the places in one line. */
import { describe, expect, it } from 'vitest'
import { findDistrict, parsePlaceLine, splitBefore } from './place-line.ts'
import { findRegionKind, listCountriesOfRegion, mayBeProvince } from './regions.ts'

describe('addresses from the street to the province', () => {
  it.each([
    ['12 Mill Lane, Kinvara, Co. Galway', 'IE', { municipality: 'Kinvara', province: 'Co. Galway' }],
    ['21 Seaview Heights, Tramore, Waterford', 'IE', { municipality: 'Tramore', province: 'Waterford' }],
    ['Four Winds, Tullow Road, Carlow', 'IE', { municipality: 'Carlow' }],
    ['9 Oak Drive, Knocklyon, Dublin 16', 'IE', { municipality: 'Dublin' }],
    ['Elm Grove, Nantwich', 'GB', { municipality: 'Nantwich' }],
    ['Towngate, Clifton, Brighouse HD6', 'GB', { municipality: 'Brighouse' }],
    [
      'Station Road, Great Shefford, Hungerford, Berkshire, RG17',
      'GB',
      { municipality: 'Hungerford', province: 'Berkshire' },
    ],
    ['5 Calle Mayor, El Molar, Madrid', 'ES', {}],
    ['Calle Mayor 5, 2º B, Madrid', 'ES', { municipality: 'Madrid' }],
    [
      'Calle Mayor 5, Sol, Madrid, Madrid',
      'ES',
      { municipality: 'Madrid', province: 'Madrid', neighbourhood: 'Sol' },
    ],
    ['Calle Mayor 5, Llanes, Asturias, España', 'ES', { municipality: 'Llanes', province: 'Asturias' }],
    ['Via Roma 3, Segrate, MI', 'IT', { municipality: 'Segrate', province: 'MI' }],
    [
      'Avenida Paulista, 15 - Bela Vista, São Paulo - SP',
      'BR',
      { municipality: 'São Paulo', province: 'SP', neighbourhood: 'Bela Vista' },
    ],
    ['Stráň, Potůčky, okr. Karlovy Vary', 'CZ', { municipality: 'Potůčky', province: 'okr. Karlovy Vary' }],
    ['Prinzenallee 4, Wedding, Berlin', 'DE', { municipality: 'Berlin', neighbourhood: 'Wedding' }],
    ['Maldives 1, DAMAC Islands, Dubai', 'AE', { municipality: 'Dubai', neighbourhood: 'DAMAC Islands' }],
    ['Plot 4, After Blue Bridge, Ajah, Lagos', 'NG', {}],
  ])('%s (%s)', (line, country, expected) => {
    expect(parsePlaceLine(line, country)).toEqual(expected)
  })

  it.each([
    ['Calle de Alcalá, Goya', 'ES'],
    ['Sunny flat, two terraces', 'GB'],
    ['Costa del Sol, Málaga', 'ES'],
    ['Madrid', 'ES'],
  ])('leaves %s open', (line, country) => {
    expect(parsePlaceLine(line, country)).toEqual({})
  })

  it('finds the district before a town that is known', () => {
    const parts = splitBefore('Trilocale via Aldini, 20, Quarto Oggiaro, Milano', 'Milano', 'IT')
    expect(findDistrict(parts!, 'IT')).toEqual({ neighbourhood: 'Quarto Oggiaro' })
    expect(splitBefore('Via Aldini, 20, Milano', 'Torino', 'IT')).toBe(null)
  })
})

describe('provinces', () => {
  it.each([
    ['Kent', 'GB', 'apart'],
    ['Málaga', 'ES', 'shared'],
    ['CA', 'US', 'apart'],
    ['ca', 'US', null],
    ['Provincia de Cuenca', 'ES', 'apart'],
    ['okres Trutnov', 'CZ', 'apart'],
    ['Dubai', 'AE', 'city'],
    ['Marbella', 'ES', null],
  ])('%s in %s: %s', (name, country, kind) => {
    expect(findRegionKind(name, country)).toBe(kind)
  })

  it('takes no town for a province where all provinces are known', () => {
    expect(mayBeProvince('Ikoyi', 'NG')).toBe(false)
    expect(mayBeProvince('Trutnov', 'CZ')).toBe(true)
    expect(mayBeProvince('Harju maakond', 'EE')).toBe(true)
  })

  it('lists the countries of a name', () => {
    expect(listCountriesOfRegion('Córdoba')).toEqual(['ES', 'AR'])
  })
})
