/** What a person sees on the page: labels with values, headings, texts, the advertiser, photographs. */
import type { Candidate } from '../page-listing.ts'
import { collectRuns } from '../page-runs.ts'
import { extractNodeText, findFirst, type PageTree } from '../page-tree.ts'
import { detectLanguages } from '../words/words.ts'
import { readAdvertiser, readMetaDates } from './advertiser.ts'
import { readEnergy } from './energy.ts'
import { readFeatures } from './features.ts'
import { readFloors } from './floors.ts'
import { readHeadings } from './headings.ts'
import { readMapLinks } from './map-links.ts'
import { readPairs } from './pairs.ts'
import { readPhotos } from './photos.ts'
import { readPlaces } from './places.ts'
import { readText } from './text.ts'

const sampleMax = 20_000

/** The candidates of the visible page. */
export function readVisible(
  tree: PageTree,
  page: { url: string; country: string | null; isMetric: boolean | null },
): Candidate[] {
  const body = findFirst(tree, 'body') ?? tree.root
  const declared = findFirst(tree, 'html')?.attributes.lang ?? null
  const languages = detectLanguages(declared, extractNodeText(body, sampleMax), page.country)
  const runs = collectRuns(tree)
  const context = { ...page, languages }
  return [
    ...readPairs(runs, context),
    ...readEnergy(runs),
    ...readFloors(runs),
    ...readFeatures(tree, runs),
    ...readHeadings(tree, runs, context),
    ...readText(tree, runs, context),
    ...readPlaces(tree, runs, context),
    ...readMapLinks(tree, runs),
    ...readAdvertiser(tree, runs, context),
    ...readMetaDates(tree),
    ...readPhotos(tree, runs, page.url),
  ]
}
