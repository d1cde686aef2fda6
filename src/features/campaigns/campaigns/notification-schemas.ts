/** The schemas of the notifications of a search: what is reported, to whom, and when. */
import { messageLanguages } from '../../../domain/messaging/opt-out-words.ts'
import { id, nullable, oneOf, type Static, strictObject, Type } from '../../../kit/schema.ts'
import { timezone, toOptional } from '../../../kit/schema-fields.ts'

export const changeTypes = ['new', 'cheaper', 'gone'] as const
export type ChangeType = (typeof changeTypes)[number]

export const emailsMax = 10

const digestFields = {
  days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    minItems: 1,
    maxItems: 7,
    uniqueItems: true,
    description: 'The days of the week: 1 Monday … 7 Sunday. Default: every day.',
  }),
  timezone: timezone('The time zone of `at`, by its IANA name. Default: that of the workspace.'),
}
const at = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  description: 'When it is sent, `HH:MM` by the wall clock.',
  examples: ['08:00'],
})
const digestDescription =
  'One e-mail at this time, with everything since the last one; null: one after each run that has found something. Default: null.'

const fields = {
  changes: Type.Array(oneOf(changeTypes), {
    minItems: 1,
    maxItems: changeTypes.length,
    uniqueItems: true,
    description:
      'What the event and the e-mail report. `new`: a listing that the search shows for the first time, or again; `cheaper`: its price fell; `gone`: its portal has withdrawn it, or the whole search was read and no longer shows it. Default: all.',
  }),
  emails: Type.Array(Type.String({ format: 'email', maxLength: 254, description: 'An e-mail address.' }), {
    maxItems: emailsMax,
    uniqueItems: true,
    description:
      'The addresses that get the digest by e-mail, each with a link that ends it. Without any, only the event is emitted. Default: none.',
  }),
  language: nullable(
    oneOf(messageLanguages, {
      description: 'The language of the digest; null: that of the country of the workspace. Default: null.',
    }),
  ),
  accountId: nullable(
    id('The e-mail account that sends the digest; null: the only connected one. Default: null.'),
  ),
}
const description =
  'What the search of a portal reports after each run: the event `campaign.search_changed`, and a digest by e-mail; null: nothing.'

export const CampaignNotifications = nullable(
  strictObject(
    {
      ...fields,
      digest: nullable(strictObject({ at, ...digestFields }, { description: digestDescription })),
    },
    { title: 'CampaignNotifications', description },
  ),
)
export type CampaignNotifications = Static<typeof CampaignNotifications>
export type Notifications = NonNullable<CampaignNotifications>

export const CampaignNotificationsInput = nullable(
  strictObject(
    {
      ...toOptional(fields),
      digest: Type.Optional(
        nullable(strictObject({ at, ...toOptional(digestFields) }, { description: digestDescription })),
      ),
    },
    { title: 'CampaignNotificationsInput', description },
  ),
)
export type CampaignNotificationsInput = Static<typeof CampaignNotificationsInput>
