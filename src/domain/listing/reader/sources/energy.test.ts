/** Consumption and emissions on pages, as portals and the programs of agencies print them. */
import { describe, expect, it } from 'vitest'
import { findEnergyQuantities } from '../energy-values.ts'
import { readListing } from '../read-listing.ts'

const read = (body: string) =>
  readListing({
    html: `<!doctype html><html lang="es"><body><h1>Piso en venta en Getafe</h1><p>250.000 €</p>
      <ul><li>3 habitaciones</li><li>90 m²</li></ul>${body}</body></html>`,
    url: 'https://homes.example/listing/1234567',
    country: 'ES',
    currency: null,
  })!.values

describe('amounts with their units', () => {
  it.each<[string, number]>([
    ['214,6 kWh/m² year', 214.6],
    ['157 kWh/m² anno', 157],
    ['103.8 kWh/m²a', 103.8],
    ['76.1 kWh/(m²·a)', 76.1],
    ['125,00 kWh/(m2*a)', 125],
    ['89 KWh/mq anno', 89],
    ['230 kWhEP/m².an', 230],
    ['1.250 kWh / m² año', 1250],
  ])('%s', (text, value) => {
    expect(findEnergyQuantities(text)).toMatchObject([{ quantity: 'energyConsumptionKwhM2', value }])
  })

  it.each<[string, number]>([
    ['44,8 kg CO2/m² year', 44.8],
    ['33 Kg CO₂ / m2 año', 33],
    ['12 kg éqCO2/m².an', 12],
    ['12 kgCO2eq/m²', 12],
  ])('%s', (text, value) => {
    expect(findEnergyQuantities(text)).toMatchObject([{ quantity: 'emissionsKgM2', value }])
  })

  it.each(['35224 kWh/year', '≤ 50 kWh/m²', '51 à 90 kWh/m²', '51-90 kWh/m²', '13800 kWh', '3 kg CO2'])(
    '%s is none',
    text => {
      expect(findEnergyQuantities(text)).toEqual([])
    },
  )
})

describe('the score of a certificate', () => {
  const readData = (data: object, text: string) =>
    read(
      `<p>${text}</p><script type="application/json">${JSON.stringify({ id: 1234567, price: 250000, ...data })}</script>`,
    ).energyConsumptionKwhM2

  it.each(['epcValue', 'energyRatingValue', 'energyEfficiencyValue'])('in %s is no consumption', key => {
    expect(readData({ [key]: 68 }, 'EPC 68')).toBeNull()
  })

  it('is one with its unit', () => {
    expect(readData({ epcValue: '68 kWh/m²' }, '68')).toBe(68)
  })
})

describe('a page', () => {
  it.each<[string, string]>([
    ['one element', '<li><span>Consumo: </span><span>E</span> <span>157 kWh/m² año</span></li>'],
    ['the number before its unit', '<p>Consumo <b>157</b> <i>kWh/m² año</i></p>'],
    ['a label with the unit', '<dl><dt>Consumo de energía (kWh/m² año)</dt><dd>157</dd></dl>'],
    [
      'a sentence of the description',
      `<div class="description"><p>${'Muy bonito y luminoso. '.repeat(9)}Consumo de energía de 157 kWh/m² al año.</p></div>`,
    ],
    [
      'data',
      `<script type="application/json">{"id":1234567,"price":250000,"bedrooms":3,"energyConsumption":157}</script>`,
    ],
  ])('states the consumption in %s', (_, html) => {
    expect(read(html).energyConsumptionKwhM2).toBe(157)
  })

  it('states emissions, and the letter beside the consumption', () => {
    const html = '<p>Consumo</p><p>157 kWh/m² año <b>E</b></p><p>Emisiones (kg CO2/m² año)</p><p>33</p>'
    expect(read(html)).toMatchObject({
      energyRating: 'E',
      energyConsumptionKwhM2: 157,
      emissionsKgM2: 33,
    })
  })

  it('states letters before the amounts', () => {
    const html = `<p>Calificación: Consumo E 157 kWh/m² año Emisiones D 33 kg CO2/m² año</p>`
    expect(read(html)).toMatchObject({ energyRating: 'E', emissionsRating: 'D' })
    const apart = `<div><i>Consommations</i><b>E</b> 157 kWhEP/m²/an</div><div><i>GES</i><b>D</b> 33 kgCO2/m²/an</div>`
    expect(read(apart)).toMatchObject({ energyRating: 'E', emissionsRating: 'D' })
  })

  it('with differing amounts states none', () => {
    const html = '<p>Edificio A: 50 kWh/m²</p><p>Edificio B: 70 kWh/m²</p>'
    expect(read(html).energyConsumptionKwhM2).toBeNull()
  })

  it('states the final energy, which German ratings are about', () => {
    const html = '<p>Primärenergiebedarf: 50 kWh/(m²a)</p><p>Endenergiebedarf: 76 kWh/(m²a)</p>'
    expect(read(html).energyConsumptionKwhM2).toBe(76)
  })

  it('takes the number of another home and the letters of a scale for nothing', () => {
    const html = '<p>Consumo total 3.500 kWh/año</p><p>50 kWh/m²</p><p>A</p><p>B</p><p>C</p>'
    expect(read(html)).toMatchObject({ energyConsumptionKwhM2: 50, energyRating: null })
  })
})
