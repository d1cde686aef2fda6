/** Countries of listings: names and codes in embedded data, and what follows from a country. */
import type { Point } from '../../geo.ts'
import { toPlainWords } from '../../plain-words.ts'

const names: Record<string, string> = {
  ES: 'espana spain espagne spanien spagna espanha esp',
  PT: 'portugal portogallo prt',
  IT: 'italia italy italie italien ita',
  FR: 'france francia frankreich franca fra',
  DE: 'deutschland germany alemania allemagne germania alemanha deu ger',
  AT: 'osterreich austria autriche aut',
  CH: 'schweiz suisse svizzera switzerland che',
  BE: 'belgium belgique belgie bel',
  NL: 'nederland netherlands nld holland',
  GB: 'united kingdom|uk|great britain|england|scotland|wales|northern ireland|gbr',
  IE: 'ireland irl eire',
  PL: 'polska poland pol',
  CZ: 'cesko czechia czech republic|cze|ceska republika|czech republic',
  US: 'united states|usa|united states of america',
  CA: 'canada can',
  AU: 'australia aus',
  NZ: 'new zealand|nzl',
  ZA: 'south africa|zaf',
  IN: 'india ind',
  AE: 'united arab emirates|uae|are',
  NG: 'nigeria nga',
  MX: 'mexico mex',
  AR: 'argentina arg',
  BR: 'brasil brazil bra',
  CL: 'chile chl',
  CO: 'colombia col',
  PE: 'peru per',
  KZ: 'kazakhstan kaz қазақстан казахстан',
  AD: 'andorra and',
  RO: 'romania rou',
  HU: 'magyarorszag hungary hun',
  GR: 'greece grc ellada',
  HR: 'croatia hrvatska hrv',
  SE: 'sverige sweden swe',
  NO: 'norge norway nor',
  DK: 'danmark denmark dnk',
  FI: 'suomi finland fin',
  LU: 'luxembourg luxemburg lux',
  RU: 'russia rossiya rus россия',
  UA: 'ukraine ukraina ukr україна',
  EE: 'estonia eesti est',
  LV: 'latvia latvija lva',
  LT: 'lithuania lietuva ltu',
  SK: 'slovakia slovensko svk',
  SI: 'slovenia slovenija svn',
  BG: 'bulgaria bgr българия',
  RS: 'serbia srbija srb',
  TR: 'turkey turkiye tur',
  MT: 'malta mlt',
  CY: 'cyprus kypros cyp',
  UY: 'uruguay ury',
  EC: 'ecuador ecu',
  BO: 'bolivia bol',
  PY: 'paraguay pry',
  PA: 'panama pan',
  CR: 'costa rica|cri',
  DO: 'dominican republic|republica dominicana|dom',
  MA: 'morocco maroc mar',
}

const codeByName = new Map<string, string>()
for (const [code, words] of Object.entries(names))
  for (const word of words.split(words.includes('|') ? '|' : ' ')) codeByName.set(word, code)

/** Countries that state floor areas in square feet or square yards. */
const imperialCountries = new Set(['US', 'CA', 'GB', 'IN', 'AE', 'HK', 'SG', 'PK', 'MY'])

/** ISO 3166-1 alpha-2 of a code or name, or null. */
export function toIsoCountry(text: string): string | null {
  const words = toPlainWords(text.slice(0, 60)).trim()
  const code = words.toUpperCase()
  if (code === 'UK') return 'GB'
  return Object.hasOwn(names, code) ? code : (codeByName.get(words) ?? null)
}

/** The country of a URL's top-level domain, or null. */
export function findCountryOfHost(url: string): string | null {
  const label = URL.parse(url)?.hostname.split('.').at(-1) ?? ''
  // Domains that are sold for other purposes than their country.
  return ['co', 'in', 'me', 'io', 'tv'].includes(label) && label !== 'in' ? null : toIsoCountryCode(label)
}

function toIsoCountryCode(label: string): string | null {
  const code = label.toUpperCase()
  return code === 'UK' ? 'GB' : Object.hasOwn(names, code) ? code : null
}

/** True if a floor area without a unit is in square metres; null if the country and its language are unknown. */
export function isMetric(country: string | null, language: string | null): boolean | null {
  if (country !== null) return !imperialCountries.has(country)
  // No country of these languages measures in feet, apart from Canada.
  return language !== null && countriesOfLanguage(language) !== null ? true : null
}

const countriesByCurrency: Record<string, string> = {
  GBP: 'GB',
  PLN: 'PL',
  CZK: 'CZ',
  INR: 'IN',
  ZAR: 'ZA',
  AUD: 'AU',
  NGN: 'NG',
  AED: 'AE',
  KZT: 'KZ',
  BRL: 'BR',
  MXN: 'MX',
  CHF: 'CH',
  HUF: 'HU',
  SEK: 'SE',
  NOK: 'NO',
  DKK: 'DK',
  RON: 'RO',
  CAD: 'CA',
  NZD: 'NZ',
  CLP: 'CL',
  COP: 'CO',
  PEN: 'PE',
  RUB: 'RU',
  UAH: 'UA',
  RSD: 'RS',
  TRY: 'TR',
  UYU: 'UY',
  BOB: 'BO',
  PYG: 'PY',
  CRC: 'CR',
  DOP: 'DO',
  MAD: 'MA',
}

/** The country of a currency that is used in one country; null for others. */
export function findCountryOfCurrency(currency: string): string | null {
  return Object.hasOwn(countriesByCurrency, currency) ? countriesByCurrency[currency]! : null
}

const currencyByCountry: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries(countriesByCurrency).map(([currency, country]) => [country, currency]),
  ),
  US: 'USD',
  ...Object.fromEntries(
    'ES PT IT FR DE AT BE NL IE FI GR HR LU AD EE LV LT SK SI MT CY'
      .split(' ')
      .map(country => [country, 'EUR']),
  ),
}

/** The currency of prices in a country, for a sign that several currencies share. */
export function findCurrencyOfCountry(country: string): string | null {
  return Object.hasOwn(currencyByCountry, country) ? currencyByCountry[country]! : null
}

const languages: Record<string, string[]> = {
  es: ['ES', 'MX', 'AR', 'CL', 'CO', 'PE', 'AD'],
  ca: ['ES', 'AD'],
  gl: ['ES'],
  eu: ['ES'],
  pt: ['PT', 'BR'],
  it: ['IT', 'CH'],
  fr: ['FR', 'BE', 'CH', 'LU', 'CA'],
  de: ['DE', 'AT', 'CH', 'LU'],
  nl: ['NL', 'BE'],
  pl: ['PL'],
  cs: ['CZ'],
  ru: ['RU', 'KZ'],
  kk: ['KZ'],
  hu: ['HU'],
  sv: ['SE', 'FI'],
  da: ['DK'],
  nb: ['NO'],
  fi: ['FI'],
  el: ['GR'],
  hr: ['HR'],
  ro: ['RO'],
  et: ['EE'],
  lv: ['LV'],
  lt: ['LT'],
  sk: ['SK'],
  sl: ['SI'],
  bg: ['BG'],
  tr: ['TR'],
  uk: ['UA'],
}

/** The countries whose pages are written in a language; null for one of many countries (English). */
export function countriesOfLanguage(language: string): string[] | null {
  return Object.hasOwn(languages, language) ? languages[language]! : null
}

/** The countries that share the euro, with their calling codes. A price in another currency names its country. */
const callingCodes = new Map(
  'AD376 AT43 BE32 DE49 EE372 ES34 FI358 FR33 GR30 HR385 IT39 LT370 LU352 LV371 NL31 PT351 SI386 SK421'
    .split(' ')
    .map(entry => [entry.slice(0, 2), `+${entry.slice(2)}`] as const),
)

/**
 * The only country that speaks a language, pays in a currency and has the calling code of a phone number, or null.
 * Agencies translate their pages, so that the language and the currency alone say nothing.
 */
export function findCountryOfLanguage(language: string, currency: string, phone: string): string | null {
  const number = phone.replace(/[^+\d]/g, '').replace(/^00/, '+')
  const found = (countriesOfLanguage(language) ?? []).filter(country => {
    const code = callingCodes.get(country)
    return code !== undefined && number.startsWith(code) && findCurrencyOfCountry(country) === currency
  })
  return found.length === 1 ? found[0]! : null
}

/** South, west, north and east bounds in degrees. */
const bounds: Record<string, [number, number, number, number]> = {
  ES: [27.5, -18.3, 43.9, 4.5],
  PT: [30, -31.4, 42.2, -6.1],
  IT: [35.4, 6.6, 47.1, 18.6],
  FR: [41.3, -5.2, 51.1, 9.6],
  DE: [47.2, 5.8, 55.1, 15.1],
  AT: [46.3, 9.5, 49.1, 17.2],
  CH: [45.8, 5.9, 47.9, 10.5],
  BE: [49.4, 2.5, 51.6, 6.5],
  NL: [50.7, 3.3, 53.6, 7.3],
  GB: [49.8, -8.7, 60.9, 1.8],
  IE: [51.3, -10.7, 55.5, -5.9],
  PL: [49, 14.1, 54.9, 24.2],
  CZ: [48.5, 12, 51.1, 18.9],
  US: [18.9, -172, 71.5, -66.9],
  CA: [41.6, -141.1, 83.2, -52.5],
  AU: [-43.7, 112.9, -10, 153.7],
  NZ: [-47.4, 166.3, -34.3, 178.7],
  ZA: [-35, 16.4, -22.1, 33],
  IN: [6.5, 68, 35.6, 97.5],
  AE: [22.6, 51.4, 26.3, 56.5],
  NG: [4.2, 2.6, 13.9, 14.7],
  MX: [14.5, -118.5, 32.8, -86.7],
  AR: [-55.1, -73.6, -21.7, -53.6],
  BR: [-33.8, -74, 5.3, -34.7],
  CL: [-56, -76, -17.4, -66.3],
  CO: [-4.3, -79.1, 13.4, -66.8],
  PE: [-18.4, -81.4, 0, -68.6],
  KZ: [40.5, 46.4, 55.5, 87.4],
  AD: [42.4, 1.4, 42.7, 1.8],
  EE: [57.5, 21.7, 59.8, 28.3],
}

/** True if a point lies in or near a country; null if its bounds are unknown. */
export function isInCountry(country: string, { latitude, longitude }: Point): boolean | null {
  const box = bounds[country]
  if (box === undefined) return null
  const [south, west, north, east] = box
  return latitude > south && latitude < north && longitude > west && longitude < east
}

/** The only country of a language that a point can lie in, or null. */
export function findCountryOfPoint(
  point: Point,
  language: string | null,
  currency: string | null,
): string | null {
  const possible = (language === null ? null : countriesOfLanguage(language)) ?? Object.keys(bounds)
  const found = possible.filter(country => isInCountry(country, point))
  const paid = currency === null ? found : found.filter(country => currencyByCountry[country] === currency)
  return paid.length === 1 ? paid[0]! : null
}
