/** The leads of a workspace over HTTP. */
import { pageOf, pageThrough } from '../../kit/page.ts'
import { type Route, route } from '../../kit/route.ts'
import { listLeads } from './queries.ts'
import { Lead, LeadFilter, leadExample } from './schemas.ts'

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
    reply: pageOf(Lead),
    replyExample: { data: [leadExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller, tx }) {
      const list = pageThrough('leads', caller.tenantId, query)
      return list.reply(await listLeads(tx, query, list.after))
    },
  }),
]
