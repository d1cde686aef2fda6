/** Properties for tests of advertising rules. */
import { type AdvertisedProperty, noStatements } from './advertised-property.ts'
import { checkAdvertising } from './check-advertising.ts'

export const today = Temporal.PlainDate.from('2026-11-10')

export type Change = {
  [Part in keyof AdvertisedProperty]?: Partial<NonNullable<AdvertisedProperty[Part]>> | null
}

/** A home that states everything, for sale in Madrid. */
export const complete: AdvertisedProperty = {
  property: {
    operation: 'sale',
    propertyType: 'homes',
    subtype: 'apartment',
    condition: 'good',
    yearBuilt: 1974,
    price: 466_000,
    pricePeriod: null,
    squareMeters: 96,
    usableSquareMeters: 84,
    rooms: 4,
    bedrooms: 3,
    address: 'Calle de Alcalá 100',
    municipality: 'Madrid',
    province: 'Madrid',
    postcode: '28009',
    country: 'ES',
  },
  energy: { rating: 'E', consumptionKwhM2: 172 },
  agent: { licence: 'API 1234' },
  advertising: noStatements,
}

export function change(advertised: AdvertisedProperty, { property, energy, agent, advertising }: Change) {
  return {
    property: { ...advertised.property, ...property },
    energy:
      energy === null ? null : { rating: null, consumptionKwhM2: null, ...advertised.energy, ...energy },
    agent: agent === null ? null : { licence: null, ...advertised.agent, ...agent },
    advertising: { ...advertised.advertising, ...advertising },
  }
}

export const rental = change(complete, { property: { operation: 'rent', price: 1250, pricePeriod: 'month' } })
export const inBarcelona: Change = { property: { postcode: '08013', province: 'Barcelona' } }
export const inLisbon: Change = { property: { postcode: '1100-148', province: 'Lisboa', country: 'PT' } }
export const inMilan: Change = { property: { postcode: '20121', province: 'Milano', country: 'IT' } }

export function codes(advertised: AdvertisedProperty, changes: Change = {}, on = today): string[] {
  return checkAdvertising(change(advertised, changes), on).map(({ code, severity }) => `${severity} ${code}`)
}
