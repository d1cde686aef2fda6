/** What changes about people: their number or user id, and if they accept marketing. */
import type { ChatIdentity, InboundEvent } from '../../chat.ts'
import { asList, asObject, asText, truncate } from '../../graph-kit/json.ts'
import {
  type Change,
  type Emit,
  findPerson,
  indexContacts,
  parseInstant,
  parsePhone,
  parseUserId,
  toIdentities,
} from './change.ts'

const changedTypes = ['user_changed_number', 'customer_changed_number', 'user_changed_user_id']

/** `known`: the identities that the message itself has. */
export function parseSystemMessage(
  message: Record<string, unknown>,
  known: ChatIdentity[],
  base: { externalId: string | null; at: Temporal.Instant },
): InboundEvent {
  const system = asObject(message.system)
  const type = asText(system?.type)
  // A new installation has new keys, but the same number: `customer_identity_changed` needs nothing.
  if (!system || !type || !changedTypes.includes(type))
    return { type: 'ignored', ...base, what: `system: ${truncate(type ?? 'unknown', 100)}` }
  const current = toIdentities(
    parsePhone(system.wa_id) ?? parsePhone(system.new_wa_id),
    parseUserId(system.user_id),
    parseUserId(system.parent_user_id),
  )
  const former = toIdentities(
    ...known,
    parsePhone(system.customer),
    parseUserId(system.previous_user_id),
    parseUserId(system.previous_parent_user_id),
  ).filter(identity => !current.some(({ value }) => value === identity.value))
  return toIdentityChange(former, current, base)
}

/** Graph sent this field before it became a system message. */
export function parseUserIds({ value, externalId, at }: Change, emit: Emit): void {
  const updates = asList(value.user_id_update)
  if (updates.length === 0)
    emit({ type: 'unreadable', externalId, at, reason: 'It has no list of user ids.' })
  for (const item of updates) {
    const update = asObject(item)
    const id = asObject(update?.user_id)
    const parent = asObject(update?.parent_user_id)
    const former = toIdentities(parseUserId(id?.previous), parseUserId(parent?.previous))
    const current = toIdentities(
      parsePhone(update?.wa_id),
      parseUserId(id?.current),
      parseUserId(parent?.current),
    )
    emit(toIdentityChange(former, current, { externalId, at: parseInstant(update?.timestamp) ?? at }))
  }
}

function toIdentityChange(
  former: ChatIdentity[],
  current: ChatIdentity[],
  base: { externalId: string | null; at: Temporal.Instant },
): InboundEvent {
  if (former.length > 0 && current.length > 0) return { type: 'identity_changed', ...base, former, current }
  return { type: 'unreadable', ...base, reason: 'A change of number names no former or no new one.' }
}

export function parsePreferences(change: Change, emit: Emit): void {
  const { value, externalId, at } = change
  const findContact = indexContacts(value)
  const preferences = asList(value.user_preferences)
  if (preferences.length === 0)
    emit({ type: 'unreadable', externalId, at, reason: 'It has no list of preferences.' })
  for (const item of preferences) emit(parsePreference(asObject(item), change, findContact))
}

function parsePreference(
  preference: Record<string, unknown> | null,
  { externalId, at: fallbackAt }: Change,
  findContact: ReturnType<typeof indexContacts>,
): InboundEvent {
  const at = parseInstant(preference?.timestamp) ?? fallbackAt
  const base = { externalId, at }
  const category = asText(preference?.category)
  const choice = asText(preference?.value)
  if (category !== 'marketing_messages' || !choice)
    return { type: 'ignored', ...base, what: `preference: ${truncate(category ?? 'unknown', 100)}` }
  const { identities } = findPerson(
    { phone: preference?.wa_id, userId: preference?.user_id, parentId: preference?.parent_user_id },
    findContact,
  )
  if (identities.length === 0) return { type: 'unreadable', ...base, reason: 'A preference names no person.' }
  // `resume` and `signup` accept. Anything else, also what is new, counts as a refusal.
  const accepts = choice === 'resume' || choice === 'signup'
  return { type: 'marketing_preference', ...base, from: identities, accepts }
}
