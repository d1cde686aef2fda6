/** A place of the gazetteer, and its text format. */

export type PlaceCountry = 'ES' | 'PT' | 'IT'
export type PlaceType = 'country' | 'region' | 'province' | 'municipality'

export interface Place {
  /**
   * ISO 3166 above municipalities (`ES`, `ES-CT`, `ES-B`), then the official code: INE `ES-08019`, DICOFRE `PT-1106`,
   * ISTAT `IT-058091`.
   */
  id: string
  name: string
  /** Every form of the name, the official one first. */
  names: string[]
  type: PlaceType
  parentId: string | null
  country: PlaceCountry
  /** Degrees. For a municipality its seat, for larger areas the population-weighted centre. */
  latitude: number
  longitude: number
  /** For ranking only: years and methods differ between countries. */
  population: number | null
}

/**
 * Parses lines of id, parent, type, name, other names separated by `|`, latitude, longitude and population, separated
 * by tabs.
 */
export function parsePlaces(text: string): Place[] {
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => {
      const [id, parentId, type, name, otherNames, latitude, longitude, population] = line.split('\t')
      return {
        id: id!,
        name: name!,
        names: otherNames ? [name!, ...otherNames.split('|')] : [name!],
        type: type as PlaceType,
        parentId: parentId || null,
        country: id!.slice(0, 2) as PlaceCountry,
        latitude: Number(latitude),
        longitude: Number(longitude),
        population: population ? Number(population) : null,
      }
    })
}
