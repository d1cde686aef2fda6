/** The events of messages. */
import { type EmbeddedObject, type EventDefinition, event } from '../../kit/events/event.ts'
import { id, nullable, strictObject, Type } from '../../kit/schema.ts'
import { Message, messageExample } from './message-schemas.ts'
import { findMessages } from './messages/read-messages.ts'

const messageEvent = (type: string, summary: string) =>
  event({
    type,
    object: ['messageId'],
    summary,
    data: strictObject({
      messageId: id('The message.'),
      conversationId: id('Its conversation.'),
      accountId: id('The account.'),
      leadId: nullable(id('The lead that it is about; null: the conversation had none.')),
      campaignId: nullable(id('The campaign that sent it; null: none.')),
      campaignStep: nullable(
        Type.Integer({
          description: 'Its step in `settings.steps` of the campaign, from 0; null: no campaign sent it.',
        }),
      ),
    }),
    example: {
      messageId: messageExample.id,
      conversationId: messageExample.conversationId,
      accountId: messageExample.accountId,
      leadId: messageExample.leadId,
      campaignId: null,
      campaignStep: null,
    },
  })

export const messageSent = messageEvent('message.sent', 'A message was sent')
export const messageDelivered = messageEvent('message.delivered', 'The person has received a message')
export const messageRead = messageEvent('message.read', 'The person has read a message')
export const messageFailed = messageEvent('message.failed', 'A message was not sent, or did not arrive')
export const messageReceived = messageEvent('message.received', 'A person wrote')

/**
 * The text of a message is in the embedded object only, which is read when the event is delivered. `baseUrl`: the public URL
 * with the base path.
 */
export function messagingEvents(baseUrl: string): EventDefinition[] {
  const embeds: EmbeddedObject = {
    name: 'message',
    schema: Message,
    example: messageExample,
    read: (tx, ids, maxBytes) => findMessages(tx, ids, { baseUrl, maxBytes }),
  }
  return [messageSent, messageDelivered, messageRead, messageFailed, messageReceived].map(
    (event): EventDefinition => ({ ...event, embeds }),
  )
}
