/** Previews of campaigns over HTTP. */
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject } from '../../../kit/schema.ts'
import { previewExample } from './examples.ts'
import { type PreviewDependencies, runPreview } from './run-preview.ts'
import { CampaignPreview, PreviewRequest, recipientsMax, textsMax } from './schemas.ts'

export const previewRoute = (dependencies: PreviewDependencies): Route =>
  route({
    method: 'POST',
    path: '/campaigns/{id}/preview',
    operation: 'previewCampaign',
    tag: 'Campaigns',
    summary: 'Preview a campaign',
    description: `Changes nothing. It runs the planner of the campaign on what is stored now: the times are those at which the messages are sent, to the minute, if nobody replies, opts out or joins, and the account keeps its budget for this campaign. One that does not run is previewed as if it was started now. The first ${recipientsMax} recipients are looked at, and the texts of the first ${textsMax} messages.`,
    scope: 'campaigns:read',
    alsoScope: 'leads:read',
    params: strictObject({ id: id('The campaign.') }),
    body: PreviewRequest,
    example: { days: 7, limit: 20 },
    status: 200,
    reply: CampaignPreview,
    replyExample: previewExample,
    prepare: ({ params, body: { days = 7, limit = 50 }, caller, database, signal }) =>
      runPreview(dependencies, {
        database,
        tenant: caller,
        campaignId: params.id,
        days,
        limit,
        signal,
      }),
    handle: async ({ prepared }) => prepared,
  })
