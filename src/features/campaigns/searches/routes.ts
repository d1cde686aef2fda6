/** The HTTP routes of saved searches. */
import { createPager, pageSchema } from '../../../kit/page.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject } from '../../../kit/schema.ts'
import { getCampaign } from '../campaigns/queries.ts'
import { listChanges } from './list-changes.ts'
import { CampaignChange, ChangeFilter, changeExample } from './schemas.ts'

export const searchRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/campaigns/{id}/changes',
    operation: 'listCampaignChanges',
    tag: 'Campaigns',
    summary: 'List what is new, cheaper or gone in the search of a campaign, newest first',
    description:
      'Recorded at the end of each completed run while `settings.notifications` is set. The first run is the baseline: it reports nothing. At most the newest 10,000 changes are kept; those of a deleted lead are deleted.',
    scope: 'campaigns:read',
    params: strictObject({ id: id('The campaign.') }),
    query: ChangeFilter,
    status: 200,
    reply: pageSchema(CampaignChange),
    replyExample: { data: [changeExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ params, query, caller, tx }) {
      await getCampaign(tx, params.id)
      const pager = createPager(`campaigns/${params.id}/changes`, caller.tenantId, query)
      return pager.reply(await listChanges(tx, params.id, query, pager.after))
    },
  }),
]
