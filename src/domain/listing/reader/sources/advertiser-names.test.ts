/** Names and phones of advertisers on pages, as agencies' sites and portals print them. */
import { describe, expect, it } from 'vitest'
import { readListing } from '../read-listing.ts'

const facts = '<ul><li>3 bedrooms</li><li>90 m²</li></ul><p class="price">€250,000</p>'
const read = (body: string, { head = '', url = 'https://homes.example/listing/1234567' } = {}) =>
  readListing({
    html: `<!doctype html><html lang="en"><head>${head}</head><body><h1>Sunny apartment in the hills</h1>
      ${facts}${body}</body></html>`,
    url,
    country: 'IE',
    currency: null,
  })!.values

const prose = 'The home has a large kitchen and a garden that looks to the south. '.repeat(5)

describe('names', () => {
  it.each<[string, string, string]>([
    [
      'the portrait beside a phone link',
      '<div><img alt="Anna Rovira" src="a.jpg"><p>Anna Rovira</p><a href="tel:+353 1 000 0000">Call</a></div>',
      'Anna Rovira',
    ],
    ['a logo', '<img alt="Logo of Rovira & Sons" src="l.png"><p>Rovira &amp; Sons</p>', 'Rovira & Sons'],
    [
      'a long company name beside its logo',
      `<img alt="Logo von Rovira Immobilien Shop Mitte - Rovira & Grund Immobilien GmbH & Co. KG">
       <p>Rovira Immobilien Shop Mitte - Rovira &amp; Grund Immobilien GmbH &amp; Co. KG</p>`,
      'Rovira Immobilien Shop Mitte - Rovira & Grund Immobilien GmbH & Co. KG',
    ],
    [
      'a sentence of the description',
      `<div class="description">Rovira &amp; Sons are delighted to present this home. ${prose} Rovira &amp; Sons</div>`,
      'Rovira & Sons',
    ],
    [
      'a sentence in another language with the words of an agency',
      `<div class="description">Inmobiliaria Rovira ofrece este piso. ${prose} Inmobiliaria Rovira</div>`,
      'Inmobiliaria Rovira',
    ],
    [
      'the heading of contact data',
      '<h2>Contact information</h2><h4>Rovira Homes</h4><p>Rovira Homes</p>',
      'Rovira Homes',
    ],
  ])('are those of %s', (_, html, name) => {
    expect(read(html).advertiserName).toBe(name)
  })

  it.each<[string, string]>([
    ['a picture far from contact data', '<img alt="Anna Rovira" src="a.jpg"><p>Anna Rovira</p>'],
    [
      'a place in the contact data',
      '<div class="contact"><div class="media-heading">Dublin</div><p>Dublin</p></div>',
    ],
    [
      'a home that offers something',
      `<div class="description">Casa Rovira ofrece vistas. ${prose} Casa Rovira</div>`,
    ],
    ...[
      'Datenschutzerklärung *',
      'Política de privacidad',
      'Informativa Privacy',
      'Politique de Confidentialité',
      'Terms and Conditions',
      'Cookie Policy',
      'Polityka Prywatności',
      'Ochrana Osobních Údajů',
      'Aviso Legal',
      'Nome e Cognome *',
      'Vorname *',
    ].map((text): [string, string] => [
      `a word of a form: ${text}`,
      `<div class="agent-box"><form><span class="name">${text}</span><p>${text}</p></form></div>`,
    ]),
    [
      'owners who offer',
      `<div class="description">The Owners are pleased to offer this home. ${prose} The Owners</div>`,
    ],
  ])('are not those of %s', (_, html) => {
    expect(read(html).advertiserName).toBeNull()
  })
})

describe('the site of an agency', () => {
  const url = 'https://www.roviraestates.example/property/1234567'
  const head = '<title>Sunny apartment | Rovira Estates</title>'

  it('is the advertiser of its listings', () => {
    expect(read('', { head, url })).toMatchObject({
      advertiserName: 'Rovira Estates',
      advertiserType: 'agency',
    })
  })

  it.each<[string, string, string, string]>([
    ['another host', head, 'https://homes.example/property/1234567', ''],
    ['a name without words of agencies', head.replace('Estates', 'Four'), url.replace('estates', 'four'), ''],
    ['a portal, which invites to advertise', head, url, '<p>Post your free ad</p>'],
    ['a portal, which is named as its domain', head.replace('Rovira Estates', 'Rovira Estates.ie'), url, ''],
  ])('is not %s', (_, title, address, html) => {
    expect(read(html, { head: title, url: address }).advertiserName).toBeNull()
  })
})

describe('the kind of the advertiser', () => {
  it.each<[string, string]>([
    ['a heading of the contact data', '<div class="agent-box"><h3>Talk to the agent now</h3></div>'],
    ['the name of an agency in it', '<div class="agent-box"><p>Rovira Homes</p></div>'],
    [
      'the sentence of an agency',
      `<div class="description">Rovira Homes are delighted to present this home. ${prose}</div>`,
    ],
    [
      'the company in data',
      `<script type="application/json">{"id":1234567,"price":250000,"bedrooms":3,"agency":{"companyName":"Rovira"}}</script>`,
    ],
  ])('follows from %s', (_, html) => {
    expect(read(html).advertiserType).toBe('agency')
  })
})

it('reads the kind before the name, in a box that opens as a dialogue on small screens', () => {
  const box = `<section class="module-contact modal-contact-grey"><div class="advertiser-data">
    <p class="icon-phone">600 000 000</p><p>Private - Anna Rovira</p></div></section>`
  const found = { advertiserName: 'Anna Rovira', advertiserType: 'private', advertiserPhone: '600 000 000' }
  expect(read(box)).toMatchObject(found)
  expect(read(box.replaceAll('contact', 'login')).advertiserPhone).toBeNull()
})

it('is open for a person who offers a home', () => {
  const html = `<div class="description">Mary Smith is pleased to offer her home, no agency. ${prose} Mary Smith</div>`
  expect(read(html)).toMatchObject({ advertiserName: 'Mary Smith', advertiserType: null })
})

describe('phones', () => {
  it.each<[string, string, string]>([
    ['after a symbol', '<p><i class="fa fa-phone"></i> 910 000 000</p>', '910 000 000'],
    ['in an element with that name', '<div><span class="number phone">910000000</span></div>', '910000000'],
    ['of a label', '<dl><dt>Contact phone</dt><dd>087 000 0000</dd></dl>', '087 000 0000'],
    [
      'in data, below a key of phones',
      `<script type="application/json">{"id":1234567,"price":250000,"bedrooms":3,
       "agents":[{"name":"Anna","phones":[{"ext":"","number":"(415) 250-0000"}]}]}</script>`,
      '(415) 250-0000',
    ],
    [
      'of the first of two agents',
      `<script type="application/json">{"id":1234567,"price":250000,"bedrooms":3,
       "agents":[{"phone":"415 250 0000"},{"phone":"415 250 0001"}]}</script>`,
      '415 250 0000',
    ],
  ])('%s', (_, html, phone) => {
    expect(read(html).advertiserPhone).toBe(phone)
  })
})
