/** Checks a portal definition before it is used, and lists all its problems. */
import { listingOperations, listingPropertyTypes } from '../domain/listing/listing.ts'
import type { Place } from '../domain/location/place.ts'
import { compile, type TSchema } from '../kit/schema.ts'
import type { FeedSearch, PagedSearch, PortalDefinition, PortalRequest } from './portal.ts'
import { isCount, isFunction, isSubsetOf, isText, isTrue, listBrokenRules, type Rule } from './rules.ts'

/** Ids of campaign sources that are not portals. */
const reservedIds = new Set(['widget', 'csv_import', 'social_ads'])
const countries = ['ES', 'PT', 'IT']
const placeTypes = ['country', 'region', 'province', 'municipality']
const emptyPage = '<html><title>x</title><p>x</p></html>'
const challengePage = '<html><title>Just a moment...</title><body><h1>Are you a robot?</h1></body></html>'
const exampleUrl = 'https://portal.invalid/'

const factRules: Rule<PortalDefinition>[] = [
  [
    '`id` must be lower-case letters, digits and _, and not widget, csv_import or social_ads',
    ({ id }) => isText(id) && /^[a-z][a-z0-9_]{0,49}$/.test(id) && !reservedIds.has(id),
  ],
  ['`name` must be a string that is not empty', ({ name }) => isText(name)],
  [`\`country\` must be one of ${countries.join(', ')}`, ({ country }) => countries.includes(country)],
  ['`language` must be a BCP 47 tag, such as es', ({ language }) => new Intl.Locale(language)],
  ['`currency` must be an ISO 4217 code, such as EUR', ({ currency }) => /^[A-Z]{3}$/.test(currency)],
  [
    '`timezone` must be an IANA name, such as Europe/Madrid',
    ({ timezone }) => isText(timezone) && new Intl.DateTimeFormat('en', { timeZone: timezone }),
  ],
  [
    '`capabilities` must set extract, validate, campaign and ficha to true or false',
    ({ capabilities: { extract, validate, campaign, ficha } }) =>
      [extract, validate, campaign, ficha].every(can => typeof can === 'boolean'),
  ],
  [
    `\`operations\` must be some of ${listingOperations.join(', ')}`,
    ({ operations }) => isSubsetOf(operations, listingOperations),
  ],
  [
    `\`propertyTypes\` must be some of ${listingPropertyTypes.join(', ')}`,
    ({ propertyTypes }) => isSubsetOf(propertyTypes, listingPropertyTypes),
  ],
  [
    '`listingPath` must be a regular expression with a group named listingId',
    ({ listingPath }) => listingPath instanceof RegExp && listingPath.source.includes('(?<listingId>'),
  ],
  [
    `\`locations\` must have \`countries\` (${countries.join(', ')}), \`types\` (${placeTypes.join(', ')}), and a function \`toPortalId\``,
    ({ locations }) =>
      isSubsetOf(locations.countries, countries) &&
      isSubsetOf(locations.types, placeTypes) &&
      isFunction(locations.toPortalId),
  ],
  [
    "`authentication` must be left out, { kind: 'bearer' }, or { kind: 'oauth2', tokenPath: '/…' }",
    ({ authentication }) =>
      authentication === undefined ||
      authentication.kind === 'bearer' ||
      (authentication.kind === 'oauth2' && authentication.tokenPath.startsWith('/')),
  ],
  [
    '`politeness` must have `requestsPerSecond` above 0, `concurrency` of 1 or more, and `requestsPerHour` missing or 1 or more',
    ({ politeness: { requestsPerSecond, concurrency, requestsPerHour = 1 } }) =>
      requestsPerSecond > 0 && isCount(concurrency) && isCount(requestsPerHour),
  ],
  [
    '`details` must be null, or have a function `read`; `request` may be a function, `followUp` an object with functions `request` and `read`',
    ({ details }) =>
      details === null ||
      (isFunction(details.read) &&
        (!details.request || isFunction(details.request)) &&
        (!details.followUp || (isFunction(details.followUp.request) && isFunction(details.followUp.read)))),
  ],
]

/** One of the definition's readers. */
type Read = (text: string) => unknown

const readerRules: Rule<Read>[] = [
  ['must report an empty page as unreadable, and not throw', read => getReason(read(emptyPage))],
  [
    'must report a robot check as a challenge, as `detectObstacle` does',
    read => getReason(read(challengePage)) === 'challenge',
  ],
]

/** One sentence per problem, with the names of the contract (`portal.ts`). Empty if the definition is valid. */
export function checkPortal(definition: PortalDefinition): string[] {
  if (typeof definition !== 'object' || definition === null)
    return ['its function must return a portal definition']
  const filterProblems = checkFilters(definition)
  const problems = [...listBrokenRules(factRules, definition), ...filterProblems]
  // A search can only be tried with valid filters.
  if (filterProblems.length === 0) problems.push(...checkSearch(definition))
  const { details } = definition
  if (details && isFunction(details.read))
    problems.push(...checkReader('details.read', text => details.read({ text, url: exampleUrl })))
  return problems
}

function checkReader(name: string, read: Read): string[] {
  return listBrokenRules(readerRules, read).map(sentence => `\`${name}\` ${sentence}`)
}

function checkFilters({ filters, operations, propertyTypes }: PortalDefinition): string[] {
  if (filters?.type !== 'object' || (filters as Closable).additionalProperties !== false)
    return ['`filters` must be an object that is closed (additionalProperties: false)']
  const properties = Object.entries<TSchema>(filters.properties)
  const isValidValue = (key: string, value: unknown) =>
    isTrue(() => compile(filters.properties[key]!)(value).length === 0)
  return [
    ...['operation', 'location']
      .filter(key => !filters.required?.includes(key))
      .map(key => `\`filters\` must require ${key}`),
    ...properties.flatMap(([key, schema]) => {
      const { title, description, examples } = schema as Described
      if (!title || !description || !Array.isArray(examples) || examples.length === 0)
        return [`the filter ${key} must have a title, a description and examples`]
      return examples.every(example => isValidValue(key, example))
        ? []
        : [`the examples of the filter ${key} must be valid`]
    }),
    ...(
      [
        ['operation', operations],
        ['propertyType', propertyTypes],
      ] as const
    ).flatMap(([key, values]) =>
      filters.properties[key] && Array.isArray(values) && !values.every(value => isValidValue(key, value))
        ? [`the filter ${key} must accept each of \`${key}s\``]
        : [],
    ),
  ]
}

interface Closable {
  additionalProperties?: unknown
}

interface Described {
  title?: string
  description?: string
  examples?: unknown[]
}

function checkSearch(definition: PortalDefinition): string[] {
  const { search } = definition
  const example = buildExample(definition)
  if (search?.kind === 'pages') return checkPages(search, definition, example)
  if (search?.kind === 'feed') return checkFeed(search, example)
  return ["`search.kind` must be 'pages' or 'feed'"]
}

function checkPages(
  search: PagedSearch<object>,
  { details }: PortalDefinition,
  { filters, context }: Example,
): string[] {
  const rules: Rule<PagedSearch<object>>[] = [
    [
      "`search.coverage` must be 'all', 'changes' or 'latest'",
      ({ coverage }) => isSubsetOf([coverage], ['all', 'changes', 'latest']),
    ],
    [
      "`search.cards` must be 'facts' or 'addresses'",
      ({ cards }) => isSubsetOf([cards], ['facts', 'addresses']),
    ],
    [
      "`details` must not be null if `search.cards` is 'addresses'",
      ({ cards }) => cards !== 'addresses' || details,
    ],
    [
      '`search.start` must return a request whose `path` begins with one /',
      () => isRequest(search.start(filters, context)),
    ],
  ]
  const read: Read = text => search.read({ text, url: exampleUrl }, filters, context)
  return [...listBrokenRules(rules, search), ...checkReader('search.read', read)]
}

function checkFeed(search: FeedSearch<object>, { filters, context }: Example): string[] {
  const rules: Rule<FeedSearch<object>>[] = [
    [
      '`search.request` must return a request whose `path` begins with one /',
      () => isRequest(search.request(filters, context)),
    ],
    ['`search.matches` must be a function', ({ matches }) => isFunction(matches)],
  ]
  const read: Read = text => {
    const reader = search.createReader(exampleUrl)
    reader.push(text)
    return reader.end()
  }
  return [...listBrokenRules(rules, search), ...checkReader('search.createReader', read)]
}

/** A search with the first example of every required filter. */
function buildExample({ filters, country }: PortalDefinition) {
  const required = filters.required ?? []
  const entries = required.map(key => [key, (filters.properties[key] as Described).examples?.[0]])
  const place: Place = {
    id: country,
    name: country,
    names: [country],
    type: 'country',
    parentId: null,
    country,
    latitude: 40,
    longitude: 0,
    population: null,
  }
  return { filters: Object.fromEntries(entries) as object, context: { place, since: null } }
}

type Example = ReturnType<typeof buildExample>

function isRequest({ path }: PortalRequest): boolean {
  return /^\/(?!\/)/.test(path)
}

/** The reason of an unreadable page; undefined for any other result. */
function getReason(result: unknown): unknown {
  const { kind, reason } = result as { kind?: unknown; reason?: unknown }
  return kind === 'unreadable' ? reason : undefined
}
