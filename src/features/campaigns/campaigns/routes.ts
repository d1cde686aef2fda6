/** Campaigns over HTTP. */

import { assertVersion } from '../../../kit/etag.ts'
import { createPager, pageSchema } from '../../../kit/page.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject, Type } from '../../../kit/schema.ts'
import { checkSettings } from './check-settings.ts'
import { campaignExample, newCampaignExample } from './examples.ts'
import { campaignChanges, campaignFilter, newCampaign, StatusChange } from './input-schemas.ts'
import { assertMove, pauseCampaign, startCampaign } from './moves.ts'
import {
  campaignCompleted,
  campaignNotReady,
  campaignRunning,
  chatAccountRequired,
  stepsInUse,
  tooManyCampaigns,
} from './problems.ts'
import { findCampaign, listCampaigns } from './queries.ts'
import { assertReady, type RecordDependencies } from './readiness.ts'
import { readReply, toReplies } from './reply.ts'
import { Campaign } from './schemas.ts'
import { checkSegmentation } from './segmentation.ts'
import { changeCampaign, createCampaign, deleteCampaign, findFieldErrors, lockExisting } from './write.ts'

export type { RecordDependencies }

const tag = 'Campaigns'
const params = strictObject({ id: id('The campaign.') })

const createRoute = (dependencies: RecordDependencies): Route =>
  route({
    method: 'POST',
    path: '/campaigns',
    operation: 'createCampaign',
    tag,
    summary: 'Create a campaign',
    description:
      'It is a draft until `PATCH /campaigns/{id}/status` starts it. Omitted fields have their default, and the reply has every field. With `accountId` alone, the contact mode is that of the account.',
    scope: 'campaigns:write',
    body: newCampaign(dependencies.portals),
    example: newCampaignExample,
    status: 201,
    reply: Campaign,
    replyExample: { ...campaignExample, status: 'draft', startedAt: null, wait: null },
    errors: [chatAccountRequired, tooManyCampaigns],
    check: ({ body: { platform, segmentation, settings = {} }, now }) => [
      ...checkSettings(settings, now),
      ...(platform && segmentation ? checkSegmentation(dependencies.portals, platform, segmentation) : []),
    ],
    findErrors: ({ body, read, hasErrorsAt }) => read(tx => findFieldErrors(tx, body, null, hasErrorsAt)),
    async handle({ body, caller, tx }) {
      return readReply(tx, await createCampaign(tx, body, { ...dependencies, caller }))
    },
  })

const listRoute = (portals: RecordDependencies['portals']): Route =>
  route({
    method: 'GET',
    path: '/campaigns',
    operation: 'listCampaigns',
    tag,
    summary: 'List campaigns, newest first',
    scope: 'campaigns:read',
    query: campaignFilter(portals),
    status: 200,
    reply: pageSchema(Campaign),
    replyExample: { data: [campaignExample], nextCursor: null },
    readsSnapshot: true,
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller, tx }) {
      const pager = createPager('campaigns', caller.tenantId, query)
      const rows = await listCampaigns(tx, query, pager.after)
      const page = rows.slice(0, query.limit)
      const last = rows.length > query.limit ? [page.at(-1)!.id] : null
      return pager.reply({ json: JSON.stringify(await toReplies(tx, page)), last })
    },
  })

const changeRoute = (dependencies: RecordDependencies): Route =>
  route({
    method: 'PATCH',
    path: '/campaigns/{id}',
    operation: 'updateCampaign',
    tag,
    summary: 'Update a campaign',
    description:
      'Omitted fields keep their value, also in `settings` and `segmentation`; lists and `filters` are replaced as a whole. Another `platform` begins with an empty segmentation. A campaign that runs must stay ready; of one that has completed only `name` and `settings.ai` may be changed.',
    scope: 'campaigns:write',
    params,
    matchesETag: true,
    body: campaignChanges(dependencies.portals),
    example: { name: 'Owners in Gràcia, autumn', settings: { dailyLeadLimit: 60 } },
    status: 200,
    reply: Campaign,
    replyExample: campaignExample,
    errors: [campaignCompleted, stepsInUse, chatAccountRequired, campaignNotReady],
    check: ({ body: { platform, segmentation, settings = {} }, now }) => [
      ...checkSettings(settings, now),
      ...(platform && segmentation ? checkSegmentation(dependencies.portals, platform, segmentation) : []),
    ],
    findErrors: ({ params, body, read, hasErrorsAt }) =>
      read(async tx => {
        const row = params.id ? ((await findCampaign(tx, params.id)) ?? null) : null
        const { platform, segmentation } = body
        const isJudged = platform !== undefined || hasErrorsAt('/platform') || !row || !segmentation
        return [
          ...(isJudged ? [] : checkSegmentation(dependencies.portals, row.platform, segmentation)),
          ...(await findFieldErrors(tx, body, row, hasErrorsAt)),
        ]
      }),
    async handle({ params, body, ifMatch, caller, tx }) {
      await changeCampaign(tx, params.id, body, { ...dependencies, ifMatch, caller })
      return readReply(tx, params.id)
    },
  })

const statusRoute = (dependencies: RecordDependencies): Route =>
  route({
    method: 'PATCH',
    path: '/campaigns/{id}/status',
    operation: 'changeCampaignStatus',
    tag,
    summary: 'Start, pause or resume a campaign',
    description:
      'Only `running` and `paused` may be requested. A pause keeps everything: the configuration, the recipients and how far each has come.',
    scope: 'campaigns:write',
    params,
    matchesETag: true,
    body: StatusChange,
    example: { status: 'running' },
    status: 200,
    reply: Campaign,
    replyExample: campaignExample,
    errors: ['INVALID_TRANSITION', campaignNotReady],
    errorExamples: {
      INVALID_TRANSITION: "A campaign that is draft can't become paused. It may only become running.",
    },
    async handle({ params, body: { status }, ifMatch, tx }) {
      const row = await lockExisting(tx, params.id)
      assertVersion('campaign', row.version, ifMatch)
      assertMove(row, status)
      if (status === 'running') {
        await assertReady(tx, row, dependencies)
        await startCampaign(tx, row)
      } else await pauseCampaign(tx, params.id, null)
      return readReply(tx, params.id)
    },
  })

export const campaignRoutes = (dependencies: RecordDependencies): Route[] => [
  createRoute(dependencies),
  listRoute(dependencies.portals),
  route({
    method: 'GET',
    path: '/campaigns/{id}',
    operation: 'getCampaign',
    tag,
    summary: 'Retrieve a campaign',
    description: 'Send the `ETag` of the reply as `If-Match` to update this version only.',
    scope: 'campaigns:read',
    params,
    status: 200,
    reply: Campaign,
    replyExample: campaignExample,
    readsSnapshot: true,
    handle: ({ params, tx }) => readReply(tx, params.id),
  }),
  changeRoute(dependencies),
  route({
    method: 'DELETE',
    path: '/campaigns/{id}',
    operation: 'deleteCampaign',
    tag,
    summary: 'Delete a campaign',
    description:
      'Its recipients and runs are deleted too, with the evidence of why somebody was contacted: export it first. Leads, conversations and messages stay. One that runs has to be paused before.',
    scope: 'campaigns:write',
    params,
    matchesETag: true,
    status: 204,
    reply: Type.Null(),
    errors: [campaignRunning],
    async handle({ params, ifMatch, tx }) {
      await deleteCampaign(tx, params.id, ifMatch)
      return null
    },
  }),
  statusRoute(dependencies),
]
