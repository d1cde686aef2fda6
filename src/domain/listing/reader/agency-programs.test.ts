/** Pages as themes and programs of agencies in several countries print them. */
import { expect, it } from 'vitest'
import { readListing } from './read-listing.ts'

const read = (lang: string, country: string, title: string, body: string) =>
  readListing({
    html: `<!doctype html><html lang="${lang}"><head><title>${title}</title></head>
      <body><header><nav><a href="/">Home</a></nav></header><main><h1>${title}</h1>${body}</main></body></html>`,
    url: 'https://www.homes.example/property/12345',
    country,
    currency: null,
  })!.values

it('reads a theme with lists of strong labels', () => {
  const values = read(
    'es',
    'ES',
    'Piso en venta en Ruzafa',
    `<ul><li class="item-price">450.000€</li></ul><ul class="list-2-cols">
      <li><strong>Tamaño:</strong> <span>180 m²</span></li><li><strong>Dormitorios:</strong> <span>4</span></li>
      <li><strong>Baños:</strong> <span>2</span></li><li><strong>Año de construcción:</strong> <span>2016</span></li>
      <li><strong>Estado de la propiedad:</strong> <span>En venta</span></li></ul>
    <ul class="class-energy-list"><li><strong>Clase energética:</strong><span>C</span></li>
      <li><strong>Índice de rendimiento energético:</strong><span>92.42 kWh / m²a</span></li></ul>
    <ul><li><i class="icon-check-circle-1"></i><a href="/caracteristica/ascensor/">Ascensor</a></li>
      <li><i class="icon-check-circle-1"></i><a href="/caracteristica/piscina/">Piscina</a></li></ul>
    <div class="agent-details"><ul><li class="agent-name"><i class="icon"></i> Laura Gómez</li>
      <li><a href="tel:+34960000000">960 000 000</a></li></ul></div>`,
  )
  expect(values).toMatchObject({
    operation: 'sale',
    subtype: 'apartment',
    price: 450_000,
    squareMeters: 180,
    bedrooms: 4,
    bathrooms: 2,
    yearBuilt: 2016,
    status: 'available',
    energyRating: 'C',
    energyConsumptionKwhM2: 92.42,
    features: ['lift', 'pool'],
    advertiserName: 'Laura Gómez',
    advertiserPhone: '960 000 000',
  })
})

it('reads lines and symbols of a Spanish program', () => {
  const values = read(
    'es',
    'ES',
    'Casa adosada en venta en Getafe',
    `<div class="precio">285.000 €</div><ul class="iconos"><li>3 habitaciones</li><li>2 baños</li>
      <li>140 m² construidos</li><li>125 m² útiles</li><li>200 m² parcela</li></ul>
    <div class="caracteristicas"><h3>Características</h3><ul><li>Ascensor: No</li><li>Calefacción: Gas natural</li>
      <li>Garaje: Sí</li><li>Antigüedad: 1998</li><li>Conservación: Buen estado</li></ul></div>
    <div>Calificación energética: Consumo E 157 kWh/m² año Emisiones D 33 kg CO2/m² año</div>`,
  )
  expect(values).toMatchObject({
    squareMeters: 140,
    usableSquareMeters: 125,
    plotSquareMeters: 200,
    yearBuilt: 1998,
    condition: 'good',
    energyRating: 'E',
    emissionsRating: 'D',
    energyConsumptionKwhM2: 157,
    emissionsKgM2: 33,
  })
  expect(values.features.toSorted()).toEqual(['heating', 'parking'])
})

it('reads rows of an Italian program', () => {
  const row = (label: string, value: string) => `<div class="row"><span>${label}</span><b>${value}</b></div>`
  const values = read(
    'it',
    'IT',
    'Trilocale in vendita a Bologna',
    `<div class="prezzo">€ 245.000</div><div>${row('Locali', '3')}${row('Camere', '2')}${row('Bagni', '1')}
      ${row('Superficie', '85 mq')}${row('Piano', '2° di 4')}${row('Ascensore', 'Sì')}
      ${row('Classe energetica', 'G - 175 kWh/m² anno')}${row('Anno di costruzione', '1965')}</div>
    <p>Spese condominiali: € 100/mese</p>`,
  )
  expect(values).toMatchObject({
    price: 245_000,
    pricePeriod: null,
    squareMeters: 85,
    rooms: 3,
    bedrooms: 2,
    floor: 2,
    yearBuilt: 1965,
    energyRating: 'G',
    energyConsumptionKwhM2: 175,
    features: ['lift'],
  })
})

it('reads lists of a French program', () => {
  const values = read(
    'fr',
    'FR',
    'Appartement 4 pièces à vendre à Lyon 6',
    `<p class="price">420 000 €</p><ul><li>Surface <span>85 m²</span></li><li>Pièces <span>4 pièces</span></li>
      <li>Chambres <span>3 chambres</span></li><li>Étage <span>3ème étage</span></li>
      <li>Année de construction <span>1975</span></li><li>Taxe foncière <span>1 250 € /an</span></li></ul>
    <div class="dpe"><span>Consommations énergétiques</span><span>D</span> 215 kWhEP/m²/an</div>
    <div class="ges"><span>Emissions de gaz à effet de serre</span><span>D</span> 44 kgCO2/m²/an</div>`,
  )
  expect(values).toMatchObject({
    price: 420_000,
    squareMeters: 85,
    rooms: 4,
    bedrooms: 3,
    floor: 3,
    yearBuilt: 1975,
    energyRating: 'D',
    emissionsRating: 'D',
    energyConsumptionKwhM2: 215,
    emissionsKgM2: 44,
  })
})

it('reads definition lists of a German program', () => {
  const values = read(
    'de',
    'DE',
    '3-Zimmer-Wohnung zur Miete in Köln',
    `<dl><dt>Kaltmiete</dt><dd>980,00 €</dd><dt>Nebenkosten</dt><dd>180 €</dd><dt>Warmmiete</dt><dd>1.160 €</dd>
      <dt>Wohnfläche</dt><dd>ca. 78,5 m²</dd><dt>Zimmer</dt><dd>3</dd><dt>Etage</dt><dd>2 von 4</dd>
      <dt>Baujahr</dt><dd>1972</dd><dt>Endenergieverbrauch</dt><dd>119,20 kWh/(m²*a)</dd>
      <dt>Energieeffizienzklasse</dt><dd>D</dd></dl>`,
  )
  expect(values).toMatchObject({
    operation: 'rent',
    price: 980,
    pricePeriod: 'month',
    squareMeters: 78.5,
    rooms: 3,
    floor: 2,
    yearBuilt: 1972,
    energyRating: 'D',
    energyConsumptionKwhM2: 119.2,
  })
})

it('reads labels of a Portuguese program', () => {
  const item = (label: string, value: string) => `<li><span>${label}:</span> <span>${value}</span></li>`
  const values = read(
    'pt',
    'PT',
    'Apartamento T3 para venda em Matosinhos',
    `<div class="price">325.000 €</div><ul>${item('Quartos', '3')}${item('WCs', '2')}${item('Área Útil', '98 m²')}
      ${item('Área Bruta', '120 m²')}${item('Ano de Construção', '1998')}${item('Certificado Energético', 'C')}
      ${item('Piso', '2º')}</ul><h3>Características</h3><ul><li>Elevador</li><li>Garagem</li><li>Varanda</li></ul>`,
  )
  expect(values).toMatchObject({
    squareMeters: 120,
    usableSquareMeters: 98,
    bedrooms: 3,
    bathrooms: 2,
    floor: 2,
    yearBuilt: 1998,
    energyRating: 'C',
  })
  expect(values.features.toSorted()).toEqual(['balcony', 'lift', 'parking'])
})
