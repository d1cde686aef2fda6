/** Finds the country and the language of a page, which decide what numbers without a unit mean. */
import { countriesOfLanguage, findCountryOfCurrency, findCountryOfHost, toIsoCountry } from './countries.ts'
import type { Candidate, ReaderPage } from './page-listing.ts'
import { findFirst, type PageTree } from './page-tree.ts'

export interface PageLocale {
  /** ISO 3166-1 alpha-2. */
  country: string | null
  /** ISO 639-1. */
  language: string | null
  /** Where the country was found. */
  where: string
}

/** From the caller, the host, the language tag, and the country or currency that structured data state. */
export function detectLocale(
  page: ReaderPage,
  tree: PageTree,
  meta: ReadonlyMap<string, string[]>,
  candidates: readonly Candidate[],
): PageLocale {
  const tag = findFirst(tree, 'html')?.attributes.lang ?? meta.get('og:locale')?.[0] ?? ''
  const [language = '', ...regions] = tag.toLowerCase().split(/[-_]/)
  const region = regions.find(part => part.length === 2) ?? ''
  const stated = (field: string) => candidates.find(candidate => candidate.field === field)?.value
  const found: [string, string | null][] = [
    ['context', page.country],
    ['host', findCountryOfHost(page.url)],
    ['country', toIsoCountry(String(stated('country') ?? ''))],
    ['currency', findCountryOfCurrency(String(stated('currency') ?? ''))],
    ['language tag', findRegion(language, region)],
  ]
  const [where = '', country = null] = found.find(([, code]) => code !== null) ?? []
  return { country, language: /^[a-z]{2}$/.test(language) ? language : null, where }
}

/** `en-US` is the default of many programs, so it says nothing. */
function findRegion(language: string, region: string): string | null {
  if (region === '' || (language === 'en' && region === 'us')) return null
  const country = toIsoCountry(region)
  const known = countriesOfLanguage(language)
  return country !== null && (known === null || known.includes(country)) ? country : null
}
