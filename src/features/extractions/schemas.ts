/** The API schemas of extractions. */
import { failureCodes } from '../../crawl/failure.ts'
import { operationStatuses } from '../../kit/operations/operation.ts'
import { pageQuery } from '../../kit/page.ts'
import { id, nullable, oneOf, type Static, strictObject, Type, time } from '../../kit/schema.ts'
import type { PortalDefinition } from '../../plugins/portal.ts'

const options = strictObject({
  includeDetails: Type.Boolean({
    default: true,
    description: 'Fetch the page of each listing; if false, a lead has only what the search page shows.',
  }),
  advertiserType: oneOf(['private', 'agency', 'any'], {
    default: 'any',
    description: 'Only listings by this kind of advertiser; `any`: all of them.',
  }),
  publishedWithinDays: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3650,
      description: 'Only listings published within this number of days.',
    }),
  ),
  incremental: Type.Boolean({
    default: false,
    description:
      'Only listings that are new or have changed since the last run with the same filters. Listings missing from a complete search are checked, and marked as withdrawn if the portal no longer has them.',
  }),
  updateExisting: Type.Boolean({
    default: true,
    description: 'Update a known lead when its listing has changed.',
  }),
  tags: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    default: [],
    maxItems: 50,
    description: 'The tags to add to new leads.',
  }),
})

export type ExtractionOptions = Static<typeof options>

/** The body of `POST /extractions`. `filters` is validated afterwards, with the portal's own schema. */
export function newExtraction(portals: PortalDefinition[]) {
  const ids = portals.filter(portal => portal.capabilities.extract).map(portal => portal.id)
  const others = portals.filter(portal => !portal.capabilities.extract)
  return strictObject(
    {
      platform: oneOf(ids, {
        description: 'The portal to extract from.',
        refusals: Object.fromEntries(
          others.map(({ id }) => [
            id,
            `${id} shows only what is new since the last request: use a campaign to read it, not an extraction`,
          ]),
        ),
      }),
      filters: Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'The filters of the search, as `GET /platforms/{platform}/filters` describes them.',
        },
      ),
      maxResults: Type.Integer({
        minimum: 1,
        maximum: 100_000,
        default: 50,
        description: 'The most leads that the extraction may create or update.',
      }),
      options: Type.Object(options.properties, {
        additionalProperties: false,
        default: {},
        description: 'How the listings are read.',
      }),
    },
    { title: 'NewExtraction' },
  )
}

/** The query of the list. */
export const ExtractionFilter = strictObject({
  status: Type.Optional(oneOf(operationStatuses, { description: 'Only extractions with this status.' })),
  platform: Type.Optional(Type.String({ maxLength: 100, description: 'Only extractions from this portal.' })),
  campaignId: Type.Optional(id('Only extractions started by this campaign.')),
  ...pageQuery,
})
export type ExtractionFilter = Static<typeof ExtractionFilter>

export const outcome = oneOf(['full', 'partial'], {
  description:
    '`full`: every listing of the search was read. `partial`: some were not, because `maxResults` or a quota was reached, some could not be read, or the run ended early.',
})

export const capped = Type.Boolean({
  description: 'It stopped at `maxResults` although the portal had more listings: see `portalTotal`.',
})

export const portalTotal = nullable(
  Type.Integer({
    minimum: 0,
    description:
      'The number of listings that the portal reports for these filters; null: not known yet, or never reported.',
  }),
)

const counter = (description: string) => Type.Integer({ minimum: 0, description })

export const platform = Type.String({ description: 'The portal it reads.' })

export const progress = strictObject(
  {
    pagesFetched: counter('The search pages fetched.'),
    listingsFound: counter('The listings found on them.'),
    listingsRead: counter('The listings that could be read.'),
    leadsCreated: counter('The leads created.'),
    leadsUpdated: counter('The known leads updated, because their listing has changed.'),
    duplicates: counter(
      'The listings without new information: repeated in the search, or unchanged since the last run.',
    ),
    skipped: counter('The listings skipped; `skippedByReason` says why.'),
    failed: counter('The listings that could not be read.'),
    percent: Type.Integer({ minimum: 0, maximum: 100, description: 'The share of the work that is done.' }),
  },
  { description: 'What the extraction has done so far.' },
)

export const skippedByReason = Type.Record(Type.String(), Type.Integer(), {
  description: 'The number of skipped listings for each reason, such as `gone`.',
})

export const failure = strictObject(
  {
    code: oneOf(failureCodes, { description: 'Why it failed. Stable, for programs.' }),
    message: Type.String({ description: 'Why it failed and what to do, for people.' }),
  },
  { description: 'Why the extraction failed.' },
)

export const Extraction = strictObject(
  {
    extractionId: id('The extraction.'),
    status: oneOf(operationStatuses, {
      description:
        '`QUEUED`: it waits; `RUNNING`: it reads the portal; `COMPLETED`, `FAILED`, `CANCELLED`: it has ended.',
    }),
    platform,
    filters: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The filters of the search, with defaults filled in.',
    }),
    maxResults: Type.Integer({ description: 'The most leads that the extraction may create or update.' }),
    options: strictObject(
      {
        ...options.properties,
        publishedWithinDays: nullable(
          Type.Integer({
            description: 'Only listings published within this number of days; null: of any age.',
          }),
        ),
      },
      { description: 'How the listings are read.' },
    ),
    campaignId: nullable(id('The campaign that started it; null: no campaign did.')),
    environment: oneOf(['live', 'test'], { description: 'The environment it belongs to.' }),
    outcome: nullable(outcome),
    capped,
    portalTotal,
    progress,
    skippedByReason,
    error: nullable(failure),
    createdAt: time('When it was requested.'),
    startedAt: nullable(time('When it started; null: it is queued.')),
    finishedAt: nullable(time('When it ended; null: it has not.')),
  },
  { title: 'Extraction', description: 'An extraction and its progress.' },
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
    duplicates: 1,
    skipped: 1,
    failed: 1,
    percent: 28,
  },
  skippedByReason: { gone: 1 },
  error: null,
  createdAt: '2026-11-02T10:00:00.000Z',
  startedAt: '2026-11-02T10:00:00.200Z',
  finishedAt: null,
}

/** An extraction that has not started. */
export const queuedExample: Extraction = {
  ...extractionExample,
  status: 'QUEUED',
  portalTotal: null,
  progress: {
    pagesFetched: 0,
    listingsFound: 0,
    listingsRead: 0,
    leadsCreated: 0,
    leadsUpdated: 0,
    duplicates: 0,
    skipped: 0,
    failed: 0,
    percent: 0,
  },
  skippedByReason: {},
  startedAt: null,
}

/** An extraction that stopped at its `maxResults`. */
export const completedExample: Extraction = {
  ...extractionExample,
  status: 'COMPLETED',
  outcome: 'partial',
  capped: true,
  finishedAt: '2026-11-02T10:01:00.000Z',
  progress: {
    pagesFetched: 7,
    listingsFound: 206,
    listingsRead: 203,
    leadsCreated: 190,
    leadsUpdated: 10,
    duplicates: 3,
    skipped: 2,
    failed: 1,
    percent: 100,
  },
  skippedByReason: { gone: 2 },
}
