/** Years of construction and energy ratings in sentences. */
import { describe, expect, it } from 'vitest'
import { findEnergyRating, findYearBuilt } from './prose-values.ts'

describe('the year of construction', () => {
  it.each<[string, number]>([
    ['Finca de 2024 con ascensor', 2024],
    ['Edificio construido en el año 1998', 1998],
    ['Año de construcción: 1984', 1984],
    ["Edifici construït l'any 1972", 1972],
    ['Prédio construído em 1982', 1982],
    ['Costruito nel 1960', 1960],
    ['In uno stabile del 1930', 1930],
    ['Immeuble de 1975', 1975],
    ['Année de construction : 2005', 2005],
    ['Baujahr: ca. 1972', 1972],
    ['Erbaut im Jahr 1904', 1904],
    ['Ein 1904 erbautes Haus', 1904],
    ['Gebouwd in 1936', 1936],
    ['Budynek z 2015 roku', 2015],
    ['Dům postavený v roce 1985', 1985],
    ['Построен в 2010 году', 2010],
    ['Custom built in approximately 1970', 1970],
    ['The house was built in 1985 and extended in 2004', 1985],
  ])('%s', (text, year) => {
    expect(findYearBuilt(text)).toBe(year)
  })

  it.each([
    'Piso reformado en 2015',
    'Renovated kitchen built in 2015',
    'Edificio de 1900 m²',
    'Piso a estrenar 2024',
    "Palazzo d'epoca dei primi del 1900",
    'Built in 1985. A second building built in 1999',
    'Built by 1923 Homes',
    'Finca de 2000 metros con casa',
    'Edificio de 1600 mts',
    'Superficie construida: 1600 metros',
    'Building of 2000 m with garden, built 1800 sqm',
    'Guest house built in 2016',
    'Terrace built in 2001',
    'Loft built in 2010',
    'Casa de invitados construida en 2016',
  ])('is not in %s', text => {
    expect(findYearBuilt(text)).toBeNull()
  })
})

describe('the energy rating', () => {
  it.each<[string, string]>([
    ['EPC rating B', 'B'],
    ['BER: C1 BER No.116552324', 'C'],
    ['Classe energetica: G, 175 kWh', 'G'],
    ['DPE : D', 'D'],
    ['Certificado energético: E', 'E'],
    ['Energieeffizienzklasse: C', 'C'],
    ['Energielabel A', 'A'],
    ['Energy rating = C (74)', 'C'],
  ])('%s', (text, rating) => {
    expect(findEnergyRating(text)).toBe(rating)
  })

  it.each([
    'Certificado energético: En trámite',
    'Classe energetica A richiesta',
    'BER A to G',
    'EPC: A B C D E F G',
    'Potential EPC rating: B',
    'EPC rating B. EPC rating C.',
  ])('is not in %s', text => {
    expect(findEnergyRating(text)).toBeNull()
  })
})
