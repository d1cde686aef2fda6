/** What somebody does on a phone: it goes the way of what a provider posts, stored first, then processed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sniffMediaType, unknownType } from '../../../kit/blobs/media-type.ts'
import { getInstant } from '../../../kit/clock/clock.ts'
import type { Cipher } from '../../../kit/crypto.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import type { InboundContent } from '../../../plugins/chat.ts'
import { toSandboxBody } from '../../../plugins/sandbox/body.ts'
import { toSandboxMessageId } from '../../../plugins/sandbox/simulate-provider.ts'
import { receiveBody } from '../../accounts/service.ts'
import { findKnownMessage, findThread } from '../../messaging/service.ts'
import type { PhoneRow } from './queries.ts'
import { findChoice } from './thread.ts'
import { messagesMax } from './view.ts'
import type { PhoneWords } from './words.ts'

const textMax = 4096
/** In base64 it stays below what a body of the sandbox may have. */
const photoBytesMax = 1_400_000
/** The photo, and the other fields. */
export const formBytesMax = photoBytesMax + 100_000
const photoTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']

/** What a form says, or what is wrong with it. */
export type Said = { content: InboundContent; replyTo: string | null } | { error: string }

/** Reads the submitted form: a choice, or a text, a photo, or both. */
export async function readForm(tx: Tx, phone: PhoneRow, form: FormData, words: PhoneWords): Promise<Said> {
  const choice = readText(form, 'choice')
  if (choice !== '') return readChoice(tx, phone, { choice, messageId: readText(form, 'messageId') }, words)
  const text = readText(form, 'text').trim()
  if (text.length > textMax) return { error: words.tooLong }
  const photo = form.get('photo')
  if (photo instanceof File && photo.size > 0) return readPhoto(photo, text, words)
  return text === '' ? { error: words.nothing } : { content: { kind: 'text', text }, replyTo: null }
}

/** A form ends lines with CR LF. */
export function readText(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? sanitizeText(value).replaceAll('\r\n', '\n') : ''
}

async function readChoice(
  tx: Tx,
  { accountId, person }: PhoneRow,
  { choice, messageId }: { choice: string; messageId: string },
  words: PhoneWords,
): Promise<Said> {
  const thread = await findThread(tx, { accountId, person }, messagesMax)
  const message = thread?.messages.find(({ id, direction }) => id === messageId && direction === 'out')
  const found = message && findChoice(message, choice)
  if (!found) return { error: words.badChoice }
  return {
    content: { kind: 'choice', id: found.id, title: found.title },
    replyTo: toSandboxMessageId(messageId),
  }
}

async function readPhoto(photo: File, caption: string, words: PhoneWords): Promise<Said> {
  if (photo.size > photoBytesMax) return { error: words.badPhoto }
  const bytes = Buffer.from(await photo.arrayBuffer())
  const mediaType = await sniffMediaType(bytes)
  if (mediaType === unknownType || !photoTypes.includes(mediaType)) return { error: words.badPhoto }
  const media = {
    kind: 'image' as const,
    providerMediaId: `data:${mediaType};base64,${bytes.toString('base64')}`,
    mediaType,
    fileName: sanitizeText(photo.name).slice(0, 200),
    bytes: bytes.length,
  }
  return { content: { kind: 'media', media: [media], caption: caption || null }, replyTo: null }
}

/** Stores what the person says. The same id twice is one message. */
export function say(
  tx: Tx,
  cipher: Cipher,
  { accountId, person, name }: PhoneRow,
  { id, content, replyTo }: { id: string; content: InboundContent; replyTo: string | null },
): Promise<void> {
  return receiveBody(
    tx,
    cipher,
    accountId,
    toSandboxBody({
      type: 'message',
      externalId: null,
      at: getInstant(tx),
      from: [person],
      providerMessageId: id,
      profileName: name,
      content,
      replyTo,
      email: null,
      referral: null,
      nature: 'person',
      isEcho: false,
    }),
  )
}

const waitFirstMs = 30
const waitMaxMs = 2000

/** Waits until the message is processed, so that the next page shows it; for a moment only. */
export async function waitUntilReceived(
  database: Database,
  tenantId: string,
  { accountId, id }: { accountId: string; id: string },
): Promise<void> {
  const untilMs = performance.now() + waitMaxMs
  for (let pauseMs = waitFirstMs; performance.now() < untilMs; pauseMs *= 1.5) {
    await sleep(pauseMs)
    if (await database.readTenant({ tenantId }, tx => findKnownMessage(tx, accountId, id))) return
  }
}
