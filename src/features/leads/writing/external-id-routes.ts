/** Leads by external id over HTTP, one at a time or in a batch. */
import type { Tx } from '../../../kit/db/index.ts'
import { toJsonText } from '../../../kit/json-text.ts'
import type { InputError, Problem } from '../../../kit/problem.ts'
import { type Route, route } from '../../../kit/route.ts'
import { strictObject, Type } from '../../../kit/schema.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { createExternalIdNotFound } from '../history/merged-leads.ts'
import { deleteLead, deletionQuery } from '../person/delete-lead.ts'
import { leadExists, personErased } from '../problems.ts'
import { findLeads, getLeadReply } from '../queries.ts'
import { fieldsParameter, Lead } from '../schemas.ts'
import { createdLeadExample, newLeadExample } from './examples.ts'
import {
  type BatchLead,
  batchMax,
  externalId,
  LeadBatch,
  LeadBatchResult,
  UpsertedLead,
} from './input-schemas.ts'
import { findLeadsByExternalId } from './lead-candidates.ts'
import { findLeadErrors, getWorkspaceFacts, validateFeatures, validateLeads } from './read-input.ts'
import { type Upserted, upsertLeads } from './upsert-leads.ts'

const path = '/leads/by-external-id/{externalId}'
const params = strictObject({
  externalId: {
    ...externalId,
    description: 'The external id, percent-encoded: `a/b` is `a%2Fb`.',
  } as typeof externalId,
})
const common = { path, tag: 'Leads', params, reply: Lead, replyExample: createdLeadExample } as const
const { externalId: _externalId, ...upsertExample } = newLeadExample

export const externalIdRoutes: Route[] = [
  route({
    ...common,
    method: 'PUT',
    operation: 'upsertLead',
    summary: 'Create or update a lead by its external id',
    description:
      'A lead with this external id is updated as by PATCH: omitted fields keep their value (200). If there is none, a lead of the same person and property that has no external id gets this one and is updated (200). Otherwise a lead is created (201). Different external ids are always different leads. With `If-Match`, no lead is created.',
    scope: 'leads:write',
    matchesETag: true,
    body: UpsertedLead,
    example: upsertExample,
    check: ({ body }) => validateFeatures(body),
    findErrors: ({ body, read }) => read(tx => findLeadErrors(tx, body)),
    status: 200,
    createdStatus: 201,
    errors: [leadExists, personErased, 'QUOTA_EXCEEDED'],
    errorExamples: {
      QUOTA_EXCEEDED:
        'The quota maxLeadsPerMonth of this month is used up. It is renewed at 2026-12-01T00:00:00Z.',
    },
    async handle({ params, body, caller, ifMatch, tx }) {
      const [upserted] = await upsertLeads(tx, [{ ...body, ...params }], { caller, ifMatch })
      if (upserted!.result === 'failed') throw upserted!.problem
      const reply = await getLeadReply(tx, upserted!.leadId)
      return upserted!.result === 'created' ? { ...reply, status: 201 } : reply
    },
  }),
  route({
    ...common,
    method: 'GET',
    operation: 'getLeadByExternalId',
    summary: 'Retrieve a lead by its external id',
    scope: 'leads:read',
    query: strictObject(fieldsParameter),
    status: 200,
    async handle({ params, query, tx }) {
      return getLeadReply(tx, await getLeadId(tx, params.externalId), query.fields)
    },
  }),
  route({
    path,
    tag: 'Leads',
    params,
    method: 'DELETE',
    operation: 'deleteLeadByExternalId',
    summary: 'Delete a lead by its external id',
    description: 'The same as `DELETE /leads/{id}`.',
    scope: 'leads:write',
    query: deletionQuery,
    matchesETag: true,
    status: 204,
    reply: Type.Null(),
    async handle({ params, query, caller, ifMatch, tx }) {
      await lockLeadWrites(tx)
      const leadId = await getLeadId(tx, params.externalId)
      await deleteLead(tx, leadId, { ...query, ifMatch, requester: caller })
      return null
    },
  }),
  route({
    method: 'POST',
    path: '/leads/batch',
    operation: 'writeLeads',
    tag: 'Leads',
    summary: 'Create or update many leads',
    description: `Up to ${batchMax} leads in a body of at most 1 MiB. Each lead is written on its own: if one is refused, its result says why, and the others are written. A lead with \`id\` is updated as by PATCH; one with \`externalId\` is created or updated as by \`PUT /leads/by-external-id/{externalId}\`; one with neither is created as by POST. A batch contains each lead once. A body that does not fit the schema is refused as a whole.`,
    scope: 'leads:write',
    body: LeadBatch,
    example: { leads: [newLeadExample, { externalId: 'crm-1043', contact: { name: 'Pere Mas' } }] },
    status: 200,
    reply: LeadBatchResult,
    replyExample: {
      data: [
        { index: 0, result: 'created', lead: createdLeadExample, error: null },
        {
          index: 1,
          result: 'failed',
          lead: null,
          error: {
            code: 'QUOTA_EXCEEDED',
            message: 'The quota maxLeadsPerMonth of this month is used up.',
            existingLeadId: null,
            mergedIntoLeadId: null,
            errors: [],
          },
        },
      ],
    },
    findErrors: ({ body: { leads = [] }, read }) => read(tx => findBatchErrors(tx, leads)),
    async handle({ body, caller, tx }) {
      const upserted = await upsertLeads(tx, body.leads, { caller })
      const leadIds = upserted.flatMap(one => (one.result === 'failed' ? [] : [one.leadId]))
      const leads = await findLeads(tx, leadIds)
      return toJsonText(
        `{"data":[${upserted.map((one, index) => formatResult(one, index, leads)).join(',')}]}`,
      )
    },
  }),
]

/** The errors of each lead, with paths into the batch, for a batch that is refused as a whole. */
async function findBatchErrors(tx: Tx, leads: BatchLead[]): Promise<InputError[]> {
  const errors = await validateLeads(leads, await getWorkspaceFacts(tx, leads))
  return errors.flatMap((leadErrors, index) =>
    leadErrors.map(error => ({ ...error, path: `/leads/${index}${error.path}` })),
  )
}

async function getLeadId(tx: Tx, externalId: string): Promise<string> {
  const leadId = (await findLeadsByExternalId(tx, [externalId])).get(externalId)
  if (leadId === undefined) throw await createExternalIdNotFound(tx, externalId)
  return leadId
}

function formatResult(one: Upserted, index: number, leads: Map<string, string>): string {
  const { result } = one
  if (one.result === 'failed')
    return JSON.stringify({ index, result, lead: null, error: toBatchError(one.problem) })
  return `{"index":${index},"result":"${result}","lead":${leads.get(one.leadId)},"error":null}`
}

function toBatchError({ code, message, details, errors = [] }: Problem) {
  return { code, message, existingLeadId: null, mergedIntoLeadId: null, ...details, errors }
}
