/** Recognizes the labels of the advertiser's own address. */
import { isInAdvertiserPart } from '../node-names.ts'
import type { PageRuns, TextRun } from '../page-runs.ts'
import type { LabelMeaning } from '../words/language-words.ts'
import { allLanguages, findWords, type Label, parseHeading } from '../words/words.ts'

const placeMeanings = new Set<LabelMeaning>([
  'address',
  'location',
  'municipality',
  'province',
  'postcode',
  'country',
])

/** True for the address of the advertiser. */
export function isForeignPlace(label: Label, run: TextRun, page: PageRuns): boolean {
  if (!label.meanings.some(meaning => placeMeanings.has(meaning))) return false
  return isInAdvertiserPart(run.node) || isUnderAdvertiser(run, page)
}

const headingsMax = 2
const headingRunsMax = 40

/** True if one of the two headings above is about the agency. */
export function isUnderAdvertiser({ index }: TextRun, page: PageRuns): boolean {
  let headings = 0
  for (let place = index - 1; place >= Math.max(0, index - headingRunsMax); place -= 1) {
    const { node, text, isAttribute } = page.runs[place]!
    if (isAttribute || !/^h[2-5]$/.test(node.name) || node === page.heading) continue
    if (parseHeading(text) === 'advertiser') return true
    if (findWords('advertiserType', text.slice(0, 60), allLanguages)[0]?.value === 'agency') return true
    headings += 1
    if (headings === headingsMax) return false
  }
  return false
}
