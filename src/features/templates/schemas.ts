/** The schemas of the API for templates. */

import { pageQuery } from '../../kit/page.ts'
import {
  byName,
  id,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  time,
  visible,
} from '../../kit/schema.ts'
import { templateApprovals, templateCategories } from '../../plugins/chat.ts'
import { languagePattern } from './languages.ts'
import { bodiesMaxSize, bodyMaxLength } from './liquid/limits.ts'
import { variableTypes } from './liquid/piece.ts'
import { partFields, sentPartFields } from './part-schemas.ts'
import { namePattern, ownTypes } from './text-variables.ts'

const optional = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) => Type.Optional(schema)

export const language = (description: string) =>
  Type.String({ pattern: languagePattern, maxLength: 35, description, examples: ['es', 'pt-BR'] })

/** Values that come with a message, by the names of variables. */
export const sentVariables = (description: string) =>
  byName(Type.Union([Type.String({ maxLength: 5000 }), Type.Number()]), 100, {
    maxProperties: 50,
    description,
    examples: [{ visitDate: '2026-11-04T16:30:00Z' }],
  })

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: visible,
  description: 'The name for people; not blank.',
})
const body = Type.String({
  minLength: 1,
  maxLength: bodyMaxLength,
  pattern: visible,
  description:
    'The text, with variables and filters in Liquid: `Hello {{ contact.firstName | default: "there" }}`. Tags: if, unless, case, for, assign.',
})
const category = oneOf(templateCategories, {
  description: 'What the text is for. Providers price and limit categories differently, and may change it.',
})
const status = oneOf(templateApprovals, {
  description:
    'What the provider says about the current text. `draft`: it was not submitted, or changed since; providers without approval send it.',
})
export const providerTemplateName = Type.String({
  pattern: '^[a-z0-9_]{1,200}$',
  description: 'The name of the template at the provider: lower-case letters, digits and `_`.',
  examples: ['first_contact'],
})

const ownName = Type.String({
  pattern: namePattern,
  description:
    'A name of `GET /templates/variables`, or your own of letters without accents, digits and `_`: `visitDate`.',
  examples: ['visitDate'],
})
const DeclaredVariable = strictObject(
  {
    name: ownName,
    type: optional(
      oneOf(ownTypes, {
        description: 'The type of your own variable; default: text. `date`: a time, ISO 8601.',
      }),
    ),
    fallback: optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 200,
          pattern: visible,
          description: 'Printed if the variable has no value; null: then nothing is sent.',
        }),
      ),
    ),
    example: optional(
      nullable(
        Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Number()], {
          description: 'An example of your own variable, for previews and for the provider.',
        }),
      ),
    ),
  },
  { title: 'DeclaredTemplateVariable' },
)
const declared = Type.Array(DeclaredVariable, {
  maxItems: 50,
  description:
    'Your own variables, whose values come with each message, and fallbacks of any variable. Unused ones are refused.',
})

const NewVariant = strictObject(
  {
    language: language('The language of this text.'),
    body,
    ...sentPartFields,
    variables: optional({
      ...declared,
      description: 'Omitted: those of the default language, without fallbacks.',
    }),
  },
  { title: 'NewTemplateVariant' },
)
const variants = Type.Array(NewVariant, {
  maxItems: 20,
  description: `The texts in other languages. The variables and tags of all texts have at most ${bodiesMaxSize} characters.`,
})

export const NewTemplate = strictObject(
  {
    name,
    language: language('The default language.'),
    body,
    ...sentPartFields,
    category: optional({ ...category, default: 'marketing' }),
    variables: optional(declared),
    variants: optional(variants),
    providerTemplateName: optional(providerTemplateName),
  },
  { title: 'NewTemplate' },
)
export type SentParts = Pick<Static<typeof NewVariant>, keyof typeof sentPartFields>
export type NewTemplate = Static<typeof NewTemplate>

export const TemplateChanges = strictObject(
  {
    name: optional(name),
    language: optional(language('The default language: one of the template, or that of the new `body`.')),
    body: optional(body),
    ...sentPartFields,
    category: optional(category),
    variables: optional(declared),
    variants: optional({
      ...variants,
      description:
        'Replaces all texts in other languages. A text that stays keeps its header, footer and buttons if they are not sent.',
    }),
    providerTemplateName: optional(providerTemplateName),
  },
  { title: 'TemplateChanges' },
)
export type TemplateChanges = Static<typeof TemplateChanges>

const Variable = strictObject(
  {
    name: Type.String({ description: 'The name, as in the text.' }),
    type: oneOf(variableTypes, { description: 'How its value is printed: in the language of the text.' }),
    isOwn: Type.Boolean({ description: 'true: its value comes with each message, as `variables`.' }),
    fallback: nullable(
      Type.String({ description: 'Printed if it has no value; null: then nothing is sent.' }),
    ),
    example: nullable(
      Type.Union([Type.String(), Type.Number()], { description: 'An example; null: that of the catalogue.' }),
    ),
  },
  { title: 'TemplateVariable' },
)
const Approval = strictObject(
  {
    accountId: id('The account whose provider it is.'),
    providerTemplateName: Type.String({ description: 'The name at the provider.' }),
    status: oneOf(templateApprovals, { description: 'What the provider says.' }),
    reason: nullable(Type.String({ description: 'Why it was rejected or paused; null: no reason.' })),
    category: oneOf(templateCategories, { description: 'The category by the provider.' }),
    version: Type.Integer({ description: 'The number of the text that it is about.' }),
    submittedAt: nullable(time('When it was submitted here; null: it was submitted at the provider.')),
    updatedAt: time('When its state last changed.'),
  },
  { title: 'TemplateProviderApproval' },
)
const textFields = {
  language: Type.String({ description: 'The language, BCP 47.' }),
  body: Type.String({ description: 'The text; empty: it was erased with the data of a person.' }),
  ...partFields,
  variables: Type.Array(Variable, { description: 'The variables of the text, in its order.' }),
  version: Type.Integer({ description: 'The number of the text in its language, from 1.' }),
  versionId: id('The text.'),
  status,
  statusReason: nullable(Type.String({ description: 'Why it was rejected or paused; null: no reason.' })),
  providerTemplateName: nullable(
    Type.String({ description: 'The name at the provider; null: it has none yet.' }),
  ),
}
const Variant = strictObject(
  {
    ...textFields,
    notice: nullable(
      Type.String({ description: 'What a change means for an approved text; null: nothing is to be done.' }),
    ),
    approvals: Type.Array(Approval, { description: 'By account and version, the latest version first.' }),
    updatedAt: time('When the text last changed.'),
  },
  { title: 'TemplateVariant' },
)

export const Template = strictObject(
  {
    id: id('The template.'),
    name: Type.String({ description: 'The name for people.' }),
    ...textFields,
    category,
    variants: Type.Array(Variant, { description: 'All texts; the default language first.' }),
    createdAt: time('When it was created.'),
    updatedAt: time('When it was last changed.'),
    archivedAt: nullable(time('When it was deleted: it can no longer be used; null: it was not.')),
  },
  {
    title: 'Template',
    description: 'A message template. The text fields are those of the default language.',
  },
)
export type Template = Static<typeof Template>

export const TemplateVersion = strictObject(
  {
    id: id('The version.'),
    language: Type.String({ description: 'The language, BCP 47.' }),
    number: Type.Integer({ description: 'From 1, in each language.' }),
    body: Type.String({ description: 'The text; empty: it was erased with the data of a person.' }),
    ...partFields,
    variables: Type.Array(Variable, { description: 'The variables of the text, in its order.' }),
    isCurrent: Type.Boolean({ description: 'It is the current text of its language.' }),
    createdAt: time('When it was written.'),
  },
  { title: 'TemplateVersion' },
)
export type TemplateVersion = Static<typeof TemplateVersion>

export const TemplateFilter = strictObject({
  ...pageQuery,
  language: optional(language('Only templates with a text in this language.')),
  category: optional(category),
  archived: optional(
    Type.Boolean({ description: 'true: only deleted templates; default: only the others.' }),
  ),
})
export const VersionFilter = strictObject({
  ...pageQuery,
  language: optional(language('Only this language.')),
})
export const CatalogueFilter = strictObject({
  ...pageQuery,
  language: optional(language('The language of the examples and values; default: es.')),
  leadId: optional(id('A lead: its values are in `value`.')),
})
export const CatalogueVariable = strictObject(
  {
    name: Type.String({ description: 'The name, as it is written in a text.' }),
    type: oneOf(variableTypes, { description: 'How its value is printed.' }),
    label: Type.String({ description: 'What it is.' }),
    example: Type.String({ description: 'An example, as it is printed.' }),
    value: nullable(
      Type.String({
        description: 'The value for `leadId`, as it is printed; null: the lead has none, or none was given.',
      }),
    ),
  },
  { title: 'TemplateCatalogueVariable' },
)
