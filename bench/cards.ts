/**
 * Finds the cards of saved search pages without a layout, and compares them with what a careful person found:
 * `npm run bench -- cards`, or `CARD_PAGES=folder:folder npm run bench -- cards` for other pages. `CARD_DETAILS=1` prints
 * each card and value that is wrong or missing.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeReply } from '../src/crawl/decode.ts'
import { type FoundCard, type FoundCards, findCards, findPageUrl } from '../src/domain/listing/find-cards.ts'
import { assertShared, sharedPath } from '../test/shared.ts'
import type { Ratios } from './guard.ts'
import { percentile } from './load.ts'

interface ExpectedItem {
  url: unknown
  price?: unknown
  title?: unknown
  name?: unknown
}

interface SavedPage {
  name: string
  html: string
  url: string
  expected: { items: ExpectedItem[]; totalResults?: number | null; nextPageUrl?: unknown }
}

interface PageScore {
  name: string
  listings: number
  found: number
  invented: number
  prices: number
  pricesRight: number
  pricesWrong: number
  titles: number
  titlesRight: number
  titlesWrong: number
  total: string
  next: string
  ms: number
  problems: string[]
}

const runs = 3

export async function run(): Promise<void> {
  for (const folder of listFolders()) {
    const scores = readPages(folder).map(measure)
    if (scores.length === 0) continue
    console.log(`${folder}: ${scores.length} pages`)
    console.table(
      Object.fromEntries(
        [...scores, sum(scores)].map(({ name, problems: _, ms, ...row }) => [
          name,
          { ...row, ms: Math.round(ms) },
        ]),
      ),
    )
    if (process.env.CARD_DETAILS)
      for (const { name, problems } of scores) for (const text of problems) console.log(`${name}: ${text}`)
    const times = scores.map(({ ms }) => ms)
    console.log(`Median ${percentile(times, 0.5).toFixed(1)} ms, slowest ${Math.max(...times).toFixed(1)} ms`)
  }
}

/** Short form: the shares of cards, prices and titles that are found and right. */
export async function short(): Promise<Ratios> {
  const { listings, found, invented, prices, pricesRight, titles, titlesRight } = sum(
    listFolders().flatMap(readPages).map(measure),
  )
  return {
    'cards found': found / listings,
    'cards not invented': found / (found + invented),
    'prices right': pricesRight / prices,
    'titles right': titlesRight / titles,
  }
}

function listFolders(): string[] {
  const folders = process.env.CARD_PAGES?.split(':').filter(folder => folder !== '')
  if (folders) return folders
  assertShared()
  return [sharedPath('fixtures/listing-search')]
}

function readPages(folder: string): SavedPage[] {
  const suffix = '.expected.json'
  return readdirSync(folder)
    .filter(file => file.endsWith(suffix))
    .map(file => {
      const name = file.slice(0, -suffix.length)
      const expected = JSON.parse(readFileSync(join(folder, file), 'utf8')) as SavedPage['expected'] & {
        url?: string
      }
      const html = decodeReply(readFileSync(join(folder, `${name}.html`)), undefined)
      const absolute = expected.items
        .flatMap(({ url }) => listAllowed(url))
        .find(url => /^https?:/.test(String(url)))
      const url =
        expected.url ??
        findPageUrl(html) ??
        new URL('/search', String(absolute ?? 'https://portal.example/')).href
      return { name, html, url, expected }
    })
}

function measure({ name, html, url, expected }: SavedPage): PageScore {
  let ms = Number.POSITIVE_INFINITY
  let found = findCards({ html, url })
  for (let count = 0; count < runs; count += 1) {
    const startedMs = performance.now()
    found = findCards({ html, url })
    ms = Math.min(ms, performance.now() - startedMs)
  }
  return { name, ...scoreCards(expected, found, url), ms }
}

function scoreCards(expected: SavedPage['expected'], { cards, total, nextUrl }: FoundCards, pageUrl: string) {
  const byUrl = new Map(cards.map(card => [toComparable(card.url, pageUrl), card]))
  const used = new Set<FoundCard>()
  const problems: string[] = []
  const score = {
    found: 0,
    prices: 0,
    pricesRight: 0,
    pricesWrong: 0,
    titles: 0,
    titlesRight: 0,
    titlesWrong: 0,
  }
  for (const item of expected.items) {
    const card = listAllowed(item.url)
      .map(url => byUrl.get(toComparable(String(url), pageUrl)))
      .find(one => one !== undefined)
    if (card === undefined) {
      problems.push(`missing ${JSON.stringify(item.url)}`)
      continue
    }
    score.found += 1
    used.add(card)
    const { price, title } = card.facts
    if ('price' in item) {
      score.prices += 1
      if (listAllowed(item.price).includes(price ?? null)) score.pricesRight += 1
      else {
        if (price !== undefined) score.pricesWrong += 1
        problems.push(`price ${JSON.stringify(item.price)} | ${price} of ${card.url}`)
      }
    }
    const expectedTitle = item.title ?? item.name
    if (expectedTitle === undefined || expectedTitle === null) continue
    score.titles += 1
    if (listAllowed(expectedTitle).some(one => isSameTitle(String(one), title ?? ''))) score.titlesRight += 1
    else {
      if (title !== undefined) score.titlesWrong += 1
      problems.push(`title ${JSON.stringify(expectedTitle)} | ${title}`)
    }
  }
  const invented = cards.filter(card => !used.has(card))
  problems.push(...invented.map(({ url }) => `invented ${url}`))
  const next = nextUrl === null ? null : toComparable(nextUrl, pageUrl)
  return {
    listings: expected.items.length,
    invented: invented.length,
    ...score,
    total: judge(expected.totalResults ?? null, total, total === expected.totalResults),
    next: judge(
      expected.nextPageUrl ?? null,
      next,
      listAllowed(expected.nextPageUrl).some(
        url => url !== null && toComparable(String(url), pageUrl) === next,
      ),
    ),
    problems,
  }
}

/** An expectation of null means that nobody judged the value. */
function judge(expected: unknown, found: unknown, isRight: boolean): string {
  if (expected === null) return found === null ? '' : 'not judged'
  return isRight ? 'right' : found === null ? 'missing' : 'wrong'
}

/** `{ anyOf: [...] }` lists the accepted values. */
function listAllowed(value: unknown): unknown[] {
  const allowed = typeof value === 'object' && value !== null && 'anyOf' in value ? value.anyOf : value
  return [allowed ?? null].flat()
}

/** Without the fragment, which names no other page. */
function toComparable(url: string, base: string): string {
  const { href } = new URL(url.replace(/#.*$/s, ''), base)
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}

/** Pages cut long titles. */
function isSameTitle(expected: string, found: string): boolean {
  const [one, other] = [expected, found].map(text => text.replace(/\s+/g, ' ').trim().toLowerCase())
  const isCut =
    Math.min(one!.length, other!.length) >= 20 && (one!.startsWith(other!) || other!.startsWith(one!))
  return one === other || isCut
}

function sum(scores: readonly PageScore[]): PageScore {
  const add = (
    key:
      | 'listings'
      | 'found'
      | 'invented'
      | 'prices'
      | 'pricesRight'
      | 'pricesWrong'
      | 'titles'
      | 'titlesRight'
      | 'titlesWrong',
  ) => scores.reduce((total, score) => total + score[key], 0)
  const countRight = (key: 'total' | 'next') => {
    const judged = scores.filter(score => ['right', 'wrong', 'missing'].includes(score[key]))
    return `${judged.filter(score => score[key] === 'right').length} of ${judged.length}`
  }
  return {
    name: 'all',
    listings: add('listings'),
    found: add('found'),
    invented: add('invented'),
    prices: add('prices'),
    pricesRight: add('pricesRight'),
    pricesWrong: add('pricesWrong'),
    titles: add('titles'),
    titlesRight: add('titlesRight'),
    titlesWrong: add('titlesWrong'),
    total: countRight('total'),
    next: countRight('next'),
    ms: scores.reduce((total, { ms }) => total + ms, 0),
    problems: [],
  }
}
