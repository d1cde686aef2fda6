/** Reads pages in a thread, without some entries of the reader's tables, and reports which entries the pages use. */
import { parentPort, workerData } from 'node:worker_threads'
import { readListing } from '../src/domain/listing/reader/read-listing.ts'
import { kindByKey } from '../src/domain/listing/reader/sources/state-keys.ts'
import {
  allLanguages,
  answers,
  findPhrase,
  meaningsByLabel,
  phraseTables,
  sectionsByHeading,
  type WordKind,
} from '../src/domain/listing/reader/words/words.ts'
import type { SavedPage } from './listing-pages.ts'
import { scoreListing, type Verdict } from './listing-score.ts'
import type { Reading } from './listing-sites.ts'

const wordKinds = {
  operation: true,
  subtype: true,
  condition: true,
  status: true,
  advertiserType: true,
  energy: true,
  period: true,
  onRequest: true,
} as const satisfies Record<WordKind, true>

const { pages, without } = workerData as { pages: SavedPage[]; without: string[] }
const used = new Set<string>()
const taken = new Set(without)
for (const [name, table] of listTables()) {
  for (const key of [...table.keys()]) if (taken.has(`${name} ${key}`)) table.delete(key)
  table.get = key => {
    const found = Map.prototype.get.call(table, key) as unknown
    if (found !== undefined) used.add(`${name} ${key}`)
    return found
  }
}
const verdicts: Record<Verdict, number> = { right: 0, wrong: 0, missing: 0 }
for (const { html, url, expected } of pages) {
  const found = readListing({ html, url, country: null, currency: null })
  for (const { verdict } of scoreListing(expected, found?.values ?? null, html)) verdicts[verdict] += 1
}
parentPort!.postMessage({ verdicts, used: [...used] } satisfies Reading)

function listTables(): [string, Map<string, unknown>][] {
  // Tables of phrases are made at their first use.
  for (const kind of Object.keys(wordKinds) as WordKind[]) findPhrase(kind, '', allLanguages)
  const phrases = [...phraseTables].map(([name, { values }]): [string, Map<string, unknown>] => [
    name,
    values,
  ])
  return [
    ['label', meaningsByLabel],
    ['heading', sectionsByHeading],
    ['answer', answers],
    ['key', kindByKey],
    ...phrases,
  ]
}
