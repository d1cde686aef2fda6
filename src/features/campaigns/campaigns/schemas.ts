/** The API schemas of campaigns. */
import { healthLevels, healthReasons } from '../../../domain/campaigns/health.ts'
import { id, nullable, oneOf, type Static, strictObject, Type, time } from '../../../kit/schema.ts'
import { text } from '../../../kit/schema-fields.ts'
import { CampaignRun } from './run-schemas.ts'
import {
  AdsSegmentation,
  CsvSegmentation,
  EmptySegmentation,
  PortalSegmentation,
} from './segmentation-schemas.ts'
import { CampaignSettings } from './settings-schemas.ts'

export const campaignStatuses = ['draft', 'running', 'paused', 'completed'] as const
export const campaignModes = ['extract_only', 'extract_and_contact'] as const
export const contactModes = ['chat', 'chat-no-api'] as const

/** Why the program pauses a campaign. */
export const pauseCodes = ['ACCOUNT_NOT_CONNECTED', ...healthReasons] as const
export type PauseCode = (typeof pauseCodes)[number]

export type CampaignStatus = (typeof campaignStatuses)[number]
export type CampaignMode = (typeof campaignModes)[number]
export type ContactMode = (typeof contactModes)[number]

export const status = oneOf(campaignStatuses, {
  description:
    '`draft`: not started; `running`: it reads its source and sends; `paused`: nothing happens, and nothing is lost; `completed`: it has ended.',
})

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const name = text(255, 'The name, for people.')
export const mode = oneOf(campaignModes, {
  description:
    '`extract_only`: leads are found; `extract_and_contact`: they also get the messages of the sequence. Always `extract_and_contact` for `csv_import` and `widget`. Default of a new campaign: `extract_and_contact` if it has steps, otherwise `extract_only`.',
})
export const contactMode = nullable(
  oneOf(contactModes, {
    description:
      'How messages are sent. `chat`: by a connected business chat account; `chat-no-api`: each becomes a task with a link, which a person opens. Null: not chosen yet.',
  }),
)
export const accountId = nullable(
  id('The account that sends; null: the only connected one of the contact mode.'),
)

export const CampaignStats = strictObject(
  {
    recipients: count('The recipients that it has or had.'),
    waiting: count('Recipients whose next message is not due yet, or waits.'),
    queued: count('Recipients whose next message is about to be sent.'),
    completed: count('Recipients who got every step.'),
    stopped: count('Recipients whose sequence ended before, such as by a reply.'),
    skipped: count('Recipients to whom nobody wrote, for a reason.'),
    failed: count('Recipients whose message failed, or whose follow-up was refused.'),
  },
  { title: 'CampaignStats', description: 'The recipients by their status.' },
)
export type CampaignStats = Static<typeof CampaignStats>

export const Campaign = strictObject(
  {
    id: id('The campaign.'),
    name,
    status,
    mode,
    platform: Type.String({ description: 'The source: a portal, `csv_import`, `widget` or `social_ads`.' }),
    contactMode,
    segmentation: Type.Union([PortalSegmentation, CsvSegmentation, AdsSegmentation, EmptySegmentation], {
      description: 'What it takes from its source; its fields depend on `platform`.',
    }),
    settings: CampaignSettings,
    accountId,
    allUrlsChecked: Type.Boolean({
      description:
        'The incremental sync of the current run is completed: by itself, or because `true` was sent. Each run begins with `false`.',
    }),
    stats: CampaignStats,
    currentRun: nullable(CampaignRun),
    nextRunAt: nullable(time('When its portal is read next; null: not again, or the campaign does not run.')),
    pauseReason: nullable(
      strictObject(
        {
          code: oneOf(pauseCodes, { description: 'Why. Stable, for programs.' }),
          message: Type.String({ description: 'Why, and what to do, for people.' }),
        },
        { description: 'Why the program paused it; null: it is not paused, or a user paused it.' },
      ),
    ),
    wait: nullable(
      strictObject(
        {
          code: Type.String({ description: 'Why it does nothing. Stable, for programs.' }),
          message: Type.String({ description: 'Why it does nothing, for people.' }),
          until: nullable(time('When it goes on; null: not by itself.')),
        },
        { description: 'Why a running campaign does nothing now; null: it does not wait.' },
      ),
    ),
    health: nullable(
      strictObject(
        {
          level: oneOf(healthLevels, {
            description:
              '`warning`: half of a limit of `settings.health` is reached; `critical`: it was paused.',
          }),
          code: nullable(oneOf(healthReasons, { description: 'Which rate is too high; null: none is.' })),
          message: nullable(Type.String({ description: 'What is wrong, for people; null: nothing is.' })),
        },
        {
          description:
            'What the results of its last 200 messages say, without those that were known when it was resumed after a pause for its health; null: nothing yet.',
        },
      ),
    ),
    createdBy: nullable(id('The user who created it; null: the key belongs to no user.')),
    createdAt: time('When it was created.'),
    updatedAt: time('When it was last changed.'),
    startedAt: nullable(time('When it was first started; null: not yet.')),
    completedAt: nullable(time('When it completed; null: not yet.')),
  },
  {
    title: 'Campaign',
    description:
      'Finds people in a source and, in mode `extract_and_contact`, sends them the messages of a sequence.',
  },
)
export type Campaign = Static<typeof Campaign>
