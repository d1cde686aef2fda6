/** The leads of a workspace over HTTP. */
import { createPager, pageSchema } from '../../kit/page.ts'
import type { PersonData } from '../../kit/person-data.ts'
import { type Route, route } from '../../kit/route.ts'
import { id, nullable, strictObject, Type } from '../../kit/schema.ts'
import { lockLeadWrites } from '../../kit/writer.ts'
import { lawfulBasisRoutes } from './contact/lawful-basis-routes.ts'
import { historyRoutes } from './history/history-routes.ts'
import { noteRoutes } from './history/note-routes.ts'
import { exportRoutes } from './list/export-routes.ts'
import { countLeads, listLeads } from './list/lead-list.ts'
import { duplicateRoutes } from './listings/duplicate-routes.ts'
import { deleteLead, deletionQuery } from './person/delete-lead.ts'
import { personDataRoute } from './person/person-data-routes.ts'
import { leadExists, personErased } from './problems.ts'
import { getLeadReply } from './queries.ts'
import { fieldsParameter, Lead, LeadCount, LeadFilter, leadExample } from './schemas.ts'
import { bulkRoutes } from './writing/bulk-routes.ts'
import { createdLeadExample, newLeadExample } from './writing/examples.ts'
import { externalIdRoutes } from './writing/external-id-routes.ts'
import { LeadChanges, NewLead } from './writing/input-schemas.ts'
import { findLeadErrors, validateFeatures } from './writing/read-input.ts'
import { createLead, updateLead } from './writing/single-lead.ts'

const params = strictObject({ id: id('The lead.') })

/** `personData`: the data about people that other features hold. */
export const leadRoutes = (personData: PersonData[]): Route[] => [
  route({
    method: 'GET',
    path: '/leads',
    operation: 'listLeads',
    tag: 'Leads',
    summary: 'List leads, newest first',
    description: 'A lead must match all filters. A cursor is valid only with the filters it was made with.',
    scope: 'leads:read',
    query: strictObject({ ...LeadFilter.properties, ...fieldsParameter }),
    status: 200,
    reply: pageSchema(Lead, { count: nullable(LeadCount) }),
    replyExample: { data: [leadExample], nextCursor: null, count: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller, tx }) {
      const { count: isCounted, fields, ...filter } = query
      const pager = createPager('leads', caller.tenantId, filter)
      const page = await listLeads(tx, filter, pager.after, fields)
      return pager.reply(page, { count: isCounted ? await countLeads(tx, filter) : null })
    },
  }),
  route({
    method: 'POST',
    path: '/leads',
    operation: 'createLead',
    tag: 'Leads',
    summary: 'Create a lead',
    description:
      'The source of the lead is `api`. If a lead of the same person and property exists, or another lead has the external id, the reply is 409 and `existingLeadId` names that lead. Different external ids are always different leads. Nobody is contacted before a lawful basis is recorded.',
    scope: 'leads:write',
    body: NewLead,
    example: newLeadExample,
    check: ({ body }) => validateFeatures(body),
    findErrors: ({ body, read }) => read(tx => findLeadErrors(tx, body)),
    status: 201,
    reply: Lead,
    replyExample: createdLeadExample,
    errors: [leadExists, personErased, 'QUOTA_EXCEEDED'],
    errorExamples: {
      QUOTA_EXCEEDED:
        'The quota maxLeadsPerMonth of this month is used up. It is renewed at 2026-12-01T00:00:00Z.',
    },
    async handle({ body, caller, tx }) {
      return getLeadReply(tx, await createLead(tx, body, caller))
    },
  }),
  route({
    method: 'GET',
    path: '/leads/{id}',
    operation: 'getLead',
    tag: 'Leads',
    summary: 'Retrieve a lead',
    description: 'Send the `ETag` of the reply as `If-Match` to update this version only.',
    scope: 'leads:read',
    params,
    query: strictObject(fieldsParameter),
    status: 200,
    reply: Lead,
    replyExample: leadExample,
    async handle({ params, query, tx }) {
      return getLeadReply(tx, params.id, query.fields)
    },
  }),
  route({
    method: 'PATCH',
    path: '/leads/{id}',
    operation: 'updateLead',
    tag: 'Leads',
    summary: 'Update a lead',
    description:
      'Omitted fields keep their value; null removes a value. Lists are replaced; `customFields` are updated field by field. Extractions never overwrite a field that was updated here; `priceHistory` still records the prices of the listing. If the person has opted out, the opt-out also covers the phone numbers and e-mail addresses that remain. The timeline shows who changed what.',
    scope: 'leads:write',
    params,
    matchesETag: true,
    body: LeadChanges,
    example: { status: 'contacted', contact: { email: 'marta@example.com' }, customFields: { keys: 3 } },
    check: ({ body }) => validateFeatures(body),
    findErrors: ({ body, read }) => read(tx => findLeadErrors(tx, body)),
    status: 200,
    reply: Lead,
    replyExample: {
      ...leadExample,
      status: 'contacted',
      contact: { ...leadExample.contact, email: 'marta@example.com' },
      customFields: { keys: 3 },
      updatedAt: '2026-11-02T11:00:00.000Z',
    },
    errors: [leadExists, personErased],
    async handle({ params, body, caller, ifMatch, tx }) {
      await updateLead(tx, params.id, body, { caller, ifMatch })
      return getLeadReply(tx, params.id)
    },
  }),
  route({
    method: 'DELETE',
    path: '/leads/{id}',
    operation: 'deleteLead',
    tag: 'Leads',
    summary: 'Delete a lead',
    description:
      'Its sources and notes are deleted too. If the property is still listed, the next extraction that finds it creates a new lead. With `erase`, the person is erased and is not stored again.',
    scope: 'leads:write',
    params,
    query: deletionQuery,
    matchesETag: true,
    status: 204,
    reply: Type.Null(),
    async handle({ params, query, caller, ifMatch, tx }) {
      await lockLeadWrites(tx)
      await deleteLead(tx, params.id, { ...query, ifMatch, requester: caller })
      return null
    },
  }),
  ...externalIdRoutes,
  ...bulkRoutes,
  ...historyRoutes,
  ...lawfulBasisRoutes,
  personDataRoute(personData),
  ...exportRoutes,
  ...noteRoutes,
  ...duplicateRoutes,
]
