/** The schemas for updating and deleting many leads, and for the operation that does it. */
import { operationStatuses } from '../../../kit/operations/operation.ts'
import { id, nullable, oneOf, type Static, strictObject, Type, time } from '../../../kit/schema.ts'
import { NewLawfulBasis } from '../../privacy/schemas.ts'
import { LeadFilter, status } from '../schemas.ts'
import { tags, writable } from './input-schemas.ts'

const optional = Type.Optional

const { limit: _limit, cursor: _cursor, sort: _sort, count: _count, ...filters } = LeadFilter.properties

const LeadSelection = {
  ids: optional(
    Type.Array(id('A lead.'), {
      minItems: 1,
      maxItems: 10_000,
      description: 'The ids of the leads. Send either `ids` or `filter`.',
    }),
  ),
  filter: optional(
    strictObject(filters, {
      minProperties: 1,
      description: 'All leads that `GET /leads` returns with these filters. Send either `ids` or `filter`.',
    }),
  ),
}

export const BulkChange = strictObject(
  {
    ...LeadSelection,
    changes: strictObject(
      {
        status: optional(status),
        campaignId: writable.campaignId,
        ownerUserId: writable.ownerUserId,
        addTags: tags('The tags to add.'),
        removeTags: tags('The tags to remove.'),
        customFields: writable.customFields,
        lawfulBasis: optional(NewLawfulBasis),
      },
      { minProperties: 1, description: 'The changes to each lead. Omitted fields keep their value.' },
    ),
  },
  { title: 'BulkChange', exactlyOneOf: ['ids', 'filter'] },
)
export type BulkChange = Static<typeof BulkChange>

export const BulkDeletion = strictObject(
  {
    ...LeadSelection,
    erase: optional(
      Type.Boolean({
        description: 'Erase the people everywhere, as `DELETE /leads/{id}?erase=true` does.',
      }),
    ),
  },
  { title: 'BulkDeletion', exactlyOneOf: ['ids', 'filter'] },
)

export const LeadOperation = strictObject(
  {
    id: id('The operation.'),
    kind: oneOf(['update', 'delete', 'erase'], { description: 'The kind of operation.' }),
    status: oneOf(operationStatuses, {
      description:
        'Up to 1,000 leads, or the people of up to 100 leads to erase, are processed at once: the operation is `COMPLETED`. More are processed by a job.',
    }),
    requested: nullable(
      Type.Integer({
        description: 'The number of different ids that were sent; null: a filter was sent.',
      }),
    ),
    progress: strictObject(
      {
        matched: nullable(
          Type.Integer({ description: 'The number of leads to process; null: not counted yet.' }),
        ),
        processed: Type.Integer({ description: 'The number of leads processed.' }),
        changed: Type.Integer({ description: 'The number of leads that have changed.' }),
        percent: Type.Integer({
          minimum: 0,
          maximum: 100,
          description: 'The share of the work that is done.',
        }),
      },
      { description: 'The progress of the operation.' },
    ),
    error: nullable(
      strictObject(
        {
          code: Type.String({ description: 'Why it failed. Stable, for programs.' }),
          message: Type.String({ description: 'Why it failed and what to do, for people.' }),
        },
        { description: 'Why the operation failed; null: it has not.' },
      ),
    ),
    createdAt: time('When it was requested.'),
    startedAt: nullable(time('When it started; null: it is queued.')),
    finishedAt: nullable(time('When it ended; null: it has not.')),
  },
  { title: 'LeadOperation', description: 'A change of many leads, and its progress.' },
)
export type LeadOperation = Static<typeof LeadOperation>

export const operationExample: LeadOperation = {
  id: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f',
  kind: 'update',
  status: 'COMPLETED',
  requested: 1,
  progress: { matched: 1, processed: 1, changed: 1, percent: 100 },
  error: null,
  createdAt: '2026-11-02T10:00:00.000Z',
  startedAt: '2026-11-02T10:00:00.000Z',
  finishedAt: '2026-11-02T10:00:00.050Z',
}
