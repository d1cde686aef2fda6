/** A search for listings in Vigo, for the definitions of portals. */
import type { SearchContext } from '../src/plugins/portal.ts'

export const searchContext: SearchContext = {
  place: {
    id: 'ES-36057',
    name: 'Vigo',
    names: ['Vigo'],
    type: 'municipality',
    parentId: 'ES-PO',
    country: 'ES',
    latitude: 42.24,
    longitude: -8.72,
    population: 293_977,
  },
  since: null,
}
