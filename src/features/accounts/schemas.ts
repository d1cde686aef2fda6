/** The API objects of chat accounts. */
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
import { accountStatuses, identityKinds, mediaKinds } from '../../plugins/chat.ts'
import { warmUpBudgets } from './warm-up.ts'

const limit = (description: string) => nullable(Type.Integer({ minimum: 0, maximum: 1_000_000, description }))
const rate = (description: string) => Type.Number({ minimum: 0.01, maximum: 1000, description })
const displayName = Type.String({
  maxLength: 100,
  pattern: visible,
  description: 'The name for people; not blank.',
})
const mode = oneOf(['chat', 'chat-no-api'], {
  description:
    'How it sends, which the provider decides. `chat`: the program sends through the provider. `chat-no-api`: each message becomes a task for a person.',
})
const status = oneOf(accountStatuses, {
  description:
    'Messages are sent while it is `CONNECTED` or `DEGRADED`. `LOGGED_OUT`: the credentials are no longer valid. `RESTRICTED`, `BANNED`: the provider forbids it; a restriction may leave answers to people who have written lately, see `reason` of `health`. `DISCONNECTED`: you have disconnected it.',
})
const channel = oneOf(contactChannels, { description: 'The channel of opt-outs and lawful bases.' })

const mediaLimits = strictObject({
  kind: oneOf(mediaKinds, { description: 'The kind of file.' }),
  mediaTypes: Type.Array(Type.String(), { description: 'The accepted media types; empty: all.' }),
  bytesMax: Type.Integer({ description: 'The largest file, in bytes.' }),
})

export const Capabilities = strictObject(
  {
    identities: Type.Array(oneOf(identityKinds), {
      description: 'The kinds of identities to which it can send, the best first.',
    }),
    text: strictObject(
      {
        charactersMax: Type.Integer({ description: 'The longest text, in characters.' }),
        captionCharactersMax: Type.Integer({ description: 'The longest text of a file, in characters.' }),
      },
      { description: 'Texts.' },
    ),
    media: Type.Array(mediaLimits, {
      description: 'The accepted files; a missing kind cannot be sent.',
    }),
    buttonsMax: Type.Integer({ description: 'The largest number of reply buttons; 0: none.' }),
    listRowsMax: Type.Integer({ description: 'The largest number of rows of a list; 0: none.' }),
    location: Type.Boolean({ description: 'Locations can be sent.' }),
    reactions: Type.Boolean({ description: 'Reactions can be sent.' }),
    typing: Type.Boolean({ description: 'The person can see that somebody is typing.' }),
    receipts: Type.Boolean({ description: 'The provider reports delivered and read messages.' }),
    templates: oneOf(['required', 'local'], {
      description:
        '`required`: outside the reply window only approved templates may be sent. `local`: templates are plain texts.',
    }),
    replyWindowHours: nullable(
      Type.Number({
        description: "How long after the person's last message a free text may be sent; null: always.",
      }),
    ),
    messagesPerSecond: Type.Number({ description: 'The default rate.' }),
  },
  { title: 'ChatCapabilities', description: 'What the provider can do.' },
)

const health = strictObject(
  {
    status,
    reason: nullable(Type.String({ description: 'What is wrong, for people; null: nothing is.' })),
    quality: nullable(
      oneOf(['high', 'medium', 'low'], { description: "The provider's rating; null: none." }),
    ),
    tier: nullable(Type.String({ description: "The provider's name of its limit, such as `TIER_1K`." })),
    providerDailyLimit: limit(
      'To how many people it may write first within a day, by the provider; null: no limit is known. The provider counts any 24 hours, and perhaps all numbers of a business together; the program counts days of the workspace, and each account alone. If the provider refuses a message, the account waits.',
    ),
    checkedAt: nullable(time('When the account was last checked; null: never.')),
    changedAt: time('When the status last changed.'),
    isFailing: Type.Boolean({ description: 'The last message failed because of the account.' }),
    unprocessedBodies: Type.Integer({
      description:
        'Received bodies of the last 30 days that could not be processed, or not as a whole. Some of their messages are missing.',
    }),
  },
  { description: 'What the provider says about the account.' },
)

const accountFields = {
  id: id('The account.'),
  provider: Type.String({ description: 'The provider, see `GET /chat-providers`.' }),
  mode,
  channel: nullable(channel),
  displayName,
  phone: nullable(Type.String({ description: 'The phone number, E.164; null: it has none.' })),
  externalId: Type.String({ description: "The provider's id of the account." }),
  status,
  isPaused: Type.Boolean({ description: 'Somebody has paused it: nothing is sent.' }),
  pausedUntil: nullable(time('Until when the provider wants no message; null: there is no such pause.')),
  capabilities: nullable(Capabilities),
  dailyBudget: limit(
    'To how many people it may write today who have not written lately: the smallest of `dailyLimit`, `health.providerDailyLimit` and the budget of the warm-up; null: no limit. It is computed: change `dailyLimit` or `warmUp` instead.',
  ),
  usedToday: Type.Integer({
    description: 'To how many of them it has written today, in the time zone of the workspace.',
  }),
  dailyLimit: limit('The limit that you have set yourself, one of those of `dailyBudget`; null: none.'),
  warmUp: nullable(
    strictObject(
      {
        startedAt: time('When it began.'),
        budgetToday: limit('Its budget of today; null: it is over.'),
      },
      { description: 'The warm-up of a new account; null: none.' },
    ),
  ),
  messagesPerSecond: rate('The rate of sending.'),
  health,
  createdAt: time('When it was connected first.'),
  updatedAt: time('When it last changed.'),
}

const webhook = nullable(
  strictObject(
    {
      url: Type.String({ description: 'Where the provider posts what arrives. Keep it secret.' }),
      verifyToken: Type.String({
        description: 'What the provider sends to prove the address, or as its secret. Keep it secret.',
      }),
    },
    {
      description:
        'null: the provider posts nothing, the account is disconnected, or your key lacks `accounts:write`.',
    },
  ),
)

export const Account = strictObject({ ...accountFields, webhook }, { title: 'ChatAccount' })
export type Account = Static<typeof Account>

/** The account in messages, which third parties receive. */
export const AccountWithoutWebhook = strictObject(accountFields, { title: 'ChatAccountWithoutWebhook' })
export type AccountWithoutWebhook = Static<typeof AccountWithoutWebhook>

const credentials = Type.Record(Type.String({ pattern: '^[^]{0,100}$' }), Type.Unknown(), {
  maxProperties: 50,
  description:
    'What the provider requires, see `credentials` of `GET /chat-providers`. Stored encrypted, never returned.',
})

const settings = {
  dailyLimit: Type.Optional(
    limit(
      'Your own limit of people per day who have not written lately, which `dailyBudget` never exceeds; null: none.',
    ),
  ),
  warmUp: Type.Optional(
    Type.Boolean({
      description: `A new account begins with few people: ${warmUpBudgets.join(', ')} on its first days, then without this limit. false: it ends.`,
    }),
  ),
  messagesPerSecond: Type.Optional(
    nullable(rate("Overrides the provider's default rate; null: the default.")),
  ),
}

export const NewAccount = strictObject(
  {
    provider: Type.String({ maxLength: 50, description: 'The provider, see `GET /chat-providers`.' }),
    mode: Type.Optional(mode),
    displayName,
    credentials: Type.Optional(credentials),
    ...settings,
  },
  { title: 'NewChatAccount' },
)
export type NewAccount = Static<typeof NewAccount>

export const AccountChanges = strictObject(
  {
    displayName: Type.Optional(displayName),
    credentials: Type.Optional(credentials),
    isPaused: Type.Optional(Type.Boolean({ description: 'true: nothing is sent until you send false.' })),
    ...settings,
  },
  { title: 'ChatAccountChanges' },
)

export const AccountFilter = strictObject({
  ...pageQuery,
  provider: Type.Optional(Type.String({ maxLength: 50, description: 'Only accounts of this provider.' })),
  status: Type.Optional(
    commaSeparated(accountStatuses, {
      description: `Only accounts with these statuses, separated by commas: ${accountStatuses.map(each => `\`${each}\``).join(', ')}.`,
      examples: ['CONNECTED,DEGRADED'],
    }),
  ),
})
export type AccountFilter = Static<typeof AccountFilter>

export const ChatProviderInfo = strictObject(
  {
    id: Type.String({ description: 'As `provider` of an account.' }),
    label: Type.String({ description: 'The name for people.' }),
    channel,
    mode,
    credentials: Type.Unsafe<object>({
      type: 'object',
      description: 'The JSON Schema of `credentials` for a new account.',
    }),
    capabilities: Capabilities,
    hasWebhook: Type.Boolean({ description: 'The provider posts what arrives to `webhook` of the account.' }),
  },
  { title: 'ChatProvider' },
)
export type ChatProviderInfo = Static<typeof ChatProviderInfo>
