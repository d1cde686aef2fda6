/** The schemas of the settings with which a campaign answers replies by AI. */
import { id, nullable, oneOf, type Static, strictObject, Type } from '../../../kit/schema.ts'
import { integer, nullableText, text, toOptional } from '../../../kit/schema-fields.ts'

const questionFields = {
  field: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$',
    description: 'The field of `customFields` of the lead that the answer fills.',
    examples: ['reasonToSell'],
  }),
  question: text(300, 'The question.'),
  kind: oneOf(['choice', 'boolean', 'number'], {
    description: 'What an answer is: one of `options`, true or false, or a number from `min` to `max`.',
  }),
}
const questionDetails = {
  options: Type.Array(text(60, 'An answer.'), {
    maxItems: 20,
    uniqueItems: true,
    description: 'The answers of a `choice`, at least two. Default: none.',
  }),
  min: nullable(Type.Number({ description: 'The least number; null: 0. Default: null.' })),
  max: nullable(Type.Number({ description: 'The greatest number; null: 1,000,000,000. Default: null.' })),
}
const questions = { maxItems: 20, description: 'What the AI finds out. Default: nothing.' }

const fields = {
  enabled: Type.Boolean({ description: 'Replies of recipients are answered by AI. Default: false.' }),
  mode: oneOf(['draft', 'auto'], {
    description: '`draft`: an agent sends what the AI proposes; `auto`: it is sent. Default: `draft`.',
  }),
  instructions: Type.String({
    maxLength: 4000,
    description:
      'How to answer: tone and aim. The AI never repeats to people what is written here: what it may say belongs in `faq`. Default: empty.',
  }),
  model: nullableText(200, 'The model at the endpoint of the deployment; null: its default. Default: null.'),
  maxTurns: integer(1, 50, 'After so many answers of the AI a person takes over. Default: 6.'),
  handoffKeywords: Type.Array(text(100, 'A word or phrase.'), {
    maxItems: 50,
    uniqueItems: true,
    description: 'A reply that contains one of them is for a person. Default: none.',
  }),
  faq: Type.Array(
    strictObject({ question: text(300, 'What people ask.'), answer: text(1000, 'The answer.') }),
    {
      maxItems: 30,
      description:
        'Facts that the AI may state, besides the listing and the setting `aiFaq` of the workspace. Default: none.',
    },
  ),
  eventTypeId: nullable(
    id(
      'The event type whose free slots the AI offers and, in the mode `auto`, books for the person; null: it offers none. Default: null.',
    ),
  ),
}

const description = 'How replies are answered.'

export const CampaignAi = strictObject(
  {
    ...fields,
    questions: Type.Array(strictObject({ ...questionFields, ...questionDetails }), questions),
  },
  { description },
)
export type CampaignAi = Static<typeof CampaignAi>

export const CampaignAiInput = strictObject(
  {
    ...toOptional(fields),
    questions: Type.Optional(
      Type.Array(strictObject({ ...questionFields, ...toOptional(questionDetails) }), questions),
    ),
  },
  { description },
)
export type CampaignAiInput = Static<typeof CampaignAiInput>
