/** Messages of people, and messages that the owner sent with the business app. */
import type { ChatIdentity, InboundEvent } from '../../chat.ts'
import { asList, asObject, asText, truncate } from '../../graph-kit/json.ts'
import { type Change, type Emit, findPerson, indexContacts, parseInstant } from './change.ts'
import { parseContent } from './parse-content.ts'
import { parseSystemMessage } from './parse-people.ts'

const idMax = 500

export function parseMessages(change: Change, emit: Emit): void {
  const { value, externalId, at } = change
  const findContact = indexContacts(value)
  const bodyErrors = asList(value.errors)
  const messages = asList(value.messages)
  if (messages.length === 0)
    emit({ type: 'unreadable', externalId, at, reason: 'Its messages are not a list.' })
  for (const item of messages) {
    const message = asObject(item)
    if (!message) emit({ type: 'unreadable', externalId, at, reason: 'A message is not an object.' })
    else {
      const ids = { phone: message.from, userId: message.from_user_id, parentId: message.from_parent_user_id }
      const person = message.type === 'system' ? noContact(ids) : findPerson(ids, findContact)
      emit(parseMessage({ message, person, change, bodyErrors, isEcho: false }))
    }
  }
}

/** A system message has the former number in `from`, which no contact describes. */
const noContact = (ids: Parameters<typeof findPerson>[0]) =>
  findPerson(ids, () => ({ phone: null, userId: null, parentId: null, name: null }))

/** In an echo the person is the recipient. */
export function parseEchoes(change: Change, emit: Emit): void {
  const { value, externalId, at } = change
  const findContact = indexContacts(value)
  const echoes = asList(value.message_echoes)
  if (echoes.length === 0) emit({ type: 'unreadable', externalId, at, reason: 'It has no list of echoes.' })
  for (const item of echoes) {
    const message = asObject(item)
    if (!message) emit({ type: 'unreadable', externalId, at, reason: 'An echo is not an object.' })
    else if (message.type === 'reaction')
      emit({ type: 'ignored', externalId, at, what: 'a reaction of the business app' })
    else {
      const ids = { phone: message.to, userId: message.to_user_id, parentId: message.to_parent_user_id }
      const person = findPerson(ids, findContact)
      emit(parseMessage({ message, person, change, bodyErrors: [], isEcho: true }))
    }
  }
}

interface RawMessage {
  message: Record<string, unknown>
  person: { identities: ChatIdentity[]; name: string | null }
  change: Change
  /** Errors of the whole body, which explain a message without content. */
  bodyErrors: unknown[]
  isEcho: boolean
}

function parseMessage(raw: RawMessage): InboundEvent {
  const { message, person, change, bodyErrors, isEcho } = raw
  const { externalId } = change
  const unreadable = (reason: string): InboundEvent => ({
    type: 'unreadable',
    externalId,
    at: change.at,
    reason,
  })
  const type = asText(message.type)
  if (asText(message.group_id))
    return { type: 'ignored', externalId, at: change.at, what: 'a message in a group' }
  if (type === 'request_welcome')
    return { type: 'ignored', externalId, at: change.at, what: 'a person opened the chat' }
  const id = parseId(message.id)
  const at = parseInstant(message.timestamp) ?? change.at
  if (!type || !id) return unreadable('A message has no type or id.')
  if (type === 'system') return parseSystemMessage(message, person.identities, { externalId, at })
  if (person.identities.length === 0) return unreadable('A message names no person.')
  const from = person.identities
  const base = { externalId, at, from }
  switch (type) {
    case 'reaction': {
      const reaction = asObject(message.reaction)
      const providerMessageId = parseId(reaction?.message_id)
      if (!providerMessageId) return unreadable('A reaction names no message.')
      const emoji = asText(reaction?.emoji)
      return { type: 'reaction', ...base, providerMessageId, emoji: emoji && truncate(emoji, 32) }
    }
    case 'revoke': {
      const providerMessageId = parseId(asObject(message.revoke)?.original_message_id)
      if (!providerMessageId) return unreadable('A deletion names no message.')
      return { type: 'deleted', ...base, providerMessageId }
    }
    case 'edit': {
      const edit = asObject(message.edit)
      const providerMessageId = parseId(edit?.original_message_id)
      const edited = asObject(edit?.message)
      if (!providerMessageId || !edited)
        return unreadable('An edited message names no message or has no content.')
      return { type: 'edited', ...base, providerMessageId, content: parseContent(edited, []) }
    }
    default:
      return {
        type: 'message',
        ...base,
        providerMessageId: id,
        profileName: person.name,
        content: parseContent(message, bodyErrors),
        replyTo: parseId(asObject(message.context)?.id),
        email: null,
        referral: isEcho ? null : parseReferral(message.referral),
        nature: 'person',
        isEcho,
      }
  }
}

export function parseId(value: unknown): string | null {
  const id = asText(value)
  return id && id.length <= idMax ? id : null
}

function parseReferral(
  value: unknown,
): { source: string; url: string | null; headline: string | null } | null {
  const referral = asObject(value)
  if (!referral) return null
  const url = asText(referral.source_url)
  const headline = asText(referral.headline)
  return {
    source: truncate(asText(referral.source_type) ?? 'ad', 100),
    url: url && truncate(url, 2000),
    headline: headline && truncate(headline, 500),
  }
}
