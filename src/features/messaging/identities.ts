/** The identities of a person at a provider, and the identifiers of leads that they are. */
import type { Identifier } from '../../domain/contact/identifiers.ts'
import { isRecentAnswer } from '../../domain/messaging/reply-window.ts'
import {
  type ChatCapabilities,
  type ChatIdentity,
  type IdentityKind,
  identityKinds,
} from '../../plugins/chat.ts'

/** The identifiers of a lead with these identities. A chat is `kind:value`. */
export const toContactIdentifiers = (identities: readonly ChatIdentity[]): Identifier[] =>
  identities.map(({ kind, value }) =>
    kind === 'phone' || kind === 'email' ? { kind, value } : { kind: 'chat', value: `${kind}:${value}` },
  )

/** The identifiers of a lead with this identity, in every notation. */
export const toLeadValues = ({ kind, value }: ChatIdentity): string[] =>
  kind === 'phone'
    ? [value, `whatsapp:${value.slice(1)}`]
    : toContactIdentifiers([{ kind, value }]).map(identifier => identifier.value)

/** The identities that these identifiers of a lead may be. A WhatsApp chat is a phone. */
export function toIdentities(identifiers: readonly string[]): ChatIdentity[] {
  return identifiers.flatMap((value): ChatIdentity[] => {
    if (value.startsWith('+')) return [{ kind: 'phone', value }]
    const [, prefix, id] = /^([a-z][a-z0-9_-]*):(.+)$/s.exec(value) ?? []
    if (!prefix || !id) return value.includes('@') ? [{ kind: 'email', value }] : []
    if (prefix === 'whatsapp') return /^\d+$/.test(id) ? [{ kind: 'phone', value: `+${id}` }] : []
    const kind = identityKinds.find(known => known === prefix)
    return kind ? [{ kind, value: id }] : []
  })
}

/** The identities among the identifiers of a lead to which a provider can send, the best first, each once. */
export function selectIdentities(
  identifiers: readonly string[],
  accepted: readonly IdentityKind[],
): ChatIdentity[] {
  const all = toIdentities(identifiers)
  const byKey = new Map(all.map(identity => [formatIdentity(identity), identity]))
  return accepted.flatMap(kind => [...byKey.values()].filter(identity => identity.kind === kind))
}

/** An identity of a conversation. */
export interface KnownIdentity extends ChatIdentity {
  /** ISO 8601: when the person last wrote with it; null: never. */
  lastInboundAt: string | null
}

type Recipients = Pick<ChatCapabilities, 'identities' | 'replyWindowHours'>

const selectAccepted = <Identity extends ChatIdentity>(
  identities: readonly Identity[],
  accepted: readonly IdentityKind[],
): Identity[] => accepted.flatMap(kind => identities.filter(identity => identity.kind === kind))

/** True if the provider can send to one of these identities. */
export const hasRecipient = (
  identities: readonly ChatIdentity[],
  accepted: readonly IdentityKind[],
): boolean => selectAccepted(identities, accepted).length > 0

/** When the person last wrote with an identity to which the provider can send: the reply window begins then. Null: never. */
export function getWindowStart(
  identities: readonly KnownIdentity[],
  accepted: readonly IdentityKind[],
): Date | null {
  const times = selectAccepted(identities, accepted).flatMap(({ lastInboundAt }) => lastInboundAt ?? [])
  const last = times.sort().at(-1)
  return last === undefined ? null : new Date(last)
}

/**
 * The identities of a conversation to which a provider can send, the best first. Who wrote lately is answered where they
 * wrote: the reply window is that of this identity. `identities`: the last seen first.
 */
export function selectRecipients(
  identities: readonly KnownIdentity[],
  { identities: accepted, replyWindowHours }: Recipients,
  now: Date,
): ChatIdentity[] {
  const all = selectAccepted(identities, accepted)
  const start = getWindowStart(identities, accepted)
  const isAnswered = ({ lastInboundAt }: KnownIdentity) =>
    start !== null && lastInboundAt !== null && new Date(lastInboundAt).getTime() === start.getTime()
  const sorted = isRecentAnswer(start, replyWindowHours, now)
    ? [...all.filter(isAnswered), ...all.filter(each => !isAnswered(each))]
    : all
  return sorted.map(({ kind, value }) => ({ kind, value }))
}

/** Ids that a provider never gives to somebody else. Phone numbers and addresses get new owners. */
export const stableKinds: readonly IdentityKind[] = ['bsuid', 'telegram', 'sandbox']

/** `kind:value`. */
export const formatIdentity = ({ kind, value }: ChatIdentity): string => `${kind}:${value}`

/** What the kinds are called. */
const kindWords: Record<IdentityKind, string> = {
  phone: 'phone number',
  bsuid: 'WhatsApp user id',
  telegram: 'Telegram chat',
  email: 'e-mail address',
  sandbox: 'sandbox chat',
}

/** Such as `phone number or e-mail address`. */
export const formatKinds = (kinds: readonly IdentityKind[]): string =>
  kinds.map(kind => kindWords[kind]).join(' or ')

export const toInstant = (time: Date | null): Temporal.Instant | null => time?.toTemporalInstant() ?? null
