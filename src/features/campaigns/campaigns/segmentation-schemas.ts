/** The schemas of `segmentation`: what a campaign takes from its source. */
import { id, nullable, type Static, strictObject, Type } from '../../../kit/schema.ts'
import { integer, toOptional } from '../../../kit/schema-fields.ts'

export const batchSizeMax = 25
const resultsMax = 10_000_000

const portalFields = {
  filters: nullable(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'The filters of the search, as `GET /platforms/{platform}/filters` describes them. Required before it starts.',
      },
    ),
  ),
  expectedResults: nullable(
    integer(
      0,
      resultsMax,
      'How many listings the search is expected to have. If you do not state it, it is `totalResults`; null: not known.',
    ),
  ),
  totalResults: nullable(
    integer(
      0,
      resultsMax,
      'How many listings the portal reported for the search at the last run. Other filters set it to null; null: not known.',
    ),
  ),
  messageRestartDate: nullable(
    Type.String({
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      description:
        'The date, in the time zone of the workspace, before which no messages are sent; null: they are sent at once.',
      examples: ['2026-12-01'],
    }),
  ),
}
const csvFields = {
  batchSize: nullable(
    integer(1, batchSizeMax, 'How many rows are taken at a time. Required before it starts.'),
  ),
}

const adsFields = {
  connectionId: nullable(
    id('The connection with an ad network, see `GET /ads/connections`. Required before it starts.'),
  ),
  formIds: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 500,
    uniqueItems: true,
    description: 'The forms whose leads are taken; empty: all of the page.',
  }),
}

export const PortalSegmentation = strictObject(portalFields, {
  title: 'PortalSegmentation',
  description: 'The search at a portal.',
})
export const CsvSegmentation = strictObject(csvFields, {
  title: 'CsvSegmentation',
  description: 'How uploaded rows are taken.',
})
export const EmptySegmentation = strictObject(
  {},
  { title: 'EmptySegmentation', description: 'The source has none.' },
)

export const AdsSegmentation = strictObject(adsFields, {
  title: 'AdsSegmentation',
  description: 'Whose lead ads are taken.',
})

export type PortalSegmentation = Static<typeof PortalSegmentation>
export type CsvSegmentation = Static<typeof CsvSegmentation>
export type AdsSegmentation = Static<typeof AdsSegmentation>
export type Segmentation =
  | PortalSegmentation
  | CsvSegmentation
  | AdsSegmentation
  | Static<typeof EmptySegmentation>

/** What a request may send, by kind of source. */
export const segmentationInputs = {
  portal: strictObject(toOptional(portalFields)),
  csv_import: strictObject(toOptional(csvFields)),
  social_ads: strictObject(toOptional(adsFields)),
  other: strictObject({}),
}
