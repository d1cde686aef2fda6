/** Finds out whether a page names a town as one. */
import { toPhrase } from '../words/words.ts'

/** The texts that may name it. */
export interface NamingTexts {
  headings: readonly string[]
  trails: readonly (readonly string[])[]
  description: string
  url: string
}

const textMax = 20_000
/** Prepositions that lead to a place in the countries where headings are addresses. */
const leadPattern = /(?:^|[^\p{L}])(?:in|of|at|near|to|from|around|within|for|v|ve|do|u|na)\s+$/iu
const leadMax = 20

/** True if a breadcrumb or a part of the URL is the town, or if prose leads to it: `the centre of Nantwich`. */
export function isNamedTown(town: string, { headings, trails, description, url }: NamingTexts): boolean {
  const phrase = toPhrase(town)
  if (trails.some(trail => trail.some(place => toPhrase(place) === phrase))) return true
  const path = URL.parse(url)?.pathname.slice(0, 500) ?? ''
  if (path.split('/').some(part => toPhrase(part) === phrase || toPhrase(part).endsWith(` in ${phrase}`)))
    return true
  return [...headings, description].some(text =>
    text
      .slice(0, textMax)
      .split(town)
      .slice(0, -1)
      .some(before => leadPattern.test(before.slice(-leadMax))),
  )
}
