/** The API schemas of messages that are sent. */
import { pageQuery } from '../../../kit/page.ts'
import {
  commaSeparated,
  id,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  visible,
} from '../../../kit/schema.ts'
import { sentVariables } from '../../templates/schemas.ts'

const text = Type.String({
  maxLength: 20_000,
  pattern: visible,
  description: 'A text; not blank.',
})
const optionId = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Returned when the person chooses it.',
})
const title = (maxLength: number) =>
  Type.String({ maxLength, pattern: visible, description: 'What the person reads.' })

const pictograph = '\\p{Extended_Pictographic}[\\uFE0F\\p{Emoji_Modifier}]?'
/** One emoji (UTS 51): a flag, a key, a region, or pictographs that are joined; with the variation selector or without. */
const emojiPattern = `^(?:\\p{Regional_Indicator}{2}|[#*0-9]\\uFE0F?\\u20E3|${pictograph}[\\u{E0020}-\\u{E007F}]*(?:\\u200D${pictograph})*)$`

const Button = strictObject({ id: Type.Optional(optionId), title: title(100) }, { title: 'ReplyButton' })
const ListRow = strictObject(
  {
    id: optionId,
    title: title(100),
    description: Type.Optional(nullable(Type.String({ maxLength: 500, description: 'More words.' }))),
  },
  { title: 'ListRow' },
)
const ListSection = strictObject(
  {
    title: Type.Optional(nullable(title(100))),
    rows: Type.Array(ListRow, { minItems: 1, maxItems: 50, description: 'What can be chosen.' }),
  },
  { title: 'ListSection' },
)

const Location = strictObject(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90, description: 'In degrees.' }),
    longitude: Type.Number({ minimum: -180, maximum: 180, description: 'In degrees.' }),
    name: Type.Optional(nullable(Type.String({ maxLength: 500, description: 'Its name.' }))),
    address: Type.Optional(nullable(Type.String({ maxLength: 500, description: 'Its address.' }))),
  },
  { title: 'MessageLocation', description: 'A place.' },
)

export const NewMessage = strictObject(
  {
    text: Type.Optional(text),
    buttons: Type.Optional(
      Type.Array(Button, { minItems: 1, maxItems: 50, description: 'Answers to choose from, below `text`.' }),
    ),
    list: Type.Optional(
      strictObject(
        {
          button: title(100),
          sections: Type.Array(ListSection, {
            minItems: 1,
            maxItems: 20,
            description: 'The parts of the list.',
          }),
        },
        { title: 'ChoiceList', description: 'A list to choose from, opened by a button below `text`.' },
      ),
    ),
    templateId: Type.Optional(id('A template, rendered for the lead.')),
    language: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 35,
        description:
          'The language of the template, such as `es`. For `en-GB`, a text in `en` or of another region is sent; another language is refused. Default: the default one of the template.',
      }),
    ),
    variables: Type.Optional(
      sentVariables('Values of variables of the template that the lead does not have.'),
    ),
    header: Type.Optional(
      strictObject(
        {
          mediaId: Type.Optional(id('An uploaded file of the kind of the header: `POST /media`.')),
          location: Type.Optional(Location),
        },
        {
          title: 'TemplateHeaderValue',
          description:
            'What the header of the template shows, if it is a file or a place. Exactly one of both.',
          exactlyOneOf: ['mediaId', 'location'],
        },
      ),
    ),
    mediaId: Type.Optional(id('An uploaded file: `POST /media`.')),
    caption: Type.Optional(
      nullable(
        Type.String({
          maxLength: 10_000,
          pattern: visible,
          description: 'A text below the file; not blank.',
        }),
      ),
    ),
    location: Type.Optional(Location),
    reaction: Type.Optional(
      strictObject(
        {
          messageId: id('The message of the conversation to react to.'),
          emoji: nullable(
            Type.String({
              maxLength: 32,
              pattern: emojiPattern,
              description: 'An emoji; null: removes the reaction.',
              examples: ['👍'],
            }),
          ),
        },
        { title: 'Reaction', description: 'A reaction to a message.' },
      ),
    ),
    note: Type.Optional(
      Type.String({
        maxLength: 100_000,
        pattern: visible,
        description: 'An internal note; not blank. It is never sent.',
      }),
    ),
    subject: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: visible,
        description:
          'Begins a new e-mail thread with this subject; not blank. Default: the message continues the last thread. Only for accounts of the channel `email`.',
      }),
    ),
    replyToId: Type.Optional(nullable(id('The message of the conversation that this one answers.'))),
    leadId: Type.Optional(
      nullable(
        id(
          'The lead that the message is about, if the person has several: a template is rendered for it, and its lawful basis counts. Default: the lead of the conversation; a template to a person with several leads needs it.',
        ),
      ),
    ),
  },
  {
    title: 'NewMessage',
    description: 'Exactly one of `text`, `templateId`, `mediaId`, `location`, `reaction`, `note`.',
    exactlyOneOf: ['text', 'templateId', 'mediaId', 'location', 'reaction', 'note'],
  },
)
export type NewMessage = Static<typeof NewMessage>

export const MessageQuery = strictObject({
  ...pageQuery,
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Only messages with all these words, an e-mail with its subject, without regard to accents and case; the last may be incomplete.',
    }),
  ),
  order: oneOf(['newest', 'oldest'], {
    default: 'newest',
    description: '`newest`: from the end of the conversation; `oldest`: from its beginning.',
  }),
})

export const unsentStatuses = ['queued', 'failed', 'unknown'] as const

export const UnsentQuery = strictObject({
  ...pageQuery,
  status: Type.Optional(
    commaSeparated(unsentStatuses, {
      description:
        '`queued`, `failed`, `unknown`, or several, separated by commas. Default: `failed,unknown`, which a person decides about.',
    }),
  ),
  accountId: Type.Optional(id('Only those of this account.')),
  leadId: Type.Optional(id('Only those about this lead.')),
  campaignId: Type.Optional(id('Only those of this campaign.')),
})
export type UnsentQuery = Static<typeof UnsentQuery>
