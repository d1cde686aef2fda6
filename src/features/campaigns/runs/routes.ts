/** The HTTP routes of runs, and of the listing URLs that a run has still to check. */
import { createPager, pageQuery, pageSchema } from '../../../kit/page.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject, Type } from '../../../kit/schema.ts'
import { listPendingListings } from '../../extractions/service.ts'
import { getCampaign } from '../campaigns/queries.ts'
import { CampaignRun, runExample } from '../campaigns/run-schemas.ts'
import { getRunExtraction, listRuns } from './queries.ts'

const tag = 'Campaigns'

const PendingUrl = strictObject(
  {
    listingId: Type.String({ description: 'The listing, by its id at the portal.' }),
    url: Type.String({ description: 'Its page.' }),
  },
  { title: 'PendingUrl', description: 'A listing that a run has still to check.' },
)

export const runRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/campaigns/{id}/runs',
    operation: 'listCampaignRuns',
    tag,
    summary: 'List the runs of a campaign at its portal, newest first',
    scope: 'campaigns:read',
    params: strictObject({ id: id('The campaign.') }),
    query: strictObject(pageQuery),
    status: 200,
    reply: pageSchema(CampaignRun),
    replyExample: { data: [runExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ params, query, caller, tx }) {
      await getCampaign(tx, params.id)
      const pager = createPager(`campaigns/${params.id}/runs`, caller.tenantId, query)
      return pager.reply(await listRuns(tx, params.id, query.limit, pager.after))
    },
  }),
  route({
    method: 'GET',
    path: '/campaigns/{id}/runs/{runId}/pending-urls',
    operation: 'listPendingUrls',
    tag,
    summary: 'List the listing URLs that a run has still to check',
    description:
      'An incremental run checks the listings that earlier runs have found, and what is new. Empty when the run has ended. `PATCH /campaigns/{id}` with `allUrlsChecked: true` drops what is pending, and closes the run.',
    scope: 'campaigns:read',
    params: strictObject({ id: id('The campaign.'), runId: id('The run.') }),
    query: strictObject(pageQuery),
    status: 200,
    reply: pageSchema(PendingUrl),
    replyExample: {
      data: [{ listingId: '98120045', url: 'https://portal-a.example/inmueble/98120045/' }],
      nextCursor: null,
    },
    errors: ['INVALID_CURSOR'],
    async handle({ params, query, caller, tx }) {
      const extractionId = await getRunExtraction(tx, params.id, params.runId)
      const pager = createPager(`runs/${params.runId}/pending-urls`, caller.tenantId, query)
      if (!extractionId) return { data: [], nextCursor: null }
      return pager.reply(await listPendingListings(tx, extractionId, query.limit, pager.after))
    },
  }),
]
