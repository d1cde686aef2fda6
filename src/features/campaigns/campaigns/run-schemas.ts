/** The API schema of runs. */
import { id, nullable, oneOf, type Static, strictObject, Type, time } from '../../../kit/schema.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const CampaignRun = strictObject(
  {
    id: id('The run.'),
    status: oneOf(['running', 'completed', 'failed'], {
      description:
        '`running`: its portal is read, or its leads join; `completed`, `failed`: it has ended. The next run comes at its time all the same.',
    }),
    extractionId: nullable(id('Its extraction; null: it could not be started, `reason` says why.')),
    incremental: Type.Boolean({
      description:
        'It reads only what is new or has changed since the last completed run. The first run reads everything.',
    }),
    pendingUrls: count('Listing URLs that it has still to check. `…/pending-urls` lists them.'),
    checkedUrls: count('Listing URLs that it has checked.'),
    portalTotal: nullable(
      count('The listings that the portal reports for the search; null: not known yet, or never reported.'),
    ),
    leadsCreated: count('The leads created.'),
    leadsUpdated: count('The known leads updated.'),
    joined: count('Leads that became recipients.'),
    reason: nullable(
      strictObject(
        {
          code: Type.String({ description: 'Why. Stable, for programs.' }),
          message: Type.String({ description: 'Why, for people.' }),
        },
        { description: 'Why it failed, or what it left out; null: nothing.' },
      ),
    ),
    startedAt: time('When it began.'),
    finishedAt: nullable(time('When it ended; null: it has not.')),
  },
  { title: 'CampaignRun', description: 'A run of a campaign at its portal.' },
)
export type CampaignRun = Static<typeof CampaignRun>

export const runExample: CampaignRun = {
  id: '01980a4e-7777-7c3e-9d7a-2f6b1c0d9e8f',
  status: 'running',
  extractionId: '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f',
  incremental: true,
  pendingUrls: 182,
  checkedUrls: 325,
  portalTotal: 507,
  leadsCreated: 4,
  leadsUpdated: 2,
  joined: 0,
  reason: null,
  startedAt: '2026-11-02T07:00:00.000Z',
  finishedAt: null,
}
