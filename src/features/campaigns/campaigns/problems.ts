/** The error codes of campaigns, and their fields. */
import type { ProblemType } from '../../../kit/problem.ts'
import type { ProblemFields } from '../../../kit/problem-schema.ts'
import { oneOf, strictObject, Type } from '../../../kit/schema.ts'
import { campaignStatuses } from './schemas.ts'

export const chatAccountRequired: ProblemType = {
  code: 'CHAT_ACCOUNT_REQUIRED',
  status: 422,
  meaning:
    'The contact mode `chat` needs a connected business chat account, and there is none, or the one named is not connected.',
  action: 'Connect the account with `POST /accounts`, or use the contact mode `chat-no-api`.',
  example: 'The contact mode chat needs a connected business chat account. Connect one with POST /accounts.',
}

export const campaignNotReady: ProblemType = {
  code: 'CAMPAIGN_NOT_READY',
  status: 422,
  meaning: 'The campaign cannot run as it is: `missing` lists everything that it lacks.',
  action: 'Correct every field of `missing` with `PATCH /campaigns/{id}`, then start it.',
  example: 'The campaign is not ready: 2 things are missing, see missing.',
  exampleDetails: {
    missing: [
      {
        code: 'BATCH_SIZE_MISSING',
        path: '/segmentation/batchSize',
        message: 'Set the number of rows that are taken at a time, 1 to 25.',
      },
      { code: 'STEPS_MISSING', path: '/settings/steps', message: 'Add at least one step.' },
    ],
  },
}

export const campaignRunning: ProblemType = {
  code: 'CAMPAIGN_RUNNING',
  status: 409,
  meaning: 'The campaign runs, so it cannot be deleted.',
  action: 'Pause it with `PATCH /campaigns/{id}/status` first.',
  example: 'The campaign runs. Pause it, then delete it.',
}

export const campaignCompleted: ProblemType = {
  code: 'CAMPAIGN_COMPLETED',
  status: 409,
  meaning: 'The campaign has completed: it sends and reads nothing more, so the change would have no effect.',
  action:
    'Create a new campaign with these settings. Only `name` and `settings.ai`, which answers replies that still come, may be changed.',
  example:
    'The campaign has completed, so only its name and settings.ai may change. Create a new one with POST /campaigns.',
}

export const stepsInUse: ProblemType = {
  code: 'STEPS_IN_USE',
  status: 409,
  meaning:
    'The change would move a step past recipients who are under way: they would get it twice, or never. `position` says how many steps they have behind them.',
  action:
    'Change texts, delays and `onlyIfNoReply` of any step, replace templates where they are, and add, remove or reorder steps only after `position`. Or create a new campaign.',
  example:
    'Recipients have 1 step behind them, and the change would move a step past them: they would get it twice, or never. Leave the steps before in their place; replace, add, remove or reorder those after them.',
  exampleDetails: { position: 1 },
}

/** The largest number of campaigns of an environment. */
export const campaignsMax = 2000

export const tooManyCampaigns: ProblemType = {
  code: 'TOO_MANY_CAMPAIGNS',
  status: 422,
  meaning: 'The environment has as many campaigns as it may.',
  action: 'Delete a campaign that is no longer needed.',
  example: `There are ${campaignsMax} campaigns already, the maximum. Delete one that is no longer needed.`,
}

export const campaignProblemFields: ProblemFields = {
  allowedStatuses: Type.Array(oneOf(campaignStatuses), {
    description: 'The statuses that may be requested now. On `INVALID_TRANSITION` of a campaign.',
  }),
  position: Type.Integer({
    description: 'How many steps recipients have behind them. On `STEPS_IN_USE`.',
  }),
  missing: Type.Array(
    strictObject({
      code: Type.String({ description: 'What is missing. Stable, for programs.' }),
      path: Type.String({ description: 'A JSON pointer into the campaign.' }),
      message: Type.String({ description: 'What to do, for people.' }),
    }),
    { description: 'Everything that the campaign lacks. On `CAMPAIGN_NOT_READY`.' },
  ),
}
