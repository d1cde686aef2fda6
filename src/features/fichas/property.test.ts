/** What the general reader finds becomes the property and the energy of a sheet. */
import { expect, it } from 'vitest'
import { emptyValues } from '../../domain/listing/reader/reconcile.ts'
import { toProperty } from './property.ts'

it('takes the ratings and the amounts of energy from the page', () => {
  const values = {
    ...emptyValues(),
    energyRating: 'E' as const,
    emissionsRating: 'D' as const,
    energyConsumptionKwhM2: 157,
    emissionsKgM2: 33,
  }
  const { energy } = toProperty(
    { parsed: null, general: { values, evidence: {} }, captions: new Map() },
    'ES',
  )
  expect(energy).toEqual({ rating: 'E', emissions: 'D', consumptionKwhM2: 157, emissionsKgM2: 33 })
})

it('leaves the name of the advertiser out of the title and the description', () => {
  const values = {
    ...emptyValues(),
    title: 'Particular Marta Soler vende piso',
    description: 'MARTA SOLER VENDE. Piso alto.',
    advertiserName: 'Marta Soler',
  }
  const { property } = toProperty(
    { parsed: null, general: { values, evidence: {} }, captions: new Map() },
    'ES',
  )
  expect(property).toMatchObject({ title: 'Particular vende piso', description: 'Piso alto.' })
})
