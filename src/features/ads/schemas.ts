/** The API objects of lead ads. */
import { contactChannels } from '../../domain/contactability/facts.ts'
import { pageQuery } from '../../kit/page.ts'
import {
  commaSeparated,
  id,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  time,
  visible,
} from '../../kit/schema.ts'

export const connectionStatuses = ['CONNECTED', 'FAILING', 'EXPIRED'] as const
export type ConnectionStatus = (typeof connectionStatuses)[number]

export const status = oneOf(connectionStatuses, {
  description:
    '`FAILING`: the network does not answer, or lacks a permission; it is tried again. `EXPIRED`: it no longer accepts the credentials; send new ones. The leads that wait are then read.',
})

const count = (description: string) => Type.Integer({ minimum: 0, description })

const connectionFields = {
  id: id('The connection.'),
  network: Type.String({ description: 'The ad network, see `GET /ads/networks`.' }),
  name: Type.String({ description: 'The name for people.' }),
  pageId: Type.String({ description: "The network's id of the page whose ads have the forms." }),
  pageName: Type.String({ description: 'The name of the page at the network.' }),
  status,
  statusReason: nullable(
    Type.String({ description: 'What is wrong and what to do, for people; null: nothing is.' }),
  ),
  statusChangedAt: time('When the status last changed.'),
  since: time('Leads that were submitted before are left out.'),
  checkedAt: time('When the network last answered.'),
  nextSweepAt: time('When its leads are listed next, in case a webhook was lost.'),
  leads: strictObject(
    {
      waiting: count('Still to be read.'),
      taken: count('They are leads.'),
      skipped: count('They become no leads, such as tests of the network.'),
      failed: count('They could not be read.'),
    },
    { description: `Forms that people have submitted, of about the last 100 days.` },
  ),
  createdAt: time('When it was connected.'),
  updatedAt: time('When it last changed.'),
}

/** The connection in messages, which third parties receive. */
export const AdConnectionWithoutWebhook = strictObject(connectionFields, {
  title: 'AdConnectionWithoutWebhook',
})
export type AdConnectionWithoutWebhook = Static<typeof AdConnectionWithoutWebhook>

export const AdConnection = strictObject(
  {
    ...connectionFields,
    webhook: strictObject(
      {
        url: Type.String({ description: 'The address to enter in the settings of the app at the network.' }),
        verifyToken: Type.String({ description: 'The verify token to enter beside it.' }),
        verifiedAt: nullable(
          time(
            'When the network last verified the address; null: never. Until then, leads come with the next sweep.',
          ),
        ),
        notifiedAt: nullable(time('When the last webhook came; null: none did.')),
      },
      { description: 'How the network notifies of new leads.' },
    ),
  },
  { title: 'AdConnection', description: 'A page at an ad network, whose lead ads are read.' },
)
export type AdConnection = Static<typeof AdConnection>

const name = Type.String({ maxLength: 200, pattern: visible, description: 'The name for people; not blank.' })
const credentials = Type.Record(Type.String({ pattern: '^[^]{0,100}$' }), Type.Unknown(), {
  maxProperties: 50,
  description:
    'What the network requires, see `credentials` of `GET /ads/networks`. Stored encrypted, never returned.',
})

export const NewAdConnection = strictObject(
  {
    network: Type.String({ maxLength: 50, description: 'The ad network, see `GET /ads/networks`.' }),
    name: Type.Optional(name),
    credentials,
    since: Type.Optional(
      time(
        'Leads that were submitted since then are read as well. Default: now. At most as old as the network keeps leads.',
      ),
    ),
  },
  { title: 'NewAdConnection' },
)
export type NewAdConnection = Static<typeof NewAdConnection>

export const AdConnectionChanges = strictObject(
  { name: Type.Optional(name), credentials: Type.Optional(credentials) },
  { title: 'AdConnectionChanges', minProperties: 1 },
)
export type AdConnectionChanges = Static<typeof AdConnectionChanges>

export const AdNetworkInfo = strictObject(
  {
    id: Type.String({ description: 'As `network` of a connection.' }),
    label: Type.String({ description: 'The name for people.' }),
    credentials: Type.Unsafe<object>({
      type: 'object',
      description: 'The JSON Schema of `credentials` for a new connection.',
    }),
    keptDays: Type.Integer({ description: 'How long the network keeps leads.' }),
  },
  { title: 'AdNetwork' },
)
export type AdNetworkInfo = Static<typeof AdNetworkInfo>

const formId = Type.String({ minLength: 1, maxLength: 200, description: "The network's id of the form." })
const field = nullable(
  Type.String({
    maxLength: 200,
    description:
      'A field of a lead such as `contact.phone` or `customFields.plan`; null: the answer is left out.',
  }),
)
const boxKey = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The key of a box of the consent text.',
})
const channel = oneOf(contactChannels, { description: 'A channel.' })

export const ConsentRule = strictObject(
  {
    boxes: Type.Array(boxKey, {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'The boxes that the person must have ticked, all of them.',
    }),
    channels: Type.Array(channel, {
      minItems: 1,
      maxItems: contactChannels.length,
      uniqueItems: true,
      description: 'The channels that the text of the boxes names.',
    }),
  },
  { title: 'ConsentRule', description: 'Which boxes mean consent, and to what; null: none do.' },
)

export const LeadForm = strictObject(
  {
    formId,
    name: Type.String({ description: 'The name of the form.' }),
    isActive: Type.Boolean({ description: 'false: nobody can submit it any more.' }),
    locale: nullable(Type.String({ description: 'The language as the network writes it; null: unknown.' })),
    questions: Type.Array(
      strictObject({
        key: Type.String({ description: 'The name of its answer.' }),
        label: Type.String({ description: 'As people read it.' }),
        field,
        isGuessed: Type.Boolean({ description: 'false: `fieldMapping` says it.' }),
      }),
      { description: 'The questions, each with the field of a lead that the answer is written to.' },
    ),
    fieldMapping: Type.Record(Type.String(), field, {
      description: 'Fields of a lead by the key of the question, as they were set. The others are guessed.',
    }),
    consentText: nullable(
      strictObject(
        {
          version: Type.String({ description: 'The version of the text: the same text has the same one.' }),
          title: nullable(Type.String({ description: 'Its title; null: none.' })),
          text: nullable(Type.String({ description: 'The text; null: none.' })),
          boxes: Type.Array(
            strictObject({
              key: boxKey,
              text: Type.String({ description: 'The text beside the box.' }),
              isRequired: Type.Boolean({ description: 'The form can only be submitted with it.' }),
              isTickedBefore: Type.Boolean({
                description: 'It is ticked before the person touches it, which is no consent.',
              }),
            }),
            { description: 'The boxes.' },
          ),
        },
        {
          description:
            'The consent text of the form; null: it has none, so that no lawful basis is recorded.',
        },
      ),
    ),
    consent: nullable(ConsentRule),
    isConsentGuessed: Type.Boolean({
      description:
        'true: nobody has set `consent`, and the boxes that must be ticked count, for all channels.',
    }),
    readAt: time('When it was last read.'),
  },
  { title: 'LeadForm', description: 'A form of a lead ad, and how its answers become a lead.' },
)
export type LeadForm = Static<typeof LeadForm>

export const LeadFormChanges = strictObject(
  {
    fieldMapping: Type.Optional(
      Type.Record(Type.String({ pattern: '^[^]{1,500}$' }), field, {
        additionalProperties: false,
        maxProperties: 100,
        description:
          'Fields of a lead by the key of the question. It replaces the former mapping; `{}`: all are guessed.',
      }),
    ),
    consent: Type.Optional(nullable(ConsentRule)),
  },
  { title: 'LeadFormChanges', minProperties: 1 },
)
export type LeadFormChanges = Static<typeof LeadFormChanges>

export const adLeadStatuses = ['waiting', 'taken', 'skipped', 'failed'] as const
export type AdLeadStatus = (typeof adLeadStatuses)[number]

const reason = strictObject(
  {
    code: Type.String({ description: 'A stable code.' }),
    message: Type.String({ description: 'What it means, for people.' }),
  },
  { description: 'Why it waits, was skipped or failed; null: nothing is wrong.' },
)
export type Reason = Static<typeof reason>

export const AdLead = strictObject(
  {
    id: id('The submission.'),
    externalId: Type.String({ description: "The network's id of the lead." }),
    formId,
    status: oneOf(adLeadStatuses, {
      description:
        '`waiting`: to be read at the network. `taken`: it is the lead `leadId`. `skipped`: it becomes no lead. `failed`: it could not be read.',
    }),
    reason: nullable(reason),
    attempts: Type.Integer({ description: 'Attempts to read it.' }),
    nextAttemptAt: nullable(time('When it is read next; null: it is not.')),
    leadId: nullable(id('The lead; null: none, or it was deleted.')),
    consent: nullable(
      strictObject(
        {
          version: nullable(
            Type.String({ description: 'The version of the consent text; null: the form had none.' }),
          ),
          boxes: Type.Array(
            strictObject({ key: boxKey, isTicked: Type.Boolean({ description: 'The person ticked it.' }) }),
            { description: 'The boxes as the person left them.' },
          ),
          isGiven: Type.Boolean({ description: 'It is a consent to be contacted.' }),
        },
        { description: 'What the person agreed to; null: not read.' },
      ),
    ),
    submittedAt: nullable(time('When the person submitted it; null: not read.')),
    receivedAt: time('When the program learnt of it.'),
    endedAt: nullable(time('When it was taken, skipped or given up; null: it waits.')),
  },
  { title: 'AdLead', description: 'A form that somebody submitted.' },
)
export type AdLead = Static<typeof AdLead>

export const AdLeadFilter = strictObject({
  ...pageQuery,
  status: Type.Optional(
    commaSeparated(adLeadStatuses, {
      description: `Only submissions with these statuses, separated by commas: ${adLeadStatuses.map(each => `\`${each}\``).join(', ')}.`,
      examples: ['waiting,failed'],
    }),
  ),
  formId: Type.Optional(formId),
})
export type AdLeadFilter = Static<typeof AdLeadFilter>
