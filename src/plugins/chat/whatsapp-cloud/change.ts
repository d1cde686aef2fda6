/** A change in a webhook body, and the parts that most changes share. */
import type { ChatIdentity, InboundEvent } from '../../chat.ts'
import { asList, asNumber, asObject, asText } from '../../graph-kit/json.ts'

export interface Change {
  field: string
  value: Record<string, unknown>
  /** The phone number id; null: the change names no number. */
  externalId: string | null
  /** The business account. */
  groupId: string | null
  /** The time of the entry, or when the body was received. */
  at: Temporal.Instant
}

export type Emit = (event: InboundEvent) => void

const firstSecond = 0
const lastSecond = 4_102_444_800

/** Unix time in seconds, as a text or a number; null: it is not a time before 2100. */
export function parseInstant(value: unknown): Temporal.Instant | null {
  const seconds = asNumber(value)
  if (seconds === null || seconds <= firstSecond || seconds >= lastSecond) return null
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(seconds * 1000))
}

/** WhatsApp writes phones without a plus sign. */
export function parsePhone(value: unknown): ChatIdentity | null {
  const digits = asText(value)?.replace(/^\+/, '')
  return digits && /^[1-9]\d{6,14}$/.test(digits) ? { kind: 'phone', value: `+${digits}` } : null
}

/** Two letters of a country, a point and up to 128 letters and digits; parents have `ENT.` after the country. */
export function parseUserId(value: unknown): ChatIdentity | null {
  const id = asText(value)
  return id && /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/.test(id) ? { kind: 'bsuid', value: id } : null
}

/** The identities that are known, each once, in this order. */
export function toIdentities(...found: (ChatIdentity | null)[]): ChatIdentity[] {
  const identities = new Map<string, ChatIdentity>()
  for (const identity of found) if (identity) identities.set(identity.kind + identity.value, identity)
  return [...identities.values()]
}

export interface Contact {
  phone: ChatIdentity | null
  userId: ChatIdentity | null
  parentId: ChatIdentity | null
  name: string | null
}

const nobody: Contact = { phone: null, userId: null, parentId: null, name: null }
const nameMax = 200

/** Finds the contact of a person by phone or user id. A body with one contact is about this one. */
export type FindContact = (phone: ChatIdentity | null, userId: ChatIdentity | null) => Contact

export function indexContacts(value: Record<string, unknown>): FindContact {
  const contacts = asList(value.contacts).map(toContact)
  const byId = new Map<string, Contact>()
  for (const contact of contacts) {
    if (contact.phone) byId.set(contact.phone.value, contact)
    if (contact.userId) byId.set(contact.userId.value, contact)
  }
  return (phone, userId) => {
    const found = byId.get(phone?.value ?? '') ?? byId.get(userId?.value ?? '')
    if (found) return found
    // A phone that differs from the only contact is that of somebody else, such as in a group.
    const [only] = contacts
    return contacts.length === 1 && only && !(phone && only.phone) ? only : nobody
  }
}

function toContact(item: unknown): Contact {
  const contact = asObject(item)
  const profile = asObject(contact?.profile)
  return {
    phone: parsePhone(contact?.wa_id),
    userId: parseUserId(contact?.user_id),
    parentId: parseUserId(contact?.parent_user_id),
    name: (asText(profile?.name) ?? asText(profile?.username))?.slice(0, nameMax) ?? null,
  }
}

/** All names of a person: of the update itself, then of its contact. */
export function findPerson(
  ids: { phone: unknown; userId: unknown; parentId: unknown },
  findContact: FindContact,
): { identities: ChatIdentity[]; name: string | null } {
  const phone = parsePhone(ids.phone)
  const userId = parseUserId(ids.userId)
  const contact = findContact(phone, userId)
  const identities = toIdentities(
    phone,
    contact.phone,
    userId,
    contact.userId,
    parseUserId(ids.parentId),
    contact.parentId,
  )
  return { identities, name: contact.name }
}
