// Official codes of the simulator's Spanish places, for portals that know places by code: INE for towns, ISO 3166-2 for provinces.
import { slugOf } from '../domain/slug.ts'
import type { City } from './places.ts'
import { CITIES } from './places.ts'

/** By slug of the city: its INE code, and its province's letters. */
const CODES: Record<string, readonly [municipality: string, province: string]> = {
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

const CITY_BY_CODE = new Map(
  CITIES.flatMap(({ slug, province }) => {
    const { municipality, province: letters } = officialCodes({ slug })
    return [
      [municipality, slug],
      [letters, `${slugOf(province)}-provincia`],
    ]
  }),
)

export function officialCodes({ slug }: Pick<City, 'slug'>): { municipality: string; province: string } {
  const [municipality, province] = CODES[slug]!
  return { municipality, province }
}

/** The place of a code as a search names it (`madrid`, `madrid-provincia`); nothing for a place without adverts. */
export function cityOfCode(code: string): string | undefined {
  return CITY_BY_CODE.get(code)
}
