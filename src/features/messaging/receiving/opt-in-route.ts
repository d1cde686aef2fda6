/** Takes an opt-out back over HTTP. */
import type { Channel } from '../../../domain/contactability/facts.ts'
import { toJsonText } from '../../../kit/json-text.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject } from '../../../kit/schema.ts'
import { readAuthor } from '../../../kit/writer.ts'
import { Message, messageExample } from '../message-schemas.ts'
import { getMessage } from '../messages/read-messages.ts'
import { optInPerson } from './opt-in.ts'

interface Dependencies {
  getChannel: (provider: string) => Channel | undefined
  /** The public URL with the base path. */
  baseUrl: string
}

export const optInRoute = ({ getChannel, baseUrl }: Dependencies): Route =>
  route({
    method: 'POST',
    path: '/messages/{id}/opt-in',
    operation: 'optIn',
    tag: 'Messaging',
    summary: 'Take an opt-out back, because the person asked for messages again',
    description:
      'The proof is a message of the person that says only that: its `content.intent` is `opt_in`. A user has to read and confirm it: a key that no user has created is refused with 403. It takes back the opt-outs of the channel that are older than the message, unless the person opted out again since; one of all channels stays. A note with the author is added to the conversation, and returned. The event `lead.opted_in` names the leads.',
    scope: 'messaging:write',
    params: strictObject({ id: id('The message in which the person asks for messages again.') }),
    status: 201,
    reply: Message,
    replyExample: {
      ...messageExample,
      direction: 'note',
      text: 'The opt-out was taken back, because the person asked for messages again.',
      replyToId: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e90',
      status: 'noted',
      sentAt: null,
    },
    errors: ['INVALID_TRANSITION'],
    errorExamples: {
      INVALID_TRANSITION: 'Only a message in which the person asks for messages again takes an opt-out back.',
    },
    async handle({ params, caller, tx }) {
      const author = await readAuthor(tx, caller)
      const noteId = await optInPerson(tx, params.id, { author, getChannel })
      return toJsonText(await getMessage(tx, noteId, baseUrl))
    },
  })
