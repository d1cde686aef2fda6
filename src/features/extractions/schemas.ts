/** What an extraction looks like from outside. */
import { pageQuery } from '../../kit/page.ts'
import { closed, id, nullable, oneOf, type Static, Type, time } from '../../kit/schema.ts'
import type { PortalDefinition } from '../../plugins/portal.ts'

export const extractionStatuses = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const

export type ExtractionStatus = (typeof extractionStatuses)[number]
/** Why an extraction failed. */
export const failureCodes = [
  'BLOCKED',
  'LAYOUT_CHANGED',
  'ROBOTS_DISALLOWED',
  'PORTAL_UNAVAILABLE',
  'CREDENTIALS_INVALID',
  'TIMEOUT',
  'INTERNAL',
] as const

export type FailureCode = (typeof failureCodes)[number]

const options = closed({
  includeDetails: Type.Boolean({
    default: true,
    description: "Read each advert's own page; without it a lead has what the search page shows.",
  }),
  advertiserType: oneOf(['private', 'agency', 'any'], { default: 'any', description: 'Whose adverts.' }),
  publishedWithinDays: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 3650, description: 'Only adverts of the last days.' }),
  ),
  incremental: Type.Boolean({
    default: false,
    description:
      'Only adverts that are new or have changed since the last run with the same filters; those that vanished meanwhile are noticed if the run was shown every advert of the search.',
  }),
  updateExisting: Type.Boolean({
    default: true,
    description: 'Whether a known lead takes over what has changed in its advert.',
  }),
  tags: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    default: [],
    maxItems: 50,
    description: 'Put on new leads.',
  }),
})

export type ExtractionOptions = Static<typeof options>

/** The body of `POST /extractions`; `filters` is then held against the portal's own schema. */
export function newExtraction(portals: PortalDefinition[]) {
  const ids = portals.filter(portal => portal.capabilities.extract).map(portal => portal.id)
  const others = portals.filter(portal => !portal.capabilities.extract)
  return closed(
    {
      platform: oneOf(ids, {
        description: 'The portal to extract from.',
        refusals: Object.fromEntries(
          others.map(({ id }) => [
            id,
            `${id} tells only what is new since it was last asked, so it is read by campaigns and not by extractions`,
          ]),
        ),
      }),
      filters: Type.Object({}, { additionalProperties: true, description: "The portal's own filters." }),
      maxResults: Type.Integer({
        minimum: 1,
        maximum: 100_000,
        default: 50,
        description: 'A hard cap on leads.',
      }),
      options: Type.Object(options.properties, { additionalProperties: false, default: {} }),
    },
    { title: 'NewExtraction' },
  )
}

/** The query of the list. */
export const ExtractionFilter = closed({
  status: Type.Optional(oneOf(extractionStatuses, { description: 'Only those in this state.' })),
  platform: Type.Optional(Type.String({ maxLength: 100, description: 'Only those of this portal.' })),
  campaignId: Type.Optional(id('Only those that this campaign started.')),
  ...pageQuery,
})
export type ExtractionFilter = Static<typeof ExtractionFilter>

export const outcome = oneOf(['full', 'partial'], {
  description:
    '`full`: every listing of the search was read. `partial`: some were not, because `maxResults` or a quota was reached, some could not be read, or the run ended early.',
})

export const capped = Type.Boolean({
  description: 'It stopped at `maxResults` while the portal had more listings: see `portalTotal`.',
})

export const portalTotal = nullable(
  Type.Integer({
    minimum: 0,
    description: 'How many listings the portal reports for these filters; null: it has not, or never does.',
  }),
)

const counter = (description: string) => Type.Integer({ minimum: 0, description })

export const Extraction = closed(
  {
    extractionId: id('The extraction.'),
    status: oneOf(extractionStatuses),
    platform: Type.String(),
    filters: Type.Record(Type.String(), Type.Unknown()),
    maxResults: Type.Integer(),
    options: closed({
      ...options.properties,
      publishedWithinDays: nullable(
        Type.Integer({ description: 'Only adverts of the last days; null: of any age.' }),
      ),
    }),
    campaignId: nullable(id('The campaign that started it.')),
    environment: oneOf(['live', 'test']),
    outcome: nullable(outcome),
    capped,
    portalTotal,
    progress: closed({
      pagesFetched: counter('Search pages read.'),
      listingsFound: counter('Adverts met on them.'),
      listingsRead: counter('Adverts understood.'),
      leadsCreated: counter('New leads.'),
      leadsUpdated: counter('Known leads whose advert has changed.'),
      duplicates: counter('Adverts that brought nothing new.'),
      skipped: counter('Adverts left out; skippedByReason tells why.'),
      failed: counter('Adverts that could not be read.'),
      percent: Type.Integer({ minimum: 0, maximum: 100 }),
    }),
    skippedByReason: Type.Record(Type.String(), Type.Integer()),
    error: nullable(closed({ code: oneOf(failureCodes), message: Type.String() })),
    createdAt: time('Asked for.'),
    startedAt: nullable(time('Begun.')),
    finishedAt: nullable(time('Ended.')),
  },
  { title: 'Extraction' },
)

export type Extraction = Static<typeof Extraction>

export const extractionExample: Extraction = {
  extractionId: '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f',
  status: 'RUNNING',
  platform: 'portal_a',
  filters: { operation: 'sale', propertyType: 'homes', location: { id: 'barcelona', label: 'Barcelona' } },
  maxResults: 200,
  options: {
    includeDetails: true,
    advertiserType: 'any',
    publishedWithinDays: null,
    incremental: false,
    updateExisting: true,
    tags: [],
  },
  campaignId: null,
  environment: 'test',
  outcome: null,
  capped: false,
  portalTotal: 507,
  progress: {
    pagesFetched: 2,
    listingsFound: 60,
    listingsRead: 58,
    leadsCreated: 55,
    leadsUpdated: 2,
    duplicates: 2,
    skipped: 1,
    failed: 0,
    percent: 30,
  },
  skippedByReason: { gone: 1 },
  error: null,
  createdAt: '2026-11-02T10:00:00.000Z',
  startedAt: '2026-11-02T10:00:00.200Z',
  finishedAt: null,
}
