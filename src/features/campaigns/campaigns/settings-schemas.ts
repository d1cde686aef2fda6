/** The schemas of the settings of campaigns. Stored settings are complete; a request may leave out what it keeps. */
import { contactChannels, lawfulBasisKinds } from '../../../domain/contactability/facts.ts'
import { runDistanceMin } from '../../../domain/run-schedule.ts'
import { id, nullable, oneOf, type Static, strictObject, Type, time } from '../../../kit/schema.ts'
import { clockTime, integer, nullableText, timezone, toOptional } from '../../../kit/schema-fields.ts'
import { CampaignAi, CampaignAiInput } from './ai-schemas.ts'
import { CampaignNotifications, CampaignNotificationsInput } from './notification-schemas.ts'

const stepsMax = 20
const variantsMax = 4
const holidaysMax = 400
export const regionsMax = 10
/** A year. */
const minutesMax = 525_600

const scheduleFields = {
  everyMinutes: nullable(
    integer(
      runDistanceMin,
      minutesMax,
      'The minutes from one run at the portal to the next; null: see `cron`.',
    ),
  ),
  cron: nullable(
    Type.String({
      maxLength: 100,
      pattern: '^[0-9*,/-]+( [0-9*,/-]+){4}$',
      description:
        'When the runs begin, instead of `everyMinutes`: minute, hour, day of the month, month and day of the week; at least five minutes apart. Null, like `everyMinutes`: the portal is read once.',
      examples: ['30 8 * * 1-5'],
    }),
  ),
  timezone: timezone('The time zone of `cron`, by its IANA name. Default: that of the workspace.'),
  startAt: nullable(time('Nothing is read and nothing is sent before; null: at once.')),
  endAt: nullable(time('The campaign completes then; null: never by itself.')),
}

const windowFields = {
  timezone: timezone('The time zone of the window, by its IANA name. Default: that of the workspace.'),
  days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    minItems: 1,
    maxItems: 7,
    uniqueItems: true,
    description: 'The days of the week: 1 Monday … 7 Sunday. Default: Monday to Friday.',
  }),
  from: clockTime('When it opens, `HH:MM`. Default: 09:00.'),
  to: clockTime('When it closes, after `from`; `24:00`: at the end of the day. Default: 20:00.'),
  holidays: Type.Array(
    Type.String({
      pattern: '^([0-9]{4}-[0-9]{2}-[0-9]{2}|[A-Z]{2}(-[A-Z0-9]{1,7})?)$',
      description:
        'A date on which nothing is sent, or a country or a region whose public holidays are closed.',
      examples: ['2026-12-08', 'ES', 'ES-CT'],
    }),
    {
      maxItems: holidaysMax,
      uniqueItems: true,
      description: `Days on which it stays closed, with at most ${regionsMax} countries and regions. Default: none.`,
    },
  ),
}

const variant = strictObject({ templateId: id('The template.') })
const stepFields = { templateId: id('The template of the message.') }
const stepDetails = {
  delayMinutes: integer(
    0,
    minutesMax,
    'The minutes after the step before; of the first step, after the lead joined. Default: 0.',
  ),
  onlyIfNoReply: Type.Boolean({
    description: 'Skipped for recipients who have replied. Default: false.',
  }),
  variants: Type.Array(variant, {
    maxItems: variantsMax,
    description:
      'Templates that are compared with `templateId`: each recipient gets one of them. Default: none.',
  }),
}

const basisKind = oneOf(lawfulBasisKinds, { description: 'The lawful basis of art. 6(1) GDPR.' })
const basisDetails = {
  attestedBy: nullableText(
    200,
    'The person who attests it. Default: the user who sends it, or the name of the key.',
  ),
  attestedAt: time('When it was attested; not in the future. Default: now.'),
  note: nullableText(
    2000,
    'The proof: the words of the consent and where it was given. Required for `consent`. Default: null.',
  ),
  channels: nullable(
    Type.Array(oneOf(contactChannels), {
      minItems: 1,
      maxItems: contactChannels.length,
      uniqueItems: true,
      description:
        'The channels that it covers. Null: those of its kind, which is only `phone` for legitimate interest. Default: null.',
    }),
  ),
}

const rate = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })
const healthFields = {
  maxFailureRate: rate(
    'The share of its last messages that failed at which it pauses; 0: at the first one. Default: 0.3.',
  ),
  maxOptOutRate: rate(
    'The share of its last messages after which people opted out at which it pauses; 0: at the first one. Default: 0.1.',
  ),
  maxBlockRate: rate(
    'The share of its last messages to people who block the account at which it pauses; 0: at the first one. Default: 0.05.',
  ),
  minSends: integer(
    1,
    100_000,
    'It does not pause before so many messages were sent or have failed. Default: 20.',
  ),
}

const limits = {
  dailyLeadLimit: nullable(
    integer(1, 100_000, 'Recipients who get their first message on a day; null: no limit. Default: null.'),
  ),
  throttlePerMinute: nullable(
    integer(1, 6000, 'The most messages in any minute; null: no limit. Default: null.'),
  ),
  stopOnReply: Type.Boolean({
    description:
      'A reply ends the sequence. So does the status `replied` or `qualified` that the lead gets after a message, such as for an answer by phone. Default: true.',
  }),
  reentryAfterDays: nullable(
    integer(
      1,
      3650,
      'A lead whose sequence has ended may join again after so many days; null: never. Default: null.',
    ),
  ),
}

const descriptions = {
  schedule: 'When the source is read, and when the campaign begins and ends; null: once, and without an end.',
  sendWindow: 'The hours in which messages are sent; null: at any hour.',
  steps: 'The messages of the sequence, in their order.',
  lawfulBasis:
    'Recorded on leads that join without a lawful basis; null: such leads are skipped. Whoever sends it attests that it holds for all of them. Another one replaces it on the leads on which the campaign has recorded it, and null removes it from them: messages that wait are withdrawn, what was sent keeps the basis of its time. Bases from elsewhere stay.',
  health: 'When the campaign pauses itself.',
}

export const CampaignSettings = strictObject(
  {
    schedule: nullable(strictObject(scheduleFields, { description: descriptions.schedule })),
    ...limits,
    sendWindow: nullable(strictObject(windowFields, { description: descriptions.sendWindow })),
    steps: Type.Array(strictObject({ ...stepFields, ...stepDetails }), { description: descriptions.steps }),
    lawfulBasis: nullable(
      strictObject({ kind: basisKind, ...basisDetails }, { description: descriptions.lawfulBasis }),
    ),
    health: strictObject(healthFields, { description: descriptions.health }),
    ai: CampaignAi,
    notifications: CampaignNotifications,
  },
  {
    title: 'CampaignSettings',
    description: 'Schedule, limits, sequence, lawful basis, health, AI and notifications.',
  },
)
export type CampaignSettings = Static<typeof CampaignSettings>

export const CampaignSettingsInput = strictObject(
  {
    schedule: Type.Optional(
      nullable(strictObject(toOptional(scheduleFields), { description: descriptions.schedule })),
    ),
    ...toOptional(limits),
    sendWindow: Type.Optional(
      nullable(strictObject(toOptional(windowFields), { description: descriptions.sendWindow })),
    ),
    steps: Type.Optional(
      Type.Array(strictObject({ ...stepFields, ...toOptional(stepDetails) }), {
        maxItems: stepsMax,
        description: `${descriptions.steps} Replaces all steps. While recipients are under way, none may move past them: 409 \`STEPS_IN_USE\`.`,
      }),
    ),
    lawfulBasis: Type.Optional(
      nullable(
        strictObject(
          { kind: basisKind, ...toOptional(basisDetails) },
          { description: `${descriptions.lawfulBasis} Replaces the former one.` },
        ),
      ),
    ),
    health: Type.Optional(strictObject(toOptional(healthFields), { description: descriptions.health })),
    ai: Type.Optional(CampaignAiInput),
    notifications: Type.Optional(CampaignNotificationsInput),
  },
  {
    title: 'CampaignSettingsInput',
    description:
      'Schedule, limits, sequence, lawful basis, health, AI and notifications. Omitted fields have their default, or keep their value.',
  },
)
export type CampaignSettingsInput = Static<typeof CampaignSettingsInput>
