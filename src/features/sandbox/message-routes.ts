/** The HTTP routes with which a program is the lead: it writes to accounts, and reads what it received. */
import { setTimeout as sleep } from 'node:timers/promises'
import { getInstant } from '../../kit/clock/clock.ts'
import type { Cipher } from '../../kit/crypto.ts'
import type { Tx } from '../../kit/db/index.ts'
import { newId } from '../../kit/id.ts'
import { createPager, pageQuery, pageSchema } from '../../kit/page.ts'
import { type Route, route } from '../../kit/route.ts'
import { id, nullable, type Static, strictObject, Type, time } from '../../kit/schema.ts'
import { assertTest, testOnly } from '../../kit/test-only.ts'
import type { InboundContent, InboundEvent, MediaKind } from '../../plugins/chat.ts'
import { toSandboxBody } from '../../plugins/sandbox/body.ts'
import { type ChatAccounts, receiveBody } from '../accounts/service.ts'
import { findReceivedMessage, listDeliveredMessages, Media } from '../messaging/service.ts'
import { createNotSettled, notSettled } from './not-settled.ts'
import { getReceiver, readPerson, readPhone } from './person.ts'

export interface MessageDependencies {
  accounts: Pick<ChatAccounts, 'getProvider'>
  cipher: Cipher
  /** The public URL with the base path. */
  baseUrl: string
}

const filesMax = 5
const fileMaxChars = 1_400_000
const textMax = 65_536
const timeoutMs = 20_000
const pollMs = 25

const from = Type.String({
  minLength: 1,
  maxLength: 254,
  description:
    'The lead as the provider of the account names them: a phone number (without a prefix, one of the country of the workspace), an e-mail address, or another id.',
})

const Spoken = strictObject({
  accountId: id('The account that the lead writes to.'),
  from,
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: textMax,
      description: 'What the lead writes; with files, the caption.',
    }),
  ),
  media: Type.Optional(
    Type.Array(
      strictObject({
        mediaType: Type.String({
          pattern: '^[a-z]+/[a-z0-9.+-]+$',
          maxLength: 100,
          description: 'The media type, such as image/png.',
        }),
        fileName: Type.Optional(Type.String({ maxLength: 200, description: 'The name of the file.' })),
        data: Type.String({
          pattern: '^[A-Za-z0-9+/]+={0,2}$',
          maxLength: fileMaxChars,
          description: 'The content in Base64.',
        }),
      }),
      { minItems: 1, maxItems: filesMax, description: 'Files of the message.' },
    ),
  ),
})

const Received = strictObject({
  providerMessageId: Type.String({ description: 'Its id at the provider.' }),
  id: nullable(id('The message; null: it has not been read.')),
  conversationId: nullable(id('Its conversation.')),
  leadId: nullable(id('The lead of the conversation; null: it has none.')),
})

const Delivered = strictObject({
  id: id('The message.'),
  to: Type.String({
    description: 'The lead who received it, by the number, address or id to which it went.',
  }),
  text: nullable(Type.String({ description: 'What they read; null: no text.' })),
  media: Type.Array(Media, { description: 'Its files.' }),
  templateId: nullable(id('The template that it was sent with; null: none.')),
  at: time('When it was sent.'),
})

const receivedExample = {
  providerMessageId: 'sandbox-01980a4e-7777-7c3e-9d7a-2f6b1c0d9e8f',
  id: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f',
  conversationId: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
  leadId: '01980a4e-6666-7c3e-9d7a-2f6b1c0d9e8f',
}

export const messageRoutes = (dependencies: MessageDependencies): Route[] => [
  route({
    method: 'POST',
    path: '/sandbox/messages',
    operation: 'sendSandboxMessage',
    tag: 'Sandbox',
    summary: 'Write to an account as the lead',
    description:
      'The message takes the way of any other one: it is stored as a body of the provider, then read. The reply comes when that is done. After an error, send it again with the same `Idempotency-Key`: the lead then wrote once.',
    scope: 'any',
    body: Spoken,
    bodyMaxBytes: 3 * 1024 * 1024,
    example: {
      accountId: '01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f',
      from: '+34612345678',
      text: '¿Sigue libre?',
    },
    check: ({ body }) =>
      body.text === undefined && body.media === undefined
        ? [{ path: '/text', code: 'REQUIRED', message: 'Send a text, files, or both.' }]
        : [],
    status: 201,
    reply: Received,
    replyExample: receivedExample,
    errors: [testOnly, notSettled, 'INVALID_TRANSITION'],
    errorExamples: { INVALID_TRANSITION: 'The account is disconnected and receives nothing.' },
    async handle({ body, caller, tx }) {
      assertTest(caller)
      const providerMessageId = `sandbox-${newId()}`
      await storeMessage(tx, body, providerMessageId, dependencies)
      return { providerMessageId, id: null, conversationId: null, leadId: null }
    },
    async finish({ body, caller, database, signal, reply: { providerMessageId } }) {
      const find = (tx: Tx) => findReceivedMessage(tx, body.accountId, providerMessageId)
      const deadlineMs = performance.now() + timeoutMs
      for (;;) {
        const found = await database.readTenant(caller, find)
        if (found) return { providerMessageId, ...found }
        if (performance.now() > deadlineMs)
          throw createNotSettled(
            'The message is stored, but not read yet. Send the request again with the same Idempotency-Key to wait for it.',
          )
        await sleep(pollMs, undefined, { signal })
      }
    },
  }),
  route({
    method: 'GET',
    path: '/sandbox/messages',
    operation: 'listSandboxMessages',
    tag: 'Sandbox',
    summary: 'List what leads have received, oldest first',
    description: 'Messages that accounts of the test environment have sent.',
    scope: 'any',
    query: strictObject({
      ...pageQuery,
      to: Type.Optional(
        Type.String({ maxLength: 254, description: 'Only messages to this lead, see `from`.' }),
      ),
    }),
    status: 200,
    reply: pageSchema(Delivered),
    replyExample: {
      data: [
        {
          id: receivedExample.id,
          to: '+34612345678',
          text: 'Sí, ¿le va bien el jueves?',
          media: [],
          templateId: null,
          at: '2026-11-02T10:00:00.000Z',
        },
      ],
      nextCursor: null,
    },
    errors: [testOnly, 'INVALID_CURSOR'],
    async handle({ query, caller, tx }) {
      assertTest(caller)
      const pager = createPager('sandbox/messages', caller.tenantId, query)
      const { to, limit } = query
      // A Telegram id may look like a phone.
      const names = to === undefined ? null : [to, await readPhone(tx, to)]
      const { baseUrl } = dependencies
      return pager.reply(await listDeliveredMessages(tx, { names, limit, baseUrl }, pager.after))
    },
  }),
]

/** Stores the message as a body of the provider. Throws 400; 409 INVALID_TRANSITION. */
async function storeMessage(
  tx: Tx,
  body: Static<typeof Spoken>,
  providerMessageId: string,
  { accounts, cipher }: MessageDependencies,
): Promise<void> {
  const { account, provider } = await getReceiver(tx, accounts, body.accountId)
  const event: InboundEvent = {
    type: 'message',
    externalId: null,
    at: getInstant(tx),
    from: [await readPerson(tx, body.from, provider)],
    providerMessageId,
    profileName: null,
    content: toContent(body),
    replyTo: null,
    email: null,
    referral: null,
    nature: 'person',
    isEcho: false,
  }
  await receiveBody(tx, cipher, account.id, toSandboxBody(event))
}

function toContent({ text, media }: Static<typeof Spoken>): InboundContent {
  if (!media) return { kind: 'text', text: text! }
  return {
    kind: 'media',
    caption: text ?? null,
    media: media.map(({ mediaType, fileName, data }) => ({
      kind: toMediaKind(mediaType),
      providerMediaId: `data:${mediaType};base64,${data}`,
      mediaType,
      fileName: fileName ?? null,
      bytes: Buffer.byteLength(data, 'base64'),
    })),
  }
}

function toMediaKind(mediaType: string): MediaKind {
  const kind = mediaType.split('/')[0]
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'document'
}
