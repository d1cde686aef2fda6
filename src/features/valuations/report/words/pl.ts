import type { Words } from '../words.ts'

const plurals = new Intl.PluralRules('pl')

/** Of nouns that go with a number: 1 pokój, 2 pokoje, 5 pokoi. */
function counted(count: number, one: string, few: string, many: string): string {
  const rule = plurals.select(count)
  return rule === 'one' ? one : rule === 'few' ? few : many
}

export const pl: Words = {
  locale: 'pl-PL',
  title: { sale: 'Orientacyjne oszacowanie ceny', rent: 'Orientacyjne oszacowanie czynszu' },
  disclaimer: 'Oszacowanie orientacyjne: nie jest wyceną rzeczoznawcy majątkowego ani operatem szacunkowym.',
  section: {
    summary: 'Podsumowanie',
    map: 'Położenie nieruchomości porównawczych',
    comparables: 'Nieruchomości porównawcze',
    adjustments: 'Obliczenie krok po kroku',
    distribution: 'Ceny za m² w okolicy',
    trend: 'Zmiany ceny za m²',
    method: 'Jak to obliczono',
  },
  estimated: {
    asking: { sale: 'Szacowana cena ofertowa', rent: 'Szacowany czynsz ofertowy' },
    closed: { sale: 'Szacowana cena sprzedaży', rent: 'Szacowany czynsz' },
  },
  thePrice: {
    asking: { sale: 'cena ofertowa', rent: 'czynsz ofertowy' },
    closed: { sale: 'cena sprzedaży', rent: 'czynsz z umowy' },
  },
  price: {
    asking: { sale: 'Cena ofertowa', rent: 'Czynsz ofertowy' },
    closed: { sale: 'Cena sprzedaży', rent: 'Czynsz z umowy' },
  },
  basis: {
    asking: {
      sale: 'Na podstawie cen ofertowych z ogłoszeń, a nie cen transakcyjnych.',
      rent: 'Na podstawie miesięcznych czynszów z ogłoszeń, a nie z zawartych umów.',
    },
    closed: {
      sale: 'Na podstawie cen transakcyjnych.',
      rent: 'Na podstawie miesięcznych czynszów z zawartych umów.',
    },
  },
  oldPrices: (newest, month, median) =>
    `Najnowsza z użytych cen ma ${newest} (${month}), a połowa co najmniej ${median}: rynek mógł się od tego czasu zmienić.`,
  widerForAge: 'Dlatego przedział jest szerszy.',
  perMonth: money => `${money} miesięcznie`,
  range: coverage => `Prawdopodobny przedział (${coverage})`,
  pricePerSquareMeter: 'Cena za m²',
  confidence: 'Wiarygodność',
  confidenceLevel: { high: 'Wysoka', medium: 'Średnia', low: 'Niska' },
  valuedOn: 'Data oszacowania',
  issuedOn: 'Data sporządzenia',
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
    bedrooms: count => `${count} ${counted(count, 'pokój', 'pokoje', 'pokoi')}`,
    bathrooms: (_count, text) => `${text} łaz.`,
    floor: floor => `${floor}. piętro`,
    yearBuilt: year => `z ${year} r.`,
    plot: area => `działka ${area}`,
  },
  yes: 'tak',
  no: 'nie',

  thisProperty: 'Ta nieruchomość',
  column: {
    seen: { asking: 'Ogłoszenie', closed: 'Transakcja' },
    distance: 'Odległość',
    area: 'Powierzchnia',
    characteristics: 'Cechy',
    adjustedPrice: 'Cena skorygowana',
    weight: 'Waga',
    share: 'Cena skorygowana × waga',
  },
  factor: {
    time: 'Data',
    place: 'Położenie',
    size: 'Metraż',
    plot: 'Działka',
    bedrooms: 'Pokoje',
    bathrooms: 'Łazienki',
    condition: 'Stan',
    floor: 'Piętro',
    lift: 'Winda',
    amenities: 'Dodatki',
    yearBuilt: 'Rok budowy',
    subtype: 'Typ',
    unexplained: 'Inne przyczyny',
  },
  adjustmentsIntro:
    'Każdą cenę podwyższa się lub obniża o to, czego nieruchomość porównawcza ma mniej lub więcej niż ta nieruchomość. Pod każdą kwotą, na szaro, podano daną nieruchomości porównawczej. Cena skorygowana, pomnożona przez wagę, to jej wkład w oszacowanie.',
  unexplainedIntro:
    '„Inne przyczyny” to ta część ceny nieruchomości porównawczej, której nie tłumaczą znane dane (światło, hałas, pośpiech przy sprzedaży): na tę nieruchomość przenosi się tylko jej część. Poniżej podano, jaki to procent ceny.',
  sum: 'Suma',
  rounded: 'Oszacowanie po zaokrągleniu',
  scaleCaption:
    'Pasek to przedział, a kreska to oszacowanie. Każde kółko to skorygowana cena nieruchomości porównawczej z jej numerem.',
  mapCaption:
    'Domek oznacza tę nieruchomość. Każde kółko to nieruchomość porównawcza z numerem z tabeli; im większe, tym większa jej waga. Północ jest u góry, odległości są w skali.',
  mapBeyond: 'Nieruchomości oznaczone strzałką leżą poza mapą, w tym kierunku i w podanej odległości.',
  count: { asking: 'Liczba ogłoszeń', closed: 'Liczba transakcji' },
  distributionCaption: {
    asking: 'Ile ogłoszeń z okolicy ma daną cenę za m².',
    closed: 'Ile transakcji z okolicy zawarto po danej cenie za m².',
  },
  beyondAxis: count => `Poza skalą: ${count}.`,
  trendCaption: {
    asking: 'Każdy punkt to ogłoszenie; linia łączy mediany z kolejnych miesięcy.',
    closed: 'Każdy punkt to transakcja; linia łączy mediany z kolejnych miesięcy.',
  },
  tooFewMonths:
    'Dane z okolicy pochodzą z mniej niż trzech różnych miesięcy: to za mało, aby pokazać zmiany.',
  noPrices: 'Brak cen z okolicy.',

  method: {
    how: 'Wyszukuje się podobne nieruchomości w pobliżu. Cenę każdej z nich koryguje się ze względu na różnice: datę, położenie, powierzchnię i inne cechy. Oszacowanie jest średnią ważoną skorygowanych cen, w której największą wagę mają nieruchomości najbardziej podobne.',
    counts: (used, considered) =>
      `Nieruchomości wzięte pod uwagę: ${considered}, w tym użyte w obliczeniu: ${used}.`,
    chosen: 'Nieruchomości użyte w obliczeniu wybrała osoba zamawiająca oszacowanie.',
    leftOut: 'Pominięte',
    exclusion: {
      excluded_by_request: 'Odrzucone przez osobę zamawiającą oszacowanie',
      not_chosen: 'Niewybrane przez osobę zamawiającą oszacowanie',
      less_alike: 'Mniej podobne niż użyte',
      same_property: 'Ogłoszenie tej samej nieruchomości',
      unlikely_price: 'Z mało prawdopodobną ceną',
    },
    range: (coverage, price, low, high) =>
      `Przedział oznacza, że w ${coverage} takich przypadków ${price} mieści się między ${low} a ${high}. Jest szerszy, gdy nieruchomości porównawczych jest mało lub są mniej podobne.`,
    currency: 'Waluta',
    deviation: 'Przewidywane odchylenie standardowe',
    adjustments: 'Korekty',
    calibrated: date => `skalibrowane dla tego rynku ${date}`,
    usual: 'typowe, jeszcze nieskalibrowane dla tego rynku',
  },
}
