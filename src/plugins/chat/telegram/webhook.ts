/** The webhook of Telegram: the secret token, and the events of an update. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { parseJson } from '../../../kit/json-limits.ts'
import { asList, asNumber, asObject, asText, truncate } from '../../../kit/json-values.ts'
import type { ChatIdentity, ChatWebhook, InboundEvent } from '../../chat.ts'
import type { BotCredentials } from './credentials.ts'
import { toCallbackId, toMessageId } from './message-ids.ts'
import { parseContent } from './parse-content.ts'

type Json = Record<string, unknown>

/** Telegram posts only these kinds; some are not posted unless they are named. */
export const allowedUpdates = [
  'message',
  'edited_message',
  'callback_query',
  'message_reaction',
  'my_chat_member',
]

export const webhook: ChatWebhook<BotCredentials> = {
  verify({ headers }, { verifyToken }) {
    const token = headers['x-telegram-bot-api-secret-token']
    return typeof token === 'string' && verifyToken !== '' && isSame(token, verifyToken)
  },
  parse(body, receivedAt) {
    const base = { externalId: null, at: receivedAt }
    const update = readObject(body)
    if (!update) return [{ ...base, type: 'unreadable', reason: 'It is not a JSON object.' }]
    if (asNumber(update.update_id) === null)
      return [{ ...base, type: 'unreadable', reason: 'It has no update_id.' }]
    for (const kind of allowedUpdates) {
      const value = asObject(update[kind])
      if (value) return [parsers[kind]!(value, receivedAt) ?? { ...base, type: 'ignored', what: kind }]
    }
    const what = Object.keys(update).find(key => key !== 'update_id') ?? 'nothing'
    return [{ ...base, type: 'ignored', what: truncate(what, 100) }]
  },
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

function readObject(body: Buffer): Json | null {
  try {
    return asObject(parseJson(body.toString()))
  } catch {
    return null
  }
}

/** Null: the update needs nothing to be done, such as one of a group, a channel or another bot. */
const parsers: Record<string, (value: Json, receivedAt: Temporal.Instant) => InboundEvent | null> = {
  message(message, receivedAt) {
    const sender = findSender(message.chat, message.from)
    const messageId = asNumber(message.message_id)
    const content = parseContent(message)
    if (!sender || messageId === null || !content) return null
    const { chatId, from, profileName } = sender
    const repliedId = asNumber(asObject(message.reply_to_message)?.message_id)
    return {
      type: 'message',
      externalId: null,
      at: parseTime(message.date) ?? receivedAt,
      from: [...from, ...findOwnPhone(message, chatId)],
      providerMessageId: toMessageId(chatId, messageId),
      profileName,
      content,
      replyTo: repliedId === null ? null : toMessageId(chatId, repliedId),
      email: null,
      referral: findReferral(message),
      nature: 'person',
      isEcho: false,
    }
  },
  edited_message(message, receivedAt) {
    const sender = findSender(message.chat, message.from)
    const messageId = asNumber(message.message_id)
    const content = parseContent(message)
    if (!sender || messageId === null || !content) return null
    return {
      type: 'edited',
      externalId: null,
      at: parseTime(message.edit_date) ?? receivedAt,
      from: sender.from,
      providerMessageId: toMessageId(sender.chatId, messageId),
      content,
    }
  },
  // A pressed button has no time.
  callback_query(query, receivedAt) {
    const message = asObject(query.message)
    const sender = findSender(message?.chat, query.from)
    const messageId = asNumber(message?.message_id)
    const queryId = asText(query.id)
    const id = asText(query.data)
    if (!sender || messageId === null || !queryId || id === null) return null
    return {
      type: 'message',
      externalId: null,
      at: receivedAt,
      from: sender.from,
      providerMessageId: toCallbackId(truncate(queryId, 100)),
      profileName: sender.profileName,
      content: {
        kind: 'choice',
        id: truncate(id, 256),
        title: findButtonTitle(message!, id) ?? truncate(id, 256),
      },
      replyTo: toMessageId(sender.chatId, messageId),
      email: null,
      referral: null,
      nature: 'person',
      isEcho: false,
      isAwaited: true,
    }
  },
  message_reaction(reaction, receivedAt) {
    const sender = findSender(reaction.chat, reaction.user)
    const messageId = asNumber(reaction.message_id)
    if (!sender || messageId === null) return null
    const present = asList(reaction.new_reaction)
    const emoji = present.map(one => asText(asObject(one)?.emoji)).find(one => one !== null)
    // The picture of an own emoji has no character.
    if (present.length > 0 && emoji === undefined) return null
    return {
      type: 'reaction',
      externalId: null,
      at: parseTime(reaction.date) ?? receivedAt,
      from: sender.from,
      providerMessageId: toMessageId(sender.chatId, messageId),
      emoji: emoji === undefined ? null : truncate(emoji, 50),
    }
  },
  // A person who blocks the bot refuses its messages. One who starts or unblocks it accepts them.
  my_chat_member(change, receivedAt) {
    const sender = findSender(change.chat, change.from)
    const status = asObject(change.new_chat_member)?.status
    if (!sender || (status !== 'kicked' && status !== 'member')) return null
    return {
      type: 'marketing_preference',
      externalId: null,
      at: parseTime(change.date) ?? receivedAt,
      from: sender.from,
      accepts: status === 'member',
    }
  },
}

interface Sender {
  chatId: number
  from: ChatIdentity[]
  profileName: string | null
}

/** Null: it is not a private chat with a person. */
function findSender(chat: unknown, user: unknown): Sender | null {
  const from = asObject(user)
  const chatId = asNumber(asObject(chat)?.id)
  if (asObject(chat)?.type !== 'private' || !from || from.is_bot === true) return null
  if (chatId === null || !Number.isSafeInteger(chatId) || chatId <= 0 || from.id !== chatId) return null
  const names = [asText(from.first_name), asText(from.last_name)].filter(name => name !== null)
  return {
    chatId,
    from: [{ kind: 'telegram', value: String(chatId) }],
    profileName: truncate(names.join(' '), 200) || null,
  }
}

/** The phone number that the person shared as their own, which joins both identities. */
function findOwnPhone(message: Json, chatId: number): ChatIdentity[] {
  const contact = asObject(message.contact)
  if (contact?.user_id !== chatId) return []
  const digits = (asText(contact.phone_number) ?? '').replaceAll(/[^\d]/g, '')
  return /^[1-9]\d{6,14}$/.test(digits) ? [{ kind: 'phone', value: `+${digits}` }] : []
}

/** The parameter of a link such as `https://t.me/agency_bot?start=flat-123`. */
function findReferral(message: Json) {
  const parameter = /^\/start ([\w-]{1,64})$/.exec(asText(message.text) ?? '')?.[1]
  return parameter === undefined ? null : { source: 'telegram_link', url: null, headline: parameter }
}

const buttonsMax = 100

function findButtonTitle(message: Json, id: string): string | null {
  const rows = asList(asObject(message.reply_markup)?.inline_keyboard).slice(0, buttonsMax)
  const buttons = rows.flatMap(row => asList(row).slice(0, buttonsMax)).map(asObject)
  const title = asText(buttons.find(button => button?.callback_data === id)?.text)
  return title && truncate(title, 256)
}

const secondsMax = 1e11

function parseTime(value: unknown): Temporal.Instant | null {
  const seconds = asNumber(value)
  if (seconds === null || !Number.isInteger(seconds) || seconds <= 0 || seconds > secondsMax) return null
  return Temporal.Instant.fromEpochMilliseconds(seconds * 1000)
}
