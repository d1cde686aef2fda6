/** The leads of a workspace over HTTP. */
import { pageOf, pageThrough } from '../../kit/page.ts'
import { type Route, route } from '../../kit/route.ts'
import { closed, id, nullable, Type } from '../../kit/schema.ts'
import { duplicateRoutes } from './adverts/duplicate-routes.ts'
import { lawfulBasisRoutes } from './contact/lawful-basis-routes.ts'
import { historyRoutes } from './history/history-routes.ts'
import { noteRoutes } from './history/note-routes.ts'
import { exportRoutes } from './list/export-routes.ts'
import { countLeads, listLeads } from './list/lead-list.ts'
import { deleteLead, deletionQuery } from './person/delete-lead.ts'
import { personDataRoute } from './person/person-data.ts'
import { showLead } from './queries.ts'
import { takeTurn } from './record/writer.ts'
import { chosenFields, Lead, LeadCount, LeadFilter, leadExample } from './schemas.ts'
import { bulkRoutes } from './writing/bulk-routes.ts'
import { externalIdRoutes } from './writing/external-id-routes.ts'
import { errorsOfFeatures, findErrorsOfLead } from './writing/read-draft.ts'
import { changeLead, createLead } from './writing/writing.ts'
import { LeadChanges, NewLead, newLeadExample } from './writing/writing-schemas.ts'

const params = closed({ id: id('The lead.') })

export const leadRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/leads',
    operation: 'listLeads',
    tag: 'Leads',
    summary: 'Leads, newest first',
    description: 'Filters narrow each other. A cursor goes with the filters it was made with.',
    scope: 'leads:read',
    query: closed({ ...LeadFilter.properties, ...chosenFields }),
    status: 200,
    reply: pageOf(Lead, { count: nullable(LeadCount) }),
    replyExample: { data: [leadExample], nextCursor: null, count: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller, tx }) {
      const { count: isCounted, fields, ...filter } = query
      const list = pageThrough('leads', caller.tenantId, filter)
      const page = await listLeads(tx, filter, list.after, fields)
      return list.reply(page, { count: isCounted ? await countLeads(tx, filter) : null })
    },
  }),
  route({
    method: 'POST',
    path: '/leads',
    operation: 'createLead',
    tag: 'Leads',
    summary: 'Write a lead',
    description:
      'Its source is `api`. A person and property that are a lead already are refused with 409, and so is the external id of another lead; `existingLeadId` names it. Two external ids are two leads. Nobody is contacted before a lawful basis is recorded.',
    scope: 'leads:write',
    body: NewLead,
    example: newLeadExample,
    check: ({ body }) => errorsOfFeatures(body),
    findErrors: ({ body, read }) => read(tx => findErrorsOfLead(tx, body)),
    status: 201,
    reply: Lead,
    replyExample: leadExample,
    errors: ['LEAD_EXISTS', 'PERSON_ERASED', 'QUOTA_EXCEEDED'],
    async handle({ body, caller, tx }) {
      return showLead(tx, await createLead(tx, body, caller))
    },
  }),
  route({
    method: 'GET',
    path: '/leads/{id}',
    operation: 'getLead',
    tag: 'Leads',
    summary: 'A lead',
    description: 'Its `ETag` can be sent as `If-Match` when it is changed.',
    scope: 'leads:read',
    params,
    query: closed(chosenFields),
    status: 200,
    reply: Lead,
    replyExample: leadExample,
    async handle({ params, query, tx }) {
      return showLead(tx, params.id, query.fields)
    },
  }),
  route({
    method: 'PATCH',
    path: '/leads/{id}',
    operation: 'updateLead',
    tag: 'Leads',
    summary: 'Change a lead',
    description:
      'What is missing stays as it is; null takes away; lists are replaced, customFields field by field. What was changed so stays as it is, or away, whatever its advert says from then on; the history of prices goes on telling what the advert asks. Of a person who has opted out, what stays when a telephone or an address goes is opted out as well. Who changed what stands in its timeline.',
    scope: 'leads:write',
    params,
    matchesETag: true,
    body: LeadChanges,
    example: { status: 'contacted', contact: { email: 'marta@example.com' }, customFields: { keys: 3 } },
    check: ({ body }) => errorsOfFeatures(body),
    findErrors: ({ body, read }) => read(tx => findErrorsOfLead(tx, body)),
    status: 200,
    reply: Lead,
    replyExample: {
      ...leadExample,
      status: 'contacted',
      contact: { ...leadExample.contact, email: 'marta@example.com' },
      customFields: { keys: 3 },
      updatedAt: '2026-11-02T11:00:00.000Z',
    },
    errors: ['LEAD_EXISTS', 'PERSON_ERASED'],
    async handle({ params, body, caller, ifMatch, tx }) {
      await changeLead(tx, params.id, body, { caller, ifMatch })
      return showLead(tx, params.id)
    },
  }),
  route({
    method: 'DELETE',
    path: '/leads/{id}',
    operation: 'deleteLead',
    tag: 'Leads',
    summary: 'Delete a lead',
    description:
      'Its sources and notes go with it. A property that is still advertised comes back as a new lead with the next extraction that finds it. With `erase` the person goes, and is not stored again.',
    scope: 'leads:write',
    params,
    query: deletionQuery,
    matchesETag: true,
    status: 204,
    reply: Type.Null(),
    async handle({ params, query, caller, ifMatch, tx }) {
      await takeTurn(tx)
      await deleteLead(tx, params.id, { ...query, ifMatch, keyId: caller.keyId })
      return null
    },
  }),
  ...externalIdRoutes,
  ...bulkRoutes,
  ...historyRoutes,
  ...lawfulBasisRoutes,
  personDataRoute,
  ...exportRoutes,
  ...noteRoutes,
  ...duplicateRoutes,
]
