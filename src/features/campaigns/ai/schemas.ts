/** The API objects of AI replies. */
import { handOffCodes } from '../../../domain/ai-replies/hand-off.ts'
import { pageQuery } from '../../../kit/page.ts'
import { id, nullable, oneOf, type Static, strictObject, Type, time, visible } from '../../../kit/schema.ts'

const HandOff = strictObject(
  {
    code: oneOf(handOffCodes, {
      description:
        '`WANTS_PERSON`: they want to talk to somebody. `INSTRUCTIONS`: instructions for a model. `OFF_TOPIC`: not about this property and this agency. `UNREADABLE`: no text. `TURN_LIMIT`: `maxTurns` of the campaign. `NOT_SURE`: the facts do not answer it. `REFUSED_ANSWER`: the answer broke a rule. `AI_UNAVAILABLE`: the endpoint failed. `NOT_SENDABLE`: the message was refused. `BY_USER`: a user took over.',
    }),
    message: Type.String({ description: 'Why, for people.' }),
  },
  { title: 'HandOff', description: 'Why a person has to answer.' },
)

export const aiReplyStatuses = ['draft', 'sent', 'discarded', 'handed_off'] as const
const status = oneOf(aiReplyStatuses, {
  description:
    '`draft`: somebody may send it. `sent`: it is a message. `discarded`: it was not sent. `handed_off`: a person has to answer.',
})
const conversationId = id('The conversation.')
const campaignId = id('The campaign whose AI answers.')

const replyFields = {
  id: id('The AI reply.'),
  conversationId,
  messageId: id('The last message of the person that it answers.'),
  leadId: nullable(id('The lead that it is about; null: it has none any more.')),
  campaignId,
  status,
  mode: oneOf(['draft', 'auto'], { description: 'The mode of the campaign at that time.' }),
  text: nullable(Type.String({ description: 'The text; null: the AI wrote none.' })),
  sentMessageId: nullable(id('The message to the person; null: none was sent.')),
  answers: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
    description:
      'What the person has answered to the questions of the campaign, by custom field of the lead.',
  }),
  appointmentId: nullable(id('The appointment that it booked; null: none.')),
  handOff: nullable(HandOff),
  model: nullable(Type.String({ description: 'The model; null: none was used.' })),
  inputTokens: Type.Integer({ description: 'The tokens of its input, of all rounds.' }),
  outputTokens: Type.Integer({ description: 'The tokens of its output.' }),
  decidedByUserId: nullable(id('The user who sent or discarded it; null: nobody, or a program.')),
  createdAt: time('When it was written.'),
  decidedAt: nullable(time('When it was sent, discarded or handed off; null: it is a draft.')),
}

export const AiReply = strictObject(replyFields, {
  title: 'AiReply',
  description: 'What AI proposed to answer to a person, and what became of it.',
})
export type AiReply = Static<typeof AiReply>

export const LoggedAiReply = strictObject(
  {
    ...replyFields,
    prompt: Type.Array(Type.Unknown(), { description: 'The messages that the model got.' }),
    promptHash: nullable(Type.String({ description: 'SHA-256 of the prompt; null: none was sent.' })),
    steps: Type.Array(Type.Unknown(), {
      description: 'By round: what the model wrote, which tools it called, and what they returned.',
    }),
  },
  { title: 'LoggedAiReply', description: 'An AI reply with its input.' },
)

export const AiReplyFilter = strictObject({
  conversationId: Type.Optional(id('Only of this conversation.')),
  campaignId: Type.Optional(id('Only of this campaign.')),
  status: Type.Optional(oneOf(aiReplyStatuses, { description: 'Only with this status.' })),
  ...pageQuery,
})
export type AiReplyFilter = Static<typeof AiReplyFilter>

export const SentDraft = strictObject(
  {
    text: Type.Optional(
      Type.String({
        maxLength: 4000,
        pattern: visible,
        description: 'The text to send instead of that of the draft.',
      }),
    ),
  },
  { title: 'SentDraft' },
)

export const ConversationAi = strictObject(
  {
    conversationId,
    campaignId,
    status: oneOf(['active', 'taken_over', 'handed_off', 'stopped'], {
      description:
        '`active`: AI answers. `taken_over`: somebody of the agency has written within the last 72 hours, and AI leaves it to them. `handed_off`: people answer until somebody lets the AI answer again. `stopped`: the person may not be written to, such as after an opt-out.',
    }),
    handOff: nullable(HandOff),
    handedOffAt: nullable(time('Since when; null: it is not.')),
    takenOverAt: nullable(time('When somebody of the agency last wrote; null: not lately.')),
    answered: Type.Integer({ description: 'AI messages since it began or was let answer again.' }),
    nextAnswerAt: nullable(time('When the AI answers next; null: nothing waits for it.')),
  },
  { title: 'ConversationAi', description: 'Who answers a conversation: AI or people.' },
)
export type ConversationAi = Static<typeof ConversationAi>

export const ConversationAiChange = strictObject(
  {
    status: oneOf(['active', 'handed_off'], {
      description:
        '`active`: AI answers what the person writes from now on. `handed_off`: people answer; waiting answers and drafts are dropped.',
    }),
  },
  { title: 'ConversationAiChange' },
)

export const aiReplyExample: AiReply = {
  id: '01980a4e-9999-7c3e-9d7a-2f6b1c0d9e8f',
  conversationId: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
  messageId: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f',
  leadId: '01980a4e-6666-7c3e-9d7a-2f6b1c0d9e8f',
  campaignId: '01980a4e-2222-7c3e-9d7a-2f6b1c0d9e8f',
  status: 'draft',
  mode: 'draft',
  text: 'El precio del anuncio es de 374.000 €.',
  sentMessageId: null,
  answers: { reasonToSell: 'moving' },
  appointmentId: null,
  handOff: null,
  model: 'small',
  inputTokens: 912,
  outputTokens: 48,
  decidedByUserId: null,
  createdAt: '2026-11-02T10:00:08.000Z',
  decidedAt: null,
}

export const conversationAiExample: ConversationAi = {
  conversationId: aiReplyExample.conversationId,
  campaignId: aiReplyExample.campaignId,
  status: 'active',
  handOff: null,
  handedOffAt: null,
  takenOverAt: null,
  answered: 1,
  nextAnswerAt: null,
}
