/** What the reader finds in the visible page. */
import { describe, expect, it } from 'vitest'
import { readListing } from '../read-listing.ts'

// Without a fact of property, the page would be no listing.
const floor = '<script type="application/json">{"floorNumber":2}</script>'
const read = (body: string, head = '', country: string | null = 'ES') =>
  readListing({
    html: `<!doctype html><html><head>${head}${floor}</head><body>${body}</body></html>`,
    url: 'https://homes.example/listing/1234567',
    country,
    currency: null,
  })!.values

describe('labels and values in the markup', () => {
  it('reads definition lists, table rows, lines with a colon and adjacent elements', () => {
    const values = read(
      `<h1>Ihr neues Zuhause</h1>
      <dl><dt>Wohnfläche ca.</dt><dd>86,5 m²</dd><dt>Zimmer</dt><dd>3</dd></dl>
      <table><tr><th>Kaufpreis</th><td>420.000 €</td></tr><tr><td>Baujahr</td><td>1974</td></tr></table>
      <ul><li>Anzahl Badezimmer: 2</li><li><b>Grundstück:</b> 512 m²</li></ul>
      <div><span>Objektnummer</span><span>AB-4711</span></div>`,
      '',
      'DE',
    )
    expect(values).toMatchObject({
      squareMeters: 86.5,
      rooms: 3,
      price: 420000,
      currency: 'EUR',
      yearBuilt: 1974,
      bathrooms: 2,
      plotSquareMeters: 512,
      reference: 'AB-4711',
    })
  })

  it('reads values that stand before their labels', () => {
    const values = read(`<h1>Moradia com jardim</h1>
      <div class="facts"><div><strong>4</strong><span>Quartos</span></div>
      <div><strong>3</strong><span>Casas de banho</span></div>
      <div><strong>210 m²</strong><span>Área bruta</span></div></div>`)
    expect(values).toMatchObject({ bedrooms: 4, bathrooms: 3, squareMeters: 210 })
  })

  it('reads icons whose title or class is the label', () => {
    const values = read(`<h1>Cottage</h1>
      <p><i class="icon icon-bed"></i> 3 <i class="icon icon-bath"></i> 2</p>
      <ul><li title="Year built">1932</li></ul>`)
    expect(values).toMatchObject({ bedrooms: 3, bathrooms: 2, yearBuilt: 1932 })
  })

  it('reads texts that state their own meaning', () => {
    const values = read(
      `<h1>Piso</h1><ul><li>70 m² construidos, 65 m² útiles</li><li>2 habitaciones</li></ul>`,
    )
    expect(values).toMatchObject({ squareMeters: 70, usableSquareMeters: 65, bedrooms: 2, rooms: null })
  })

  it('does not take charges, deposits or other listings for the price', () => {
    const values = read(`<h1>Appartement à louer</h1>
      <dl><dt>Loyer</dt><dd>850 €/mois</dd><dt>Charges</dt><dd>90 €</dd><dt>Dépôt de garantie</dt><dd>1.700 €</dd></dl>
      <h2>Annonces similaires</h2>
      <div class="card"><a href="/a/1"><img src="a.jpg">Prix 990 € 4 chambres</a></div>
      <div class="card"><a href="/a/2"><img src="b.jpg">Prix 450 € 1 chambre</a></div>`)
    expect(values).toMatchObject({ price: 850, pricePeriod: 'month', operation: 'rent', bedrooms: null })
  })

  it.each([
    ['es', 'Referencia: X-90', 'Planta: 3ª', 'Año de construcción: 1990', 'Dormitorios: 2', 'Baños: 1'],
    ['ca', 'Referència: X-90', 'Planta: 3', 'Any de construcció: 1990', 'Dormitoris: 2', 'Banys: 1'],
    ['pt', 'Referência: X-90', 'Andar: 3', 'Ano de construção: 1990', 'Quartos: 2', 'Casas de banho: 1'],
    ['it', 'Riferimento: X-90', 'Piano: 3', 'Anno di costruzione: 1990', 'Camere da letto: 2', 'Bagni: 1'],
    [
      'fr',
      'Référence : X-90',
      'Étage : 3',
      'Année de construction : 1990',
      'Chambres : 2',
      'Salles de bains : 1',
    ],
    ['de', 'Objekt-Nr.: X-90', 'Etage: 3', 'Baujahr: 1990', 'Anzahl Schlafzimmer: 2', 'Badezimmer: 1'],
    [
      'nl',
      'Referentienummer: X-90',
      'Verdieping: 3',
      'Bouwjaar: 1990',
      'Aantal slaapkamers: 2',
      'Badkamers: 1',
    ],
    ['en', 'Ref. no.: X-90', 'Floor: 3', 'Year built: 1990', 'Bedrooms: 2', 'Bathrooms: 1'],
    ['pl', 'Numer oferty: X-90', 'Piętro: 3', 'Rok budowy: 1990', 'Liczba sypialni: 2', 'Łazienki: 1'],
    ['cs', 'Číslo zakázky: X-90', 'Patro: 3', 'Rok výstavby: 1990', 'Počet ložnic: 2', 'Koupelny: 1'],
  ])('knows the labels of the language %s', (_language, ...lines) => {
    const values = read(`<h1>1</h1><ul>${lines.map(line => `<li>${line}</li>`).join('')}</ul>`)
    expect(values).toMatchObject({ reference: 'X-90', floor: 3, yearBuilt: 1990, bedrooms: 2, bathrooms: 1 })
  })
})

describe('headings', () => {
  it.each([
    ['2-Zimmer-Wohnung zur Miete', 'rent', 'apartment'],
    ['Huis te koop in Gent', 'sale', 'house'],
    ['Maison à vendre à Lyon', 'sale', 'house'],
    ['Trilocale in affitto, Milano', 'rent', 'apartment'],
    ['Mieszkanie do wynajęcia, Kraków', 'rent', 'apartment'],
    ['Àtic en venda a Girona', 'sale', 'penthouse'],
    ['Escritório para arrendar no Porto', 'rent', 'office'],
    ['Terraced house for sale', 'sale', 'house'],
  ])('reads the operation and the type of %s', (heading, operation, subtype) => {
    expect(read(`<h1>${heading}</h1>`)).toMatchObject({ title: heading, operation, subtype })
  })

  it('reads the address of a heading that ends with a county', () => {
    expect(read('<h1>8 Mill Lane, Kinvara, Co. Galway</h1><p>2 bathrooms</p>', '', 'IE')).toMatchObject({
      address: '8 Mill Lane, Kinvara, Co. Galway',
      municipality: 'Kinvara',
      province: 'Co. Galway',
    })
  })
})

describe('texts without a label', () => {
  it('reads the price of an element that is named so, and the description under its heading', () => {
    const description =
      'A quiet house with a large garden, close to the station and to the schools of the village.'
    const values = read(`<h1>House for sale</h1><p class="listing-price">Guide price £725,000</p>
      <h2>Description</h2><div>${description} ${description}</div>`)
    expect(values).toMatchObject({
      price: 725000,
      currency: 'GBP',
      description: `${description} ${description}`,
    })
  })

  it('reads photographs in page order, without logos and plans', () => {
    const photo = (name: string) => `<img src="/photos/${name}.jpg" alt="">`
    const values = read(
      `<h1>House</h1><p>2 bathrooms</p><div>${photo('kitchen-0001')}${photo('garden-0002')}${photo('hall-0003')}</div>
       <img src="/img/logo-agency.png"><img src="/photos/floorplan-0004.jpg">`,
      '<meta property="og:image" content="https://homes.example/photos/garden-0002.jpg">',
    )
    expect(values.images).toEqual([
      'https://homes.example/photos/kitchen-0001.jpg',
      'https://homes.example/photos/garden-0002.jpg',
      'https://homes.example/photos/hall-0003.jpg',
    ])
  })

  it('reads a range as a range', () => {
    const values = read('<h1>New homes</h1><p>2 bathrooms</p><p class="price">210.000 € - 350.000 €</p>')
    expect(values).toMatchObject({ price: null, priceMin: 210000, priceMax: 350000 })
  })

  it('reads the phone and the name in the part of the advertiser', () => {
    const values =
      read(`<h1>Flat for sale</h1><div class="agent-card"><p class="agent-name">Harper and Lane</p>
      <a href="tel:+442079460000">020 7946 0000</a></div>`)
    expect(values).toMatchObject({ advertiserName: 'Harper and Lane', advertiserPhone: '020 7946 0000' })
  })
})

describe('features, places and the kind of the advertiser', () => {
  it('reads the list under a heading, without denied features', () => {
    const values = read(`<h1>Casa</h1><h3>Equipamiento</h3>
      <ul><li>Piscina comunitaria</li><li>Ascensor: no</li><li>Cocina equipada</li></ul>`)
    expect(values.features).toEqual(['pool'])
    expect(values.featureLabels).toEqual(['Piscina comunitaria', 'Cocina equipada'])
  })

  it('reads the lines about the location from the smallest place to the largest', () => {
    const values = read(`<h1>Piso en venta</h1><h2>Ubicación</h2>
      <ul><li>Calle Mayor, 2</li><li>Barrio Sol</li><li>El Molar</li><li>Zona Norte</li><li>Norte, Madrid</li></ul>`)
    expect(values).toMatchObject({
      address: 'Calle Mayor, 2',
      neighbourhood: 'Sol',
      municipality: 'El Molar',
      province: 'Madrid',
    })
  })

  it('does not take the address of the agency for that of the listing', () => {
    const values = read(
      `<h1>House</h1><div class="agency-card"><dl><dt>Address</dt><dd>4 Main Street</dd></dl></div>`,
    )
    expect(values.address).toBe(null)
  })

  it.each([
    ['<div class="seller"><span>Particular</span></div>', 'private'],
    ['<h3>Contact agent</h3><p>PSRA Licence No. 001234</p>', 'agency'],
  ])('reads the kind of the advertiser from %s', (html, kind) => {
    expect(read(`<h1>Piso en venta</h1>${html}`).advertiserType).toBe(kind)
  })

  it('reads the text of the page as the description if no element is named so', () => {
    const sentence =
      'Bright rooms on two floors open to a garden that faces south, a short walk from the harbour. '
    const values = read(`<h1>House</h1><div>${`<p>${sentence}</p>`.repeat(5)}</div>`)
    expect(values.description).toContain(sentence.trim())
  })

  it('joins a number and a raised digit: 84.5 m<sup>2</sup>', () => {
    expect(read('<h1>House</h1><p>84.5 m<sup>2</sup></p>').squareMeters).toBe(84.5)
  })
})

it('reads a number and a unit in two elements', () => {
  const values = read(
    '<h1>Casa</h1><p><b>400</b><span>m²</span></p><p><b>500</b><span>m² de terreno</span></p>',
  )
  expect(values).toMatchObject({ squareMeters: 400, plotSquareMeters: 500 })
})

it('does not take a list of labels for the description', () => {
  const rows = Array.from({ length: 30 }, (_, index) => `<li>Value ${index}: yes</li>`).join('')
  expect(read(`<h1>House</h1><div class="description"><ul>${rows}</ul></div>`).description).toBe(null)
})
