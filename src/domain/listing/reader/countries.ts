/** Countries of listings: names and codes in embedded data, and what follows from a country. */
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

/** True if a floor area without a unit is in square metres; null if the country is unknown. */
export function isMetricCountry(country: string | null): boolean | null {
  return country === null ? null : !imperialCountries.has(country)
}
