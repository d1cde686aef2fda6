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
