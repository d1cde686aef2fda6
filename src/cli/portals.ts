/** The commands `npx aldaba portals …`. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { type Operation, operations, type PropertyType, propertyTypes } from '../domain/valuation/property.ts'
import type { DraftHints, PortalDraft } from '../plugins/draft-portal.ts'
import type { PortalDocument } from '../plugins/portal.ts'
import { printRows } from './command.ts'

interface DraftOptions extends DraftHints {
  out?: string
  url?: string
  force?: boolean
  json?: boolean
  operation?: Operation
  propertyType?: PropertyType
}

export function addPortals(program: Command): void {
  const portals = program.command('portals').description('add portals: see docs/guides/add-a-portal.md')
  portals
    .command('draft')
    .description(
      'draft the definition of a portal from the address of a search page, or from saved pages: a search page, then listings',
    )
    .argument('<pages...>', 'an address, or files')
    .option('--out <file>', 'write the definition to this file (.mjs); without it, it is printed')
    .option('--force', 'overwrite the file')
    .option('--url <url>', 'the address of the saved search page, if the page does not state it')
    .option('--id <id>', 'id of the portal')
    .option('--name <name>', 'name of the portal')
    .option('--country <code>', 'country of the portal: ES, PT or IT, which the gazetteer has places of')
    .option('--place <id>', 'id of the searched place in the gazetteer, such as ES-36057')
    .addOption(new Option('--operation <operation>', 'operation of the search').choices(operations))
    .addOption(new Option('--property-type <type>', 'property type of the search').choices(propertyTypes))
    .option('--json', 'print what was read as JSON')
    .action(draft)
}

/** Cards to print; the counts are of all of them. */
const printedCards = 5

async function draft(pages: string[], options: DraftOptions): Promise<void> {
  const [first, ...others] = pages
  const isAddress = /^https?:\/\//.test(first!)
  const { draftPortal, formatDefinition } = await import('../plugins/draft-portal.ts')
  const { loadGazetteer } = await import('../features/platforms/gazetteer.ts')
  const reader = isAddress ? await openSite() : { fetchPage: readSavedPage, close: async () => {} }
  try {
    const search = isAddress ? await reader.fetchPage(first!) : await readSearchFile(first!, options.url)
    const drafted = draftPortal({ html: search.text, url: search.url }, options, loadGazetteer())
    const [card] = drafted.found.cards
    const listings = isAddress ? (card === undefined ? [] : [card.url]) : others
    const checks = await checkListings(drafted, listings, reader.fetchPage)
    if (options.json) console.log(JSON.stringify({ ...toFindings(drafted), listings: checks }, null, 2))
    else printFindings(drafted, checks)
    if (drafted.options === null) throw new Error(drafted.problems.join('\n'))
    const place = loadGazetteer().formatLabel(drafted.place!)
    const definition = formatDefinition(drafted.options, { source: search.url, place })
    if (options.out === undefined) {
      if (!options.json) console.log(`\n${definition}`)
    } else await writeDefinition(options.out, definition, options.force ?? false)
    const { origin } = new URL(search.url)
    console.error(`To use it: PORTALS_DIR with this file, and PORTAL_URLS=${drafted.options.id}=${origin}`)
  } finally {
    await reader.close()
  }
}

interface Reader {
  fetchPage(address: string): Promise<PortalDocument>
  close(): Promise<void>
}

/** Requests go through the guarded client, a second apart. */
async function openSite(): Promise<Reader> {
  const [{ loadConfig }, { createHttpClient }, { createPageFetcher }] = await Promise.all([
    import('../config.ts'),
    import('../kit/http/client.ts'),
    import('../crawl/page-fetcher.ts'),
  ])
  const { allowedPrivateRanges, publicUrl } = loadConfig()
  const http = createHttpClient({ reach: 'public', allowedPrivateRanges })
  const { fetchPage } = createPageFetcher({ http, contactUrl: publicUrl, pauseMs: 1000 })
  return { fetchPage, close: () => http.close() }
}

const fileMaxBytes = 64 * 1024 * 1024

async function readFileText(path: string): Promise<string> {
  const { decodeReply } = await import('../crawl/decode.ts')
  const { size } = await stat(path)
  if (size > fileMaxBytes) throw new Error(`${path} is too large to be a page.`)
  return decodeReply(await readFile(path), undefined)
}

async function readSearchFile(path: string, statedUrl: string | undefined): Promise<PortalDocument> {
  const { findPageUrl } = await import('../domain/listing/find-cards.ts')
  const text = await readFileText(path)
  const url = statedUrl ?? findPageUrl(text)
  if (url === null || !URL.canParse(url))
    throw new Error(`${path} does not state its own address. Add --url with the address of the page.`)
  return { text, url }
}

async function readSavedPage(path: string): Promise<PortalDocument> {
  const { findPageUrl } = await import('../domain/listing/find-cards.ts')
  const text = await readFileText(path)
  return { text, url: findPageUrl(text) ?? 'https://page.invalid/' }
}

interface ListingCheck {
  page: string
  /** The values that the general reader finds; null if the page is no listing. */
  values: Record<string, unknown> | null
}

/** Reads listing pages with the reader that the definition uses. */
async function checkListings(
  { options }: PortalDraft,
  pages: readonly string[],
  fetchPage: Reader['fetchPage'],
): Promise<ListingCheck[]> {
  const { generalPortal } = await import('../plugins/general-portal.ts')
  if (options === null) return []
  const { details } = generalPortal(options)
  const checks: ListingCheck[] = []
  for (const page of pages) {
    const reading = details!.read(await fetchPage(page))
    const values =
      reading.kind === 'listing'
        ? Object.fromEntries(
            Object.entries(reading.listing).filter(([, value]) => value !== null && String(value) !== ''),
          )
        : null
    checks.push({ page, values })
  }
  return checks
}

function toFindings({ found, listingPath, place, options, problems }: PortalDraft) {
  const count = (field: 'price' | 'title' | 'squareMeters') =>
    found.cards.filter(({ facts }) => facts[field] !== undefined).length
  return {
    cards: found.cards.length,
    withPrice: count('price'),
    withTitle: count('title'),
    withArea: count('squareMeters'),
    source: found.source,
    total: found.total,
    nextPage: found.nextUrl,
    listingPath: listingPath?.pattern.source ?? null,
    matchedByListingPath: listingPath?.matched ?? 0,
    place: place?.id ?? null,
    search: options?.searches[0] ?? null,
    problems,
  }
}

function printFindings(drafted: PortalDraft, listings: readonly ListingCheck[]): void {
  const { cards, source, total, nextPage, listingPath, matchedByListingPath, ...counts } = toFindings(drafted)
  const lines: [string, string][] = [
    ['cards', `${cards}, from ${source === 'markup' ? 'the elements of the page' : 'data in its scripts'}`],
    ['with a price', `${counts.withPrice} of ${cards}`],
    ['with a title', `${counts.withTitle} of ${cards}`],
    ['with an area', `${counts.withArea} of ${cards}`],
    ['results', total === null ? 'the page announces no number' : String(total)],
    ['next page', nextPage ?? 'none: the last page, or it changes by script only'],
    [
      'listing path',
      listingPath === null ? 'none' : `${listingPath} matches ${matchedByListingPath} of ${cards}`,
    ],
  ]
  if (drafted.place !== null) lines.push(['place', `${drafted.place.name} (${drafted.place.id})`])
  if (drafted.listingPath?.isText)
    lines.push(['check', 'the id is a text of the address: it may change with the title'])
  for (const [name, text] of lines) console.log(`${name.padEnd(13)} ${text}`)
  printRows(false, drafted.found.cards.slice(0, printedCards), ({ url, facts }) => ({
    title: facts.title?.slice(0, 50) ?? null,
    price: facts.price ?? null,
    currency: facts.currency ?? null,
    squareMeters: facts.squareMeters ?? null,
    path: new URL(url).pathname.slice(-60),
  }))
  for (const { page, values } of listings)
    if (values === null) console.log(`${page}: the page cannot be read as a listing`)
    else
      console.log(
        `${page}: ${Object.keys(values).length} values\n${JSON.stringify(values, null, 2).slice(0, 4000)}`,
      )
}

async function writeDefinition(path: string, definition: string, isForced: boolean): Promise<void> {
  await writeFile(path, definition, { flag: isForced ? 'w' : 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw new Error(`${path} exists. Add --force to overwrite it.`)
  })
  console.log(`written: ${path}`)
}
