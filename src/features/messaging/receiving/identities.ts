/** The names of people at providers, and the identifiers of leads that they are. */
import { createHash } from 'node:crypto'
import { type Identifier, toIdentifier } from '../../../domain/contact/identifiers.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import { type ChatIdentity, type IdentityKind, identityKinds } from '../../../plugins/chat.ts'

/** A person has few names; a hostile sender could bring any number. */
const identitiesMax = 10
const valueMax = 254

/** Ids that a provider never gives to somebody else. Phone numbers and addresses get new owners. */
export const stableKinds: readonly IdentityKind[] = ['bsuid', 'telegram', 'sandbox']

/** The valid names, each once, in one notation. */
export function toValidIdentities(identities: readonly ChatIdentity[]): ChatIdentity[] {
  const valid = identities.slice(0, identitiesMax).flatMap(({ kind, value }) => {
    const normalized = normalizeValue(kind, value)
    return normalized === null ? [] : [{ kind, value: normalized }]
  })
  return [...new Map(valid.map(identity => [formatIdentity(identity), identity])).values()]
}

function normalizeValue(kind: IdentityKind, value: string): string | null {
  if (value.length > valueMax) return null
  const written = sanitizeText(value).replace(/\s+/g, ' ').trim()
  if (kind === 'phone') return /^\+[1-9]\d{4,14}$/.test(written) ? written : null
  if (kind === 'email') return toIdentifier('email', written, 'ES')?.value ?? null
  return written === '' ? null : written
}

/** `kind:value`. */
export const formatIdentity = ({ kind, value }: ChatIdentity): string => `${kind}:${value}`

/** The identifiers of a lead with these names. A chat is `kind:value`. */
export function toLeadIdentifiers(identities: readonly ChatIdentity[]): Identifier[] {
  return identities.map(identity =>
    identity.kind === 'phone' || identity.kind === 'email'
      ? { kind: identity.kind, value: identity.value }
      : { kind: 'chat', value: formatIdentity(identity) },
  )
}

/** The names that these identifiers of leads may be. A WhatsApp chat is a phone number. */
export function toIdentities(identifiers: readonly string[]): ChatIdentity[] {
  const found = identifiers.flatMap((value): ChatIdentity[] => {
    if (value.startsWith('+')) return [{ kind: 'phone', value }]
    const [, provider, id] = /^([a-z][a-z0-9_-]*):(.+)$/s.exec(value) ?? []
    if (!provider || !id) return value.includes('@') ? [{ kind: 'email', value }] : []
    if (provider === 'whatsapp') return /^\d+$/.test(id) ? [{ kind: 'phone', value: `+${id}` }] : []
    const kind = identityKinds.find(kind => kind === provider)
    return kind ? [{ kind, value: id }] : []
  })
  return [...new Map(found.map(identity => [formatIdentity(identity), identity])).values()]
}

/** Longer ids, which an index can't hold, are stored as their hash. */
const providerIdMaxBytes = 500

/** The stored form of a provider's message id. */
export function toStoredProviderId(id: string): string {
  const clean = sanitizeText(id)
  return Buffer.byteLength(clean) <= providerIdMaxBytes
    ? clean
    : `sha256:${createHash('sha256').update(clean).digest('hex')}`
}
