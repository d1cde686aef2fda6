/**
 * Leave one site out: how the reader fares on the pages of a site without the words and keys that only this site uses.
 * Entries of the tables count (labels, headings, answers, phrases, keys of embedded data); alternatives in a regular
 * expression do not. Every reading has a thread of its own, so that nothing is remembered from other pages.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { SavedPage } from './listing-pages.ts'
import type { Verdict } from './listing-score.ts'

export interface Reading {
  verdicts: Record<Verdict, number>
  /** The entries of the tables that the pages use. */
  used: string[]
}

interface Row {
  pages: number
  'words taken away': number
  right: number
  wrong: number
  missing: number
  'right without': number
  'wrong without': number
  'missing without': number
}

export async function measureSites(pages: readonly SavedPage[]): Promise<Record<string, Row>> {
  const bySite = Map.groupBy(pages, ({ expected }) => toSite(expected))
  const readings = new Map<string, Reading>()
  for (const [site, ofSite] of bySite) {
    const used = new Set<string>()
    for (const page of ofSite) for (const entry of (await read([page], [])).used) used.add(entry)
    readings.set(site, { verdicts: (await read(ofSite, [])).verdicts, used: [...used] })
  }
  const sitesByEntry = new Map<string, number>()
  for (const { used } of readings.values())
    for (const entry of used) sitesByEntry.set(entry, (sitesByEntry.get(entry) ?? 0) + 1)
  const rows: Record<string, Row> = {}
  for (const [site, ofSite] of bySite) {
    const { verdicts, used } = readings.get(site)!
    const own = used.filter(entry => sitesByEntry.get(entry) === 1)
    rows[site] = toRow(ofSite.length, own.length, verdicts, (await read(ofSite, own)).verdicts)
  }
  rows.all = Object.values(rows).reduce(add)
  return rows
}

/** `agency.example (agency site)` is the site `agency.example`; the pages of a site have one name. */
function toSite(expected: Record<string, unknown>): string {
  const { hostname } = new URL(String(expected.url ?? 'https://listing.example/'))
  const name = String(expected.portal ?? hostname)
  return name.replace(/\s.*$/, '').replace(/^www\./, '')
}

async function read(pages: readonly SavedPage[], without: readonly string[]): Promise<Reading> {
  const worker = new Worker(new URL('./listing-thread.ts', import.meta.url), {
    workerData: { pages, without },
  })
  const [reading] = (await once(worker, 'message')) as [Reading]
  await worker.terminate()
  return reading
}

function toRow(pages: number, taken: number, all: Reading['verdicts'], without: Reading['verdicts']): Row {
  return {
    pages,
    'words taken away': taken,
    right: all.right,
    wrong: all.wrong,
    missing: all.missing,
    'right without': without.right,
    'wrong without': without.wrong,
    'missing without': without.missing,
  }
}

function add(one: Row, other: Row): Row {
  const keys = Object.keys(one) as (keyof Row)[]
  return Object.fromEntries(keys.map(key => [key, one[key] + other[key]])) as unknown as Row
}
