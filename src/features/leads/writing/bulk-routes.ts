/** Updates and deletions of many leads over HTTP. */

import type { Caller } from '../../../kit/auth.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { type JsonText, toJsonText } from '../../../kit/json-text.ts'
import { startOperation } from '../../../kit/operations/operation.ts'
import { operationRoutes } from '../../../kit/operations/routes.ts'
import { tooManyJobs } from '../../../kit/operations/work-limit.ts'
import { notFound, throwIfInvalid } from '../../../kit/problem.ts'
import { type Route, route } from '../../../kit/route.ts'
import { findUserErrors } from '../../identity/service.ts'
import { normalizeBasis, validateBasis } from '../../privacy/service.ts'
import {
  type Changes,
  cancelOperation,
  findOperation,
  finishOperation,
  insertOperation,
  type Selection,
} from './bulk.ts'
import { BulkChange, BulkDeletion, LeadOperation, operationExample } from './bulk-schemas.ts'
import { leadOperationKind } from './operation.ts'

const tag = 'Leads'
const basisPath = '/changes/lawfulBasis'
const ownerPath = '/changes/ownerUserId'
const runningExample: LeadOperation = {
  ...operationExample,
  status: 'RUNNING',
  requested: null,
  progress: { matched: 5000, processed: 2000, changed: 1900, percent: 40 },
  finishedAt: null,
}
const cancelledExample: LeadOperation = {
  ...runningExample,
  status: 'CANCELLED',
  finishedAt: '2026-11-02T10:00:04.000Z',
}
const completedExample: LeadOperation = {
  ...runningExample,
  status: 'COMPLETED',
  progress: { matched: 5000, processed: 5000, changed: 4800, percent: 100 },
  finishedAt: '2026-11-02T10:00:10.000Z',
}
const common = { tag, reply: LeadOperation, replyExample: operationExample, status: 200 } as const

export const bulkRoutes: Route[] = [
  route({
    ...common,
    method: 'PATCH',
    path: '/leads',
    operation: 'updateLeads',
    summary: 'Update many leads',
    description:
      'The leads are selected by ids or by a filter. Up to 1,000 leads are updated at once, all or none. More are updated by a job; the returned operation shows its progress. `lawfulBasis` replaces the recorded basis, as `PUT /leads/{id}/lawful-basis` does.',
    scope: 'leads:write',
    errors: [tooManyJobs(leadOperationKind.limit)],
    body: BulkChange,
    example: {
      ids: ['01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f'],
      changes: { status: 'contacted', addTags: ['autumn'] },
    },
    check: ({ body, hasErrorsAt, now }) =>
      validateBasis(body.changes?.lawfulBasis ?? {}, now, { path: basisPath, hasErrorsAt }),
    findErrors: ({ body, read }) => read(tx => findUserErrors(tx, body.changes?.ownerUserId, ownerPath)),
    async handle({ body: { changes, ...selection }, caller, tx }) {
      throwIfInvalid(await findUserErrors(tx, changes.ownerUserId, ownerPath))
      const { lawfulBasis, ...others } = changes
      const normalized = lawfulBasis && normalizeBasis(lawfulBasis, getNow(tx), basisPath)
      const requested = normalized ? { ...others, lawfulBasis: normalized } : others
      return runOrEnqueue(tx, caller, { kind: 'update', selection, changes: requested })
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/leads',
    operation: 'deleteLeads',
    summary: 'Delete many leads',
    description:
      'The leads are selected by ids or by a filter. Up to 1,000 leads are deleted at once, all or none; more are deleted by a job. With `erase`, the people of up to 100 leads are erased at once.',
    scope: 'leads:write',
    errors: [tooManyJobs(leadOperationKind.limit)],
    body: BulkDeletion,
    replyExample: { ...operationExample, kind: 'delete' },
    example: { ids: ['01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f'] },
    async handle({ body: { erase, ...selection }, caller, tx }) {
      return runOrEnqueue(tx, caller, { kind: erase ? 'erase' : 'delete', selection, changes: null })
    },
  }),
  ...operationRoutes({
    kind: leadOperationKind,
    path: '/leads/operations/{id}',
    tag,
    title: 'LeadOperation',
    scopes: { read: 'leads:read', write: 'leads:write' },
    reply: LeadOperation,
    examples: {
      running: runningExample,
      ended: completedExample,
      cancellation: cancelledExample,
    },
    cancelDescription: 'Leads that were already changed or deleted stay so.',
    find: findOperation,
    cancel: cancelOperation,
  }),
]

async function runOrEnqueue(
  tx: Tx,
  { keyId, userId }: Caller,
  requested: { kind: 'update' | 'delete' | 'erase'; selection: Selection; changes: Changes | null },
): Promise<JsonText> {
  const { id, isSmall } = await insertOperation(tx, { ...requested, keyId, userId })
  if (isSmall) await finishOperation(tx, id)
  else await startOperation(tx, leadOperationKind, id)
  return toReply(await findOperation(tx, id))
}

function toReply(json: string | null): JsonText {
  if (!json) throw notFound('operation')
  return toJsonText(json)
}
