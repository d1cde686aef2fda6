/** The region of a property, where a region has rules of its own. */
import { foldName } from '../location/words.ts'
import type { AdvertisedProperty } from './advertised-property.ts'
import type { Provision } from './rule.ts'

type Region = NonNullable<Provision['region']>

/** The first two digits of a Spanish postcode are the province. */
const regionsByPostcode: Record<string, Region> = {
  '08': 'ES-CT',
  '17': 'ES-CT',
  '25': 'ES-CT',
  '43': 'ES-CT',
  '03': 'ES-VC',
  '12': 'ES-VC',
  '46': 'ES-VC',
}

const regionsByProvince: Record<string, Region> = {
  barcelona: 'ES-CT',
  girona: 'ES-CT',
  gerona: 'ES-CT',
  lleida: 'ES-CT',
  lerida: 'ES-CT',
  tarragona: 'ES-CT',
  catalunya: 'ES-CT',
  cataluna: 'ES-CT',
  catalonia: 'ES-CT',
  alicante: 'ES-VC',
  alacant: 'ES-VC',
  'alicante alacant': 'ES-VC',
  castellon: 'ES-VC',
  castello: 'ES-VC',
  'castellon castello': 'ES-VC',
  valencia: 'ES-VC',
  'valencia valencia': 'ES-VC',
  'comunitat valenciana': 'ES-VC',
  'comunidad valenciana': 'ES-VC',
}

/** Returns null if the place is unknown or its region has no rules here. */
export function findRegion({ property }: AdvertisedProperty): Region | null {
  if (property.country !== 'ES') return null
  const postcode = property.postcode?.trim() ?? ''
  if (/^\d{5}$/.test(postcode)) return regionsByPostcode[postcode.slice(0, 2)] ?? null
  return regionsByProvince[foldName(property.province ?? '')] ?? null
}
