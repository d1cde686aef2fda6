/** Titles and references in the headings of a page. */
import { describe, expect, it } from 'vitest'
import { readListing } from '../read-listing.ts'

const prose = 'The owners have looked after the home with great care for many years and it shows. '
function read(body: string, { title = '', head = '', country = 'IT', lang = 'it' } = {}) {
  return readListing({
    html: `<!doctype html><html lang="${lang}"><head><title>${title}</title>${head}</head><body>${body}
      <dl><dt>Bathrooms</dt><dd>2</dd></dl><p>${prose.repeat(9)}</p></body></html>`,
    url: 'https://casaverde.example/listing/anna',
    country,
    currency: null,
  })!.values
}

describe('the title', () => {
  const title = 'Monzuno - Bologna (BO) - Appartamento Affitto - Casa Verde'
  it.each([
    ['7 Agenzie Immobiliari di Cremona che collaborano', ''],
    ['I tuoi sogni, le nostre chiavi', 'header'],
  ])('is that of the page where the heading is the slogan of the site: %s', (slogan, element) => {
    const heading = element === '' ? `<h1>${slogan}</h1>` : `<${element}><h1>${slogan}</h1></${element}>`
    expect(read(heading, { title }).title).toBe('Monzuno - Bologna (BO) - Appartamento Affitto')
  })

  it('is without the host of the site, which its slogan names too', () => {
    const host = 'Monzuno - Bologna (BO) - Appartamento Affitto - Casaverde.example'
    expect(read('<h1>7 Agenzie Immobiliari, Casaverde.example</h1>', { title: host }).title).toBe(
      'Monzuno - Bologna (BO) - Appartamento Affitto',
    )
  })

  it.each([
    ["L'occasione che aspettavi", title],
    ['Trilocale luminoso, agenzia Verde', title],
    ['7 Agenzie Immobiliari di Cremona', 'Verde e Figli'],
    ['Agenzia Verde: appartamento a Monzuno', title],
  ])('is the heading %s under the title %s', (heading, pageTitle) => {
    expect(read(`<h1>${heading}</h1>`, { title: pageTitle }).title).toBe(heading)
  })
})

describe('the reference', () => {
  it.each([
    ['Appartamento via Roma n. 1234', null],
    ['Appartamento in Vía Roma n. 1234, Monzuno', null],
    ['Maison à Bayeux, annonce n°106898', '106898'],
    ['Appartamento via Roma n. 12 - Rif. 6036', '6036'],
    ['Appartamento via Roma n. 1234 - Rif. 6036', '6036'],
    ['Appartamento a Monzuno - Cod. 6036', '6036'],
    ['Appartamento a Monzuno (Rif. A-6036)', 'A-6036'],
  ])('of the heading %s is %s', (heading, reference) => {
    expect(read(`<h1>${heading}</h1>`).reference).toBe(reference)
  })

  it.each([
    ['Rif. 6036', '6036'],
    ['Cod. 6036', '6036'],
    ['Codice AB6036', 'AB6036'],
    ['Ref. V-4711', 'V-4711'],
    ['Cod. fiscale 01234567890', null],
    ['Cap 40036', null],
    ['Rif. legge', null],
  ])('of the text %s is %s', (text, reference) => {
    expect(read(`<h1>Appartamento a Monzuno</h1><span>${text}</span>`).reference).toBe(reference)
  })
})
