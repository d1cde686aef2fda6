/** The recipients of a campaign over HTTP. */
import { createPager, pageQuery, pageSchema } from '../../../kit/page.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject, Type } from '../../../kit/schema.ts'
import { getCampaign } from '../campaigns/queries.ts'
import { exportRoute } from './export-route.ts'
import { recipientFilters } from './filters.ts'
import { listRecipients } from './list-queries.ts'
import { completedCampaign, retryMax, retryRecipients } from './retry.ts'
import { CampaignRecipient, RetryResult, recipientExample } from './schemas.ts'
import { takeOutRecipient } from './take-out.ts'

const params = strictObject({ id: id('The campaign.') })

const takeOutRoute: Route = route({
  method: 'DELETE',
  path: '/campaigns/{id}/recipients/{recipientId}',
  operation: 'removeCampaignRecipient',
  tag: 'Campaigns',
  summary: 'Take a person out of a campaign',
  description:
    'Nothing more is sent to the person, and a retry does not bring it back. The recipient stays in the ledger as `stopped` with the reason `TAKEN_OUT`, with what it got so far; so do those for other leads of the person. One that has completed or was stopped before stays as it is. Leads of the person that join later are `skipped` with the same reason. To take back a whole file, undo its import with `POST /leads/imports/{importId}/undo`.',
  scope: 'campaigns:write',
  params: strictObject({ id: id('The campaign.'), recipientId: id('The recipient.') }),
  status: 204,
  reply: Type.Null(),
  async handle({ params, tx }) {
    await getCampaign(tx, params.id)
    await takeOutRecipient(tx, params.id, params.recipientId)
    return null
  },
})

export const recipientRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/campaigns/{id}/recipients',
    operation: 'listCampaignRecipients',
    tag: 'Campaigns',
    summary: 'List the recipients of a campaign, in the order in which they joined',
    description:
      'The ledger: the next step of each lead and when it is sent, what it got so far, and why it gets nothing more. A reason has the same code in the preview, here and in the failure of a message.',
    scope: 'campaigns:read',
    alsoScope: 'leads:read',
    params,
    query: strictObject({
      ...recipientFilters,
      leadId: Type.Optional(id('Only the recipient of this lead.')),
      ...pageQuery,
    }),
    status: 200,
    reply: pageSchema(CampaignRecipient),
    replyExample: { data: [recipientExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ params, query, caller, tx }) {
      await getCampaign(tx, params.id)
      const pager = createPager(`recipients ${params.id}`, caller.tenantId, query)
      const rows = await listRecipients(tx, params.id, { ...query, after: pager.after })
      const page = rows.slice(0, query.limit)
      const last = rows.length > query.limit ? [page.at(-1)!.id] : null
      return pager.reply({ json: `[${page.map(({ json }) => json).join(',')}]`, last })
    },
  }),
  route({
    method: 'POST',
    path: '/campaigns/{id}/recipients/retry',
    operation: 'retryCampaignRecipients',
    tag: 'Campaigns',
    summary: 'Send the next step to recipients that were skipped or have failed',
    description: `They wait for their turn again, with the step that was refused or has failed: whoever still may not be written to ends again, with the reason. Send \`recipientIds\`, or the filters \`status\` and \`reason\`, or neither for all that were skipped or have failed. At most ${retryMax} in a request, the oldest first: repeat it with \`lastId\` of the reply as \`after\` until it is null. Final reasons, such as an opt-out, are left out.`,
    scope: 'campaigns:write',
    params,
    body: strictObject({
      recipientIds: Type.Optional(
        Type.Array(id('A recipient.'), {
          minItems: 1,
          maxItems: retryMax,
          uniqueItems: true,
          description: 'These recipients.',
        }),
      ),
      status: Type.Optional(
        Type.Union([Type.Literal('skipped'), Type.Literal('failed')], {
          description: 'Only those with this status.',
        }),
      ),
      reason: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'Only those with this code of their reason.',
          examples: ['NO_IDENTITY'],
        }),
      ),
      after: Type.Optional(
        id('Only those who joined after this recipient: the `lastId` of the reply before.'),
      ),
    }),
    example: { status: 'skipped', reason: 'NO_LAWFUL_BASIS' },
    status: 200,
    reply: RetryResult,
    replyExample: { retried: 42, unchanged: 1, lastId: null },
    errors: ['INVALID_TRANSITION'],
    errorExamples: { INVALID_TRANSITION: completedCampaign },
    async handle({ params, body, tx }) {
      return retryRecipients(tx, await getCampaign(tx, params.id), body)
    },
  }),
  takeOutRoute,
  exportRoute,
]
