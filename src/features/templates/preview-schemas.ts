/** The schemas of the API for previews of templates. */
import { id, nullable, oneOf, type Static, strictObject, Type } from '../../kit/schema.ts'
import { language, sentVariables } from './schemas.ts'

export const NewPreview = strictObject(
  {
    leadId: Type.Optional(id('Fill in this lead. Omitted: examples stand for its values.')),
    language: Type.Optional(language('Prefer this language; default: that of the template.')),
    exactLanguage: Type.Optional(
      Type.Boolean({
        description:
          'true: refuse another language, as messages do; one of another region (`en` for `en-GB`) is not another. default: the best available one is used.',
      }),
    ),
    variables: Type.Optional(
      sentVariables('Values by the names of variables. They take precedence over the lead.'),
    ),
    agentUserId: Type.Optional(id('The agent; default: the owner of the lead.')),
    accountId: Type.Optional(id('The account that would send it: its limits and its approval are shown.')),
  },
  { title: 'NewTemplatePreview' },
)
export const Preview = strictObject(
  {
    versionId: id('The text that was rendered.'),
    version: Type.Integer({ description: 'Its number.' }),
    language: Type.String({ description: 'Its language.' }),
    text: nullable(
      Type.String({
        description:
          'What the person would read: header, body, footer and buttons; null: variables are missing.',
      }),
    ),
    markedText: nullable(
      Type.String({
        description: 'The text with `[name]` for each missing variable; null: none is missing.',
      }),
    ),
    missing: Type.Array(Type.String(), {
      description: 'The variables without a value. Nothing would be sent.',
    }),
    values: Type.Array(
      strictObject({
        name: Type.String({ description: 'The variable.' }),
        value: nullable(Type.String({ description: 'Its value, as it is printed; null: it has none.' })),
        source: oneOf(['sent', 'data', 'example', 'fallback', 'none'], {
          description: 'Where the value is from; `data`: the lead, the agent or the workspace.',
        }),
      }),
      { description: 'The value of each variable of the text.' },
    ),
    characters: nullable(
      Type.Integer({ description: 'The length of the text, counted as when it is sent: an emoji is two.' }),
    ),
    segments: nullable(
      Type.Integer({
        description: 'How many messages of the account it would fill; null: no account was sent.',
      }),
    ),
    warnings: Type.Array(
      strictObject({
        code: oneOf(
          ['OTHER_LANGUAGE', 'TOO_LONG', 'NEEDS_HEADER', 'NOT_APPROVED', 'APPROVED_VERSION_DIFFERS'],
          {
            description: 'For programs.',
          },
        ),
        message: Type.String({ description: 'What it means, and what to do.' }),
      }),
      { description: 'What may keep the text from being sent as it is.' },
    ),
  },
  { title: 'TemplatePreview' },
)
export type Preview = Static<typeof Preview>
export type NewPreview = Static<typeof NewPreview>
