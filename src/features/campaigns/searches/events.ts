/** The event of saved searches. */
import { event } from '../../../kit/events/event.ts'
import { id, strictObject, Type } from '../../../kit/schema.ts'
import { campaignExample } from '../campaigns/examples.ts'
import { changeExample, changeFields } from './schemas.ts'

/** Messages stay below 20 KB, as Standard Webhooks recommends. */
export const changesPerEventMax = 40

const count = (description: string) => Type.Integer({ minimum: 0, description })
const {
  runId,
  platform,
  listingId: _listing,
  title: _title,
  municipality: _place,
  url: _url,
  createdAt: _at,
  ...item
} = changeExample

export const searchChanged = event({
  type: 'campaign.search_changed',
  object: ['campaignId'],
  summary: 'A run of a saved search has found listings that are new, cheaper or gone',
  data: strictObject({
    campaignId: id('The campaign.'),
    runId: id('The run.'),
    platform: Type.String({ description: 'The portal.' }),
    new: count('New listings. A type that `settings.notifications.changes` leaves out counts 0.'),
    cheaper: count('Listings whose price fell.'),
    gone: count('Listings that are gone.'),
    changes: Type.Array(strictObject(changeFields), {
      description: `The changes, at most ${changesPerEventMax}. \`GET /campaigns/{id}/changes?runId=…\` lists all.`,
    }),
  }),
  example: {
    campaignId: campaignExample.id,
    runId,
    platform,
    new: 0,
    cheaper: 1,
    gone: 0,
    changes: [item],
  },
})
