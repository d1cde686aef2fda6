/**
 * Official codes of the simulator's Spanish places, for portals that use them: INE for towns, ISO 3166-2 for
 * provinces.
 */
import { toSlug } from '../domain/slug.ts'
import type { City } from './places.ts'
import { spanishCities } from './places.ts'

/** By slug of the city: its INE code, and its province's letters. */
const codes: Record<string, readonly [municipality: string, province: string]> = {
  madrid: ['28079', 'M'],
  barcelona: ['08019', 'B'],
  valencia: ['46250', 'V'],
  sevilla: ['41091', 'SE'],
  zaragoza: ['50297', 'Z'],
  malaga: ['29067', 'MA'],
  murcia: ['30030', 'MU'],
  palma: ['07040', 'PM'],
  bilbao: ['48020', 'BI'],
  alicante: ['03014', 'A'],
  cordoba: ['14021', 'CO'],
  valladolid: ['47186', 'VA'],
  vigo: ['36057', 'PO'],
  granada: ['18087', 'GR'],
}

const cityByCode = new Map(
  spanishCities.flatMap(({ slug, province }) => {
    const { municipality, province: letters } = getOfficialCodes({ slug })
    return [
      [municipality, slug],
      [letters, `${toSlug(province)}-provincia`],
    ]
  }),
)

export function getOfficialCodes({ slug }: Pick<City, 'slug'>): { municipality: string; province: string } {
  const [municipality, province] = codes[slug]!
  return { municipality, province }
}

/**
 * Finds the place of a code as a search names it (`madrid`, `madrid-provincia`); undefined for a place without
 * listings.
 */
export function findCityByCode(code: string): string | undefined {
  return cityByCode.get(code)
}
