/** Sends messages. */
import { toForm } from '../../../kit/http/multipart.ts'
import { asNumber, asObject } from '../../../kit/json-values.ts'
import type {
  ChatContext,
  ChatFailure,
  ChatIdentity,
  CheckedContent,
  Connection,
  MediaKind,
  OutgoingContent,
  OutgoingMessage,
  SendResult,
} from '../../chat.ts'
import { type Call, tryCall } from './api.ts'
import { capabilities } from './capabilities.ts'
import type { BotCredentials } from './credentials.ts'
import { refuse } from './failures.ts'
import { parseMessageId, toMessageId } from './message-ids.ts'

export async function sendMessage(
  { credentials }: Connection<BotCredentials>,
  message: OutgoingMessage,
  context: ChatContext,
): Promise<SendResult> {
  const chatId = findChatId(message.to)
  if (chatId === null)
    return failed(
      refuse(
        'RECIPIENT_UNREACHABLE',
        'The person has not written to the bot. Use another channel.',
        'recipient',
      ),
    )
  const { content } = message
  const refusal = findRefusal(content)
  if (refusal) return failed(refusal)
  if (content.kind === 'reaction' && parseMessageId(content.providerMessageId) === null)
    return failed(refuse('UNSUPPORTED', 'Telegram has no reactions to this message.'))
  const call = toCall(content, { chat_id: chatId, ...toReply(message.replyTo) })
  const outcome = await tryCall(credentials, call, context)
  if ('failure' in outcome) {
    const fileError = call.form?.getFileError()
    if (fileError) return failed(toFileFailure(fileError))
    const { failure, isCertain } = outcome
    return isCertain ? failed(failure) : { status: 'unknown', reason: failure.message }
  }
  return toResult(outcome.result, message, chatId)
}

const failed = (failure: ChatFailure): SendResult => ({ status: 'failed', failure })

function toResult(result: unknown, { id, content }: OutgoingMessage, chatId: number): SendResult {
  if (content.kind === 'reaction')
    return result === true
      ? { status: 'sent', providerMessageId: `${content.providerMessageId}:${id}` }
      : { status: 'unknown', reason: 'Telegram did not confirm the reaction.' }
  const messageId = asNumber(asObject(result)?.message_id)
  return messageId === null
    ? { status: 'unknown', reason: 'Telegram accepted the request without naming a message.' }
    : { status: 'sent', providerMessageId: toMessageId(chatId, messageId) }
}

/** The chat of a person has the id of the person. */
export function findChatId(to: readonly ChatIdentity[]): number | null {
  const value = to.find(({ kind }) => kind === 'telegram')?.value
  return value && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : null
}

const buttonIdMaxBytes = 64

export function findRefusal(content: CheckedContent): ChatFailure | null {
  const { charactersMax, captionCharactersMax = charactersMax } = capabilities.text
  if ('text' in content && content.text.length > charactersMax)
    return refuse('MESSAGE_REJECTED', `The text has more than ${charactersMax} characters. Shorten it.`)
  if (content.kind === 'list') return refuse('UNSUPPORTED', 'Telegram has no lists. Send buttons.')
  if (
    content.kind === 'buttons' &&
    content.buttons.some(({ id }) => Buffer.byteLength(id) > buttonIdMaxBytes)
  )
    return refuse(
      'MESSAGE_REJECTED',
      `The id of a button has more than ${buttonIdMaxBytes} bytes. Shorten it.`,
    )
  if (content.kind !== 'media') return null
  if ((content.caption?.length ?? 0) > captionCharactersMax)
    return refuse(
      'MESSAGE_REJECTED',
      `The caption has more than ${captionCharactersMax} characters. Shorten it.`,
    )
  const limit = capabilities.media[content.media.kind]!.bytesMax
  return content.media.bytes > limit
    ? refuse('MEDIA_REJECTED', `The file has more than ${limit} bytes. Send a smaller one.`)
    : null
}

function toReply(replyTo: string | null): Record<string, unknown> {
  const messageId = replyTo === null ? null : parseMessageId(replyTo)
  if (messageId === null) return {}
  return { reply_parameters: { message_id: messageId, allow_sending_without_reply: true } }
}

const mediaMethods: Record<MediaKind, [method: string, field: string]> = {
  image: ['sendPhoto', 'photo'],
  video: ['sendVideo', 'video'],
  audio: ['sendAudio', 'audio'],
  voice: ['sendVoice', 'voice'],
  document: ['sendDocument', 'document'],
  sticker: ['sendSticker', 'sticker'],
}

function toCall(content: OutgoingContent, target: Record<string, unknown>): Call {
  switch (content.kind) {
    case 'text':
    case 'template':
    case 'list':
      return { method: 'sendMessage', fields: { ...target, text: content.text } }
    case 'buttons': {
      const rows = content.buttons.map(({ id, title }) => [{ text: title, callback_data: id }])
      return {
        method: 'sendMessage',
        fields: { ...target, text: content.text, reply_markup: { inline_keyboard: rows } },
      }
    }
    case 'location': {
      const { latitude, longitude, name, address } = content
      const place = { ...target, latitude, longitude }
      return name
        ? { method: 'sendVenue', fields: { ...place, title: name, address: address ?? name } }
        : { method: 'sendLocation', fields: place }
    }
    case 'reaction':
      return {
        method: 'setMessageReaction',
        fields: {
          chat_id: target.chat_id,
          message_id: parseMessageId(content.providerMessageId),
          reaction: content.emoji ? [{ type: 'emoji', emoji: content.emoji }] : [],
        },
      }
    case 'media': {
      const [method, field] = mediaMethods[content.media.kind]
      const { mediaType, bytes, open } = content.media
      const fields = content.caption ? { ...target, caption: content.caption } : target
      return {
        method,
        form: toForm(
          Object.fromEntries(
            Object.entries(fields).map(([key, value]) => [
              key,
              typeof value === 'string' ? value : JSON.stringify(value),
            ]),
          ),
          {
            name: field,
            fileName: content.media.fileName ?? toFileName(field, mediaType),
            mediaType,
            bytes,
            open,
          },
        ),
      }
    }
  }
}

/** Telegram tells some formats by the end of the name. */
function toFileName(field: string, mediaType: string): string {
  const subtype = mediaType.split('/')[1]!.replaceAll(/[^a-z0-9]/g, '')
  return `${field}.${{ mpeg: 'mp3', jpeg: 'jpg' }[subtype] ?? subtype}`
}

function toFileFailure(error: Error): ChatFailure {
  return {
    ...refuse('MEDIA_REJECTED', `The file could not be read: ${error.message}.`),
    retryable: true,
  }
}
