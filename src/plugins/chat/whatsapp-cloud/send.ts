/** Sends messages, read receipts and the typing indicator. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  type ChatContext,
  type Connection,
  interruptedResult,
  type OutgoingMedia,
  type OutgoingMessage,
  type SendResult,
  uploadBytesPerMs,
} from '../../chat.ts'
import { asList, asObject, asText } from '../../graph-kit/json.ts'
import type { GraphFailure } from './errors.ts'
import { type CredentialValues, callGraph, tryGraph } from './graph.ts'
import { findRecipient, findRefusal, refuse, toMessageBody } from './message-body.ts'

export async function sendMessage(
  { credentials }: Connection<CredentialValues>,
  message: OutgoingMessage,
  context: ChatContext,
): Promise<SendResult> {
  const recipient = findRecipient(message.to)
  if (!recipient) {
    const sentence = 'The person has neither a phone number nor a WhatsApp user id.'
    return { status: 'failed', failure: refuse('RECIPIENT_UNREACHABLE', sentence, 'recipient') }
  }
  const refusal = findRefusal(message.content)
  if (refusal) return { status: 'failed', failure: refusal }
  let mediaId: string | null = null
  const media = 'media' in message.content ? message.content.media : undefined
  if (media) {
    const uploaded = await upload(credentials, media, context)
    if (typeof uploaded !== 'string') return uploaded
    mediaId = uploaded
  }
  if (context.signal.aborted) return interruptedResult
  const body = toMessageBody(message, recipient, mediaId)
  const outcome = await tryGraph(
    credentials,
    { path: `${credentials.phoneNumberId}/messages`, body },
    context,
  )
  if ('failure' in outcome) {
    const { failure, isCertain } = outcome
    return isCertain ? { status: 'failed', failure } : { status: 'unknown', reason: failure.message }
  }
  const providerMessageId = asText(asObject(asList(outcome.value.messages)[0])?.id)
  if (providerMessageId) return { status: 'sent', providerMessageId }
  return { status: 'unknown', reason: 'WhatsApp accepted the request without naming a message.' }
}

/** Returns the id of the file at WhatsApp. Nothing is sent yet, so any failure of the connection may be repeated. Never throws. */
async function upload(
  credentials: CredentialValues,
  media: OutgoingMedia,
  context: ChatContext,
): Promise<string | SendResult> {
  const { stream, contentType, bytes } = toMultipart(media)
  const call = {
    path: `${credentials.phoneNumberId}/media`,
    upload: { stream, contentType, bytes },
    timeoutMs: 30_000 + Math.ceil(media.bytes / uploadBytesPerMs),
  }
  const outcome = await tryGraph(credentials, call, context).catch(
    (): GraphFailure => ({ failure: interruptedResult.failure, isCertain: true }),
  )
  if ('failure' in outcome) {
    const { failure, isCertain } = outcome
    return { status: 'failed', failure: isCertain ? failure : { ...failure, retryable: true } }
  }
  const id = asText(outcome.value.id)
  if (id) return id
  return { status: 'failed', failure: refuse('MEDIA_REJECTED', 'WhatsApp returned no id for the file.') }
}

/** A form with one file, streamed. Its length is known before the file is opened. */
export function toMultipart(media: OutgoingMedia): { stream: Readable; contentType: string; bytes: number } {
  const boundary = `form-${randomUUID()}`
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const mediaType = media.mediaType.replace(/[\r\n]/g, '')
  const fileName = (media.fileName ?? 'file').replace(/["\r\n\\]/g, '_')
  const start = Buffer.from(
    field('messaging_product', 'whatsapp') +
      field('type', mediaType) +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\n` +
      `Content-Type: ${mediaType}\r\n\r\n`,
  )
  const end = Buffer.from(`\r\n--${boundary}--\r\n`)
  async function* content(): AsyncGenerator<Buffer> {
    yield start
    yield* (await media.open()) as AsyncIterable<Buffer>
    yield end
  }
  return {
    stream: Readable.from(content()),
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: start.length + media.bytes + end.length,
  }
}

/** Marks a message as read. `isTyping`: the person also sees for 25 seconds, or until a message, that somebody types. */
export async function sendReceipt(
  { credentials }: Connection<CredentialValues>,
  providerMessageId: string,
  isTyping: boolean,
  context: ChatContext,
): Promise<void> {
  const body = {
    messaging_product: 'whatsapp',
    status: 'read',
    message_id: providerMessageId,
    ...(isTyping && { typing_indicator: { type: 'text' } }),
  }
  await callGraph(credentials, { path: `${credentials.phoneNumberId}/messages`, body }, context)
}
