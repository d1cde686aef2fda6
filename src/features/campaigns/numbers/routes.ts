/** The numbers of campaigns over HTTP. */
import { route } from '../../../kit/route.ts'
import { id, strictObject } from '../../../kit/schema.ts'
import { getCampaign } from '../campaigns/queries.ts'
import { numbersExample } from './examples.ts'
import { readNumbers } from './read-numbers.ts'
import { CampaignNumbers } from './schemas.ts'

export const numbersRoute = route({
  method: 'GET',
  path: '/campaigns/{id}/numbers',
  operation: 'getCampaignNumbers',
  tag: 'Campaigns',
  summary: 'Retrieve what a campaign has reached',
  description:
    'The funnel, each step, the templates that are compared, and the cost. Replies, bookings and opt-outs count if they come within 30 days after a message of the campaign, for the step that the person got last. Intervals: Wilson for rates, Newcombe (method 10) for differences, both 95 %.',
  scope: 'campaigns:read',
  params: strictObject({ id: id('The campaign.') }),
  status: 200,
  reply: CampaignNumbers,
  replyExample: numbersExample,
  readsSnapshot: true,
  async handle({ params, tx }) {
    const { id } = await getCampaign(tx, params.id)
    return readNumbers(tx, id)
  },
})
