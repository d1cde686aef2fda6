/** Many leads at once over HTTP. */
import type { Caller } from '../../kit/auth.ts'
import type { Tx } from '../../kit/db/index.ts'
import { enqueue } from '../../kit/enqueue.ts'
import { type JsonText, jsonText } from '../../kit/json-text.ts'
import { invalidInput, notFound, Problem } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { closed, id } from '../../kit/schema.ts'
import { cancelOperation, findOperation, finishOperation, type Selection, startOperation } from './bulk.ts'
import { runOperationName } from './jobs.ts'
import { assertUser } from './writing.ts'
import { BulkChange, BulkDeletion, LeadOperation, operationExample } from './writing-schemas.ts'

const tag = 'Leads'
const params = closed({ operationId: id('The operation.') })
const shared = { tag, reply: LeadOperation, replyExample: operationExample, status: 200 } as const

export const bulkRoutes: Route[] = [
  route({
    ...shared,
    method: 'PATCH',
    path: '/leads',
    operation: 'updateLeads',
    summary: 'Change many leads',
    description:
      'By ids or by a filter. Up to 1,000 leads are changed at once, all or none; more by a job, whose progress the operation tells.',
    scope: 'leads:write',
    body: BulkChange,
    example: {
      ids: ['01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f'],
      changes: { status: 'contacted', addTags: ['autumn'] },
    },
    async handle({ body: { changes, ...selection }, caller, tx }) {
      if (changes.ownerUserId) await assertUser(tx, changes.ownerUserId, '/changes/ownerUserId')
      return operate(tx, caller, { kind: 'update', selection, changes })
    },
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/leads',
    operation: 'deleteLeads',
    summary: 'Delete many leads',
    description: 'By ids or by a filter. Up to 1,000 leads are deleted at once, all or none; more by a job.',
    scope: 'leads:write',
    body: BulkDeletion,
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
    summary: 'How far a change of many leads is',
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
    summary: 'Cancel a change of many leads',
    description: 'What is done stays done.',
    scope: 'leads:write',
    params,
    errors: ['INVALID_TRANSITION'],
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
  asked: { kind: 'update' | 'delete' | 'erase'; selection: Selection; changes: BulkChange['changes'] | null },
): Promise<JsonText> {
  if ((asked.selection.ids === undefined) === (asked.selection.filter === undefined))
    throw invalidInput('/ids', 'REQUIRED', 'Give either ids or a filter.')
  const { id, isSmall } = await startOperation(tx, { ...asked, keyId: keyId ?? null })
  if (isSmall) await finishOperation(tx, id)
  else await enqueue(tx, runOperationName, { operationId: id }, { maxAttempts: 6 })
  return found(await findOperation(tx, id))
}

function found(json: string | null): JsonText {
  if (!json) throw notFound('operation')
  return jsonText(json)
}
