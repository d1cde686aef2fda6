/** Civil parishes of Portugal are not municipalities. */
import { expect, test } from 'vitest'
import { parseMunicipality } from './municipality.ts'
import { mergeFacts, parseListing } from './parse-listing.ts'
import { dwelling, jsonLdScript, offer } from './sample-pages.ts'

test.each([
  ['Cascais', 'Cascais'],
  ['União das freguesias de Cascais e Estoril', null],
  ['União das Freguesias de Cascais e Estoril, Cascais', 'Cascais'],
  ['União de Freguesias do Centro, Porto', 'Porto'],
  ['UF de Cascais e Estoril', null],
  ['União das Freguesias de Carcavelos e Parede, Cascais, Lisboa', 'Cascais'],
  ['Lisboa, Cascais, União das Freguesias de Carcavelos e Parede', 'Cascais'],
  ['Cascais (União das Freguesias de Cascais e Estoril)', 'Cascais'],
  ['Cascais - U. F. de Cascais e Estoril', 'Cascais'],
  ['U.F. Carcavelos e Parede, Cascais', 'Cascais'],
  ['Freguesia de Arroios, Lisboa', 'Lisboa'],
  ['Uf', 'Uf'],
  ['Vila Real - Norte', 'Vila Real - Norte'],
  ['A Coruña', 'A Coruña'],
  ['Unión, La', 'Unión, La'],
])('%s is in %s', (text, municipality) => {
  expect(parseMunicipality(text)).toBe(municipality)
})

test('a union of parishes is replaced by a municipality that another source states', () => {
  const parsePageMunicipality = (more: string) =>
    parseListing({
      url: 'https://portal.example/1',
      country: 'PT',
      currency: 'EUR',
      html: `${more}${jsonLdScript({ ...dwelling, address: { addressLocality: 'União das freguesias de Cascais e Estoril' }, offers: offer })}`,
    })?.listing.municipality
  expect(parsePageMunicipality('')).toBeNull()
  expect(parsePageMunicipality('<meta property="og:locality" content="Cascais">')).toBe('Cascais')
})

test('the parish in the value of an API is removed', () => {
  const found = mergeFacts({ url: 'https://portal.example/1', country: 'PT', currency: 'EUR' }, [
    ['api', { price: 1000, municipality: 'União das freguesias de Cascais e Estoril, Cascais' }],
  ])
  expect(found?.listing.municipality).toBe('Cascais')
})
