/** The leads of a workspace over HTTP. */
import { jsonText } from '../../kit/json-text.ts'
import { pageOf, pageThrough } from '../../kit/page.ts'
import { notFound } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { closed, id, nullable, Type } from '../../kit/schema.ts'
import { deleteLead } from './deletion.ts'
import { countLeads, listLeads } from './lead-list.ts'
import { noteRoutes } from './note-routes.ts'
import { findLead } from './queries.ts'
import { Lead, LeadCount, LeadFilter, leadExample } from './schemas.ts'

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
    query: LeadFilter,
    status: 200,
    reply: pageOf(Lead, { count: nullable(LeadCount) }),
    replyExample: { data: [leadExample], nextCursor: null, count: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller, tx }) {
      const { count: isCounted, ...filter } = query
      const list = pageThrough('leads', caller.tenantId, filter)
      const page = await listLeads(tx, filter, list.after)
      return list.reply(page, { count: isCounted ? await countLeads(tx, filter) : null })
    },
  }),
  route({
    method: 'GET',
    path: '/leads/{id}',
    operation: 'getLead',
    tag: 'Leads',
    summary: 'A lead',
    scope: 'leads:read',
    params,
    status: 200,
    reply: Lead,
    replyExample: leadExample,
    async handle({ params, tx }) {
      const json = await findLead(tx, params.id)
      if (!json) throw notFound('lead')
      return jsonText(json)
    },
  }),
  route({
    method: 'DELETE',
    path: '/leads/{id}',
    operation: 'deleteLead',
    tag: 'Leads',
    summary: 'Delete a lead',
    description:
      'Its sources and notes go with it. A property that is still advertised comes back as a new lead with the next extraction that finds it.',
    scope: 'leads:write',
    params,
    status: 204,
    reply: Type.Null(),
    async handle({ params, tx }) {
      if (!(await deleteLead(tx, params.id))) throw notFound('lead')
      return null
    },
  }),
  ...noteRoutes,
]
