/** The events of AI replies. */
import { handOffCodes } from '../../../domain/ai-replies/hand-off.ts'
import { event } from '../../../kit/events/event.ts'
import { id, nullable, oneOf, strictObject, Type } from '../../../kit/schema.ts'

const conversation = {
  conversationId: id('The conversation.'),
  leadId: nullable(id('The lead that it is about; null: it has none.')),
  campaignId: id('The campaign whose AI answers.'),
}
const example = {
  conversationId: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
  leadId: '01980a4e-6666-7c3e-9d7a-2f6b1c0d9e8f',
  campaignId: '01980a4e-2222-7c3e-9d7a-2f6b1c0d9e8f',
}

export const conversationHandedOff = event({
  type: 'conversation.handed_off',
  object: ['conversationId'],
  summary: 'A person has to answer instead of the AI',
  data: strictObject({
    ...conversation,
    code: oneOf(handOffCodes, { description: 'The kind of reason, as `handOff.code`.' }),
    reason: Type.String({ description: 'Why, for people.' }),
  }),
  example: {
    ...example,
    code: 'WANTS_PERSON',
    reason: 'The person wants to talk to somebody, or wrote a hand-off word.',
  },
})

export const aiReplyDrafted = event({
  type: 'ai_reply.drafted',
  object: ['replyId'],
  summary: 'The AI has written a draft that somebody may send',
  data: strictObject({ replyId: id('The draft.'), ...conversation }),
  example: { replyId: '01980a4e-9999-7c3e-9d7a-2f6b1c0d9e8f', ...example },
})

export const aiEvents = [conversationHandedOff, aiReplyDrafted]
