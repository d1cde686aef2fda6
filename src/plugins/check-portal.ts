/** What is wrong with a portal definition, told before anybody is asked to read a portal with it. */
import { compile } from '../kit/schema.ts'
import type { PortalDefinition } from './portal.ts'

/** Sources of campaigns that are no portals, so that no portal may be called so. */
const takenIds = new Set(['widget', 'csv_import', 'social_ads'])
const someText = '<html><title>x</title><p>x</p></html>'
const somewhere = 'https://portal.invalid/'

/** A sentence for each thing that is wrong, in the words of the contract (`portal.ts`); none if it can be used. */
export function problemsOfPortal(definition: PortalDefinition): string[] {
  const problems: string[] = []
  const must = (isRight: boolean, sentence: string) => {
    if (!isRight) problems.push(sentence)
  }
  const { id, name, language, currency, timezone, listingPath, politeness, search, details } = definition
  must(
    /^[a-z][a-z0-9_]{0,49}$/.test(id) && !takenIds.has(id),
    '`id` must be lower-case letters, digits and _',
  )
  must(typeof name === 'string' && name !== '', '`name` must say what people call it')
  must(
    isKnown(() => new Intl.Locale(language)),
    '`language` must be a BCP 47 tag, such as es',
  )
  must(/^[A-Z]{3}$/.test(currency), '`currency` must be an ISO 4217 code, such as EUR')
  must(
    isKnown(() => new Intl.DateTimeFormat('en', { timeZone: timezone })),
    '`timezone` must be an IANA name, such as Europe/Madrid',
  )
  must(
    listingPath instanceof RegExp && listingPath.source.includes('(?<listingId>'),
    '`listingPath` must be a regular expression with a group named listingId',
  )
  must(
    politeness?.requestsPerSecond > 0 && politeness.concurrency >= 1,
    '`politeness` must allow some requests: requestsPerSecond above 0, concurrency from 1',
  )
  problems.push(...problemsOfFilters(definition))
  if (search?.kind === 'pages') {
    must(
      isUnreadable(() => search.read(aPage, {}, {} as never)),
      '`search.read` must call a page of nothing unreadable',
    )
    must(search.cards === 'facts' || details !== null, '`details` must be there if cards are addresses')
  } else if (search?.kind === 'feed') {
    must(
      isUnreadable(() => readFeed(search.open(somewhere))),
      '`search.open` must call a feed of nothing unreadable',
    )
  } else problems.push("`search.kind` must be 'pages' or 'feed'")
  if (details)
    must(
      isUnreadable(() => details.read(aPage)),
      '`details.read` must call a page of nothing unreadable',
    )
  return problems
}

const aPage = { text: someText, url: somewhere }

function readFeed(reader: { push(text: string): unknown[]; end(): unknown }): unknown {
  reader.push(someText)
  return reader.end()
}

function problemsOfFilters({ filters }: PortalDefinition): string[] {
  const problems: string[] = []
  if (filters?.type !== 'object' || (filters as { additionalProperties?: unknown }).additionalProperties !== false)
    return ['`filters` must be an object that is closed (additionalProperties: false)']
  for (const key of ['operation', 'location']) {
    if (!filters.required?.includes(key)) problems.push(`\`filters\` must require ${key}`)
  }
  for (const [key, schema] of Object.entries(filters.properties)) {
    const { title, description, examples } = schema as Record<string, unknown>
    if (!title || !description || !Array.isArray(examples))
      problems.push(`the filter ${key} must have a title, a description and examples`)
    else if (!isKnown(() => compile(schema)) || examples.some(example => compile(schema)(example).length > 0))
      problems.push(`the examples of the filter ${key} must fit it`)
  }
  return problems
}

function isUnreadable(read: () => unknown): boolean {
  try {
    return (read() as { kind?: unknown } | null)?.kind === 'unreadable'
  } catch {
    return false
  }
}

function isKnown(make: () => unknown): boolean {
  try {
    return Boolean(make())
  } catch {
    return false
  }
}
