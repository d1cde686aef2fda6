/** The texts of reports in Polish. */
import type { ReportWords } from '../words.ts'

export const pl: ReportWords = {
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
  range: coverage => `Prawdopodobny przedział (${coverage})`,
  pricePerSquareMeter: 'Cena za m²',
  confidence: 'Wiarygodność',
  confidenceLevel: { high: 'Wysoka', medium: 'Średnia', low: 'Niska' },
  valuedOn: 'Data oszacowania',
  issuedOn: 'Data sporządzenia',
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
      less_similar: 'Mniej podobne niż użyte',
      same_property: 'Ogłoszenie tej samej nieruchomości',
      implausible_price: 'Z mało prawdopodobną ceną',
    },
    range: (coverage, price, low, high) =>
      `Przedział oznacza, że w ${coverage} takich przypadków ${price} mieści się między ${low} a ${high}. Jest szerszy, gdy nieruchomości porównawczych jest mało lub są mniej podobne.`,
    currency: 'Waluta',
    deviation: 'Przewidywane odchylenie standardowe',
    adjustments: 'Korekty',
    calibrated: date => `skalibrowane dla tego rynku ${date}`,
    uncalibrated: 'typowe, jeszcze nieskalibrowane dla tego rynku',
  },
}
