/** The API schemas of the widget of a campaign. */
import { messageLanguages } from '../../../domain/messaging/opt-out-words.ts'
import { id, nullable, oneOf, type Static, strictObject, Type, time, visible } from '../../../kit/schema.ts'
import { fieldNames } from './fields.ts'
import { themes } from './view.ts'

const fields = {
  allowedOrigins: Type.Array(
    Type.String({
      pattern: '^https?://[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?(:[0-9]{1,5})?$',
      description: 'An origin.',
      examples: ['https://agency.example'],
    }),
    {
      maxItems: 20,
      uniqueItems: true,
      description:
        'The sites whose pages may show the form. `https://agency.example` and `https://www.agency.example` are two; `:443` after `https:` is the same as no port. Default: none.',
    },
  ),
  theme: oneOf(themes, {
    description: 'The colours; `auto`: those of the visitor’s device. Default: `auto`.',
  }),
  language: nullable(
    oneOf(messageLanguages, {
      description: 'The language; null: that of the page around it, or of the browser. Default: null.',
    }),
  ),
  fields: Type.Array(
    strictObject({
      name: oneOf(fieldNames, {
        description: 'The fields that visitors fill in; `operation`: to sell or to let.',
      }),
      required: Type.Boolean({ description: 'The form is not taken without it.' }),
    }),
    {
      minItems: 1,
      maxItems: fieldNames.length,
      description:
        'The fields in their order. `phone` or `email` must be required. Default: `operation`, `name` and `phone`; the last two are required.',
    },
  ),
  consentTexts: strictObject(
    Object.fromEntries(
      messageLanguages.map(language => [
        language,
        Type.Optional(
          Type.String({
            minLength: 20,
            maxLength: 1000,
            pattern: visible,
            description: `The text in the language \`${language}\`. \`{agency}\` becomes the name of the workspace.`,
          }),
        ),
      ]),
    ),
    {
      description:
        'What visitors agree to by ticking the box, by language, instead of the texts of the program. The link to the privacy notice is added to both. Default: none.',
    },
  ),
}

export const Widget = strictObject(
  {
    campaignId: id('The campaign.'),
    ...fields,
    consentVersion: Type.Integer({
      minimum: 0,
      description: 'The version of `consentTexts`: each change makes a new one. 0: there have been none.',
    }),
    key: nullable(
      Type.String({
        description:
          'Identifies the widget in the pages of the site. It is not secret. Null: the form is closed.',
      }),
    ),
    scriptUrl: nullable(Type.String({ description: 'The script; null: there is no key.' })),
    pageUrl: nullable(
      Type.String({
        description: 'A page with the form, for visitors without scripts; null: there is no key.',
      }),
    ),
    snippet: nullable(Type.String({ description: 'The HTML for the site; null: there is no key.' })),
    submissions: strictObject(
      {
        created: Type.Integer({ description: 'Forms that created a lead.' }),
        known: Type.Integer({ description: 'Forms of people who have a lead already.' }),
        spam: Type.Integer({ description: 'Forms of machines, which were dropped.' }),
        suppressed: Type.Integer({ description: 'Forms with a person who was erased. No lead was stored.' }),
        refused: Type.Integer({
          description: 'Forms that were refused because `maxLeadsPerMonth` was used up.',
        }),
      },
      { description: 'The forms that were sent.' },
    ),
    updatedAt: nullable(time('When it was last configured; null: never.')),
  },
  { title: 'Widget', description: 'The form of a campaign on the sites of the agency.' },
)
export type Widget = Static<typeof Widget>

export const WidgetSettings = strictObject(
  {
    allowedOrigins: Type.Optional(fields.allowedOrigins),
    theme: Type.Optional(fields.theme),
    language: Type.Optional(fields.language),
    fields: Type.Optional(fields.fields),
    consentTexts: Type.Optional(fields.consentTexts),
  },
  {
    title: 'WidgetSettings',
    description: 'The configuration of a widget. An omitted field gets its default.',
  },
)
export type WidgetSettings = Static<typeof WidgetSettings>

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))

/** What the script sends. */
export const Submission = strictObject({
  ...Object.fromEntries(fieldNames.map(name => [name, text(5000)])),
  ticket: Type.String({ maxLength: 200 }),
  lang: text(35),
  page: text(500),
  consent: text(10),
  website: text(5000),
})
