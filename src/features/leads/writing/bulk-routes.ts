/** Many leads at once over HTTP. */
import type { Caller } from '../../../kit/auth.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { type JsonText, jsonText } from '../../../kit/json-text.ts'
import { notFound, Problem, refuseIfAny } from '../../../kit/problem.ts'
import { type Route, route } from '../../../kit/route.ts'
import { closed, id } from '../../../kit/schema.ts'
import { requireRoom, tooManyJobs, type WorkLimit } from '../../../kit/work-limit.ts'
import { errorsOfBasis, readBasis } from '../../privacy/service.ts'
import { enqueueOperation } from '../jobs.ts'
import {
  type Changes,
  cancelOperation,
  findOperation,
  finishOperation,
  type Selection,
  startOperation,
} from './bulk.ts'
import { BulkChange, BulkDeletion, LeadOperation, operationExample } from './bulk-schemas.ts'
import { findErrorsOfUser } from './read-draft.ts'

const tag = 'Leads'
const basisPath = '/changes/lawfulBasis'
const ownerPath = '/changes/ownerUserId'
const params = closed({ operationId: id('The operation.') })
const underWay: WorkLimit = {
  table: 'lead_operations',
  statuses: ['QUEUED', 'RUNNING'],
  max: 100,
  of: 'changes of many leads',
}
const shared = { tag, reply: LeadOperation, replyExample: operationExample, status: 200 } as const

export const bulkRoutes: Route[] = [
  route({
    ...shared,
    method: 'PATCH',
    path: '/leads',
    operation: 'updateLeads',
    summary: 'Update many leads',
    description:
      'The leads are selected by ids or by a filter. Up to 1,000 leads are updated at once, all or none. More are updated by a job; the returned operation shows its progress. `lawfulBasis` replaces the recorded basis, as `PUT /leads/{id}/lawful-basis` does.',
    scope: 'leads:write',
    errors: [tooManyJobs(underWay)],
    body: BulkChange,
    example: {
      ids: ['01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f'],
      changes: { status: 'contacted', addTags: ['autumn'] },
    },
    check: ({ body, isFaulty }) =>
      errorsOfBasis(body.changes?.lawfulBasis ?? {}, new Date(), { path: basisPath, isFaulty }),
    findErrors: ({ body, read }) => read(tx => findErrorsOfUser(tx, body.changes?.ownerUserId, ownerPath)),
    async handle({ body: { changes, ...selection }, caller, tx }) {
      refuseIfAny(await findErrorsOfUser(tx, changes.ownerUserId, ownerPath))
      const { lawfulBasis, ...others } = changes
      const read = lawfulBasis && readBasis(lawfulBasis, new Date(), basisPath)
      const asked = read ? { ...others, lawfulBasis: read } : others
      return operate(tx, caller, { kind: 'update', selection, changes: asked })
    },
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/leads',
    operation: 'deleteLeads',
    summary: 'Delete many leads',
    description:
      'The leads are selected by ids or by a filter. Up to 1,000 leads are deleted at once, all or none; more are deleted by a job. With `erase`, the people of up to 100 leads are erased at once.',
    scope: 'leads:write',
    errors: [tooManyJobs(underWay)],
    body: BulkDeletion,
    replyExample: { ...operationExample, kind: 'delete' },
    example: { ids: ['01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f'] },
    async handle({ body: { erase, ...selection }, caller, tx }) {
      return operate(tx, caller, { kind: erase ? 'erase' : 'delete', selection, changes: null })
    },
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/leads/operations/{operationId}',
    operation: 'getLeadOperation',
    summary: 'Get an operation on many leads and its progress',
    scope: 'leads:read',
    params,
    async handle({ params, tx }) {
      return found(await findOperation(tx, params.operationId))
    },
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/leads/operations/{operationId}/cancel',
    operation: 'cancelLeadOperation',
    summary: 'Cancel an operation on many leads',
    replyExample: {
      ...operationExample,
      ...{ status: 'CANCELLED', asked: null, matched: 5000, processed: 2000, changed: 1900 },
      finishedAt: '2026-11-02T10:00:04.000Z',
    },
    description: 'Leads that were changed or deleted already stay so.',
    scope: 'leads:write',
    params,
    errors: ['INVALID_TRANSITION'],
    errorExamples: { INVALID_TRANSITION: 'The operation has ended: there is nothing to cancel.' },
    async handle({ params, tx }) {
      found(await findOperation(tx, params.operationId))
      if (!(await cancelOperation(tx, params.operationId)))
        throw new Problem('INVALID_TRANSITION', 'The operation has ended: there is nothing to cancel.')
      return found(await findOperation(tx, params.operationId))
    },
  }),
]

async function operate(
  tx: Tx,
  { keyId }: Caller,
  asked: { kind: 'update' | 'delete' | 'erase'; selection: Selection; changes: Changes | null },
): Promise<JsonText> {
  const { id, isSmall } = await startOperation(tx, { ...asked, keyId: keyId ?? null })
  if (isSmall) await finishOperation(tx, id)
  else {
    await requireRoom(tx, underWay)
    await enqueueOperation(tx, id)
  }
  return found(await findOperation(tx, id))
}

function found(json: string | null): JsonText {
  if (!json) throw notFound('operation')
  return jsonText(json)
}
