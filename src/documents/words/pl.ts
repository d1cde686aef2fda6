/** The shared texts of documents in Polish. */
import type { Words } from '../words.ts'

const plurals = new Intl.PluralRules('pl')

/** The form of a noun after a number: 1 pokój, 2 pokoje, 5 pokoi. */
function pluralize(count: number, one: string, few: string, many: string): string {
  const rule = plurals.select(count)
  return rule === 'one' ? one : rule === 'few' ? few : many
}

export const pl: Words = {
  locale: 'pl-PL',
  perMonth: money => `${money} miesięcznie`,
  page: (page, pages) => `Strona ${page} z ${pages}`,

  facts: {
    heading: 'Nieruchomość',
    address: 'Adres',
    operation: 'Rodzaj transakcji',
    propertyType: 'Rodzaj nieruchomości',
    subtype: 'Typ',
    area: 'Powierzchnia',
    plot: 'Działka',
    bedrooms: 'Pokoje',
    bathrooms: 'Łazienki',
    condition: 'Stan',
    floor: 'Piętro',
    yearBuilt: 'Rok budowy',
    amenities: 'Udogodnienia',
  },
  operation: { sale: 'Sprzedaż', rent: 'Najem' },
  propertyType: {
    homes: 'Mieszkanie lub dom',
    offices: 'Biuro',
    premises: 'Lokal użytkowy',
    garages: 'Garaż',
  },
  subtype: {
    flat: 'Mieszkanie',
    duplex: 'Mieszkanie dwupoziomowe',
    studio: 'Kawalerka',
    penthouse: 'Penthouse',
    house: 'Dom',
    blockOfFlats: 'Blok',
    tenement: 'Kamienica',
    apartmentBuilding: 'Apartamentowiec',
  },
  condition: { new: 'Stan nowy', good: 'Stan dobry', to_renovate: 'Do remontu' },
  amenity: {
    lift: 'winda',
    terrace: 'taras',
    balcony: 'balkon',
    parking: 'miejsce parkingowe',
    pool: 'basen',
    garden: 'ogród',
    air_conditioning: 'klimatyzacja',
    storage_room: 'komórka lokatorska',
    fitted_wardrobes: 'szafy w zabudowie',
    concierge: 'portier',
    exterior: 'okna od ulicy',
    interior: 'okna od podwórza',
    top_floor: 'ostatnie piętro',
    security: 'ochrona',
    waterfront: 'nad wodą',
    view: 'widok',
    basement: 'piwnica',
    renovated: 'po remoncie',
    heating: 'ogrzewanie',
    fireplace: 'kominek',
    furnished: 'umeblowane',
    accessible: 'dla niepełnosprawnych',
    sea_view: 'widok na morze',
  },
  studio: 'Kawalerka',
  groundFloor: 'Parter',
  mezzanine: 'Antresola',
  belowGround: 'Poniżej parteru',
  short: {
    bedrooms: count => `${count} ${pluralize(count, 'pokój', 'pokoje', 'pokoi')}`,
    bathrooms: (_count, text) => `${text} łaz.`,
    floor: floor => `${floor}. piętro`,
    yearBuilt: year => `z ${year} r.`,
    plot: area => `działka ${area}`,
  },
  yes: 'tak',
  no: 'nie',
}
