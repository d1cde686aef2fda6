/** The identities of people as providers send them. */
import { toIdentifier } from '../../../domain/contact/identifiers.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import type { ChatIdentity, IdentityKind } from '../../../plugins/chat.ts'
import { formatIdentity } from '../identities.ts'

/** A person has few identities; a hostile sender could bring any number. */
const identitiesMax = 10
const valueMax = 254

/** The valid identities, each once, in one notation. */
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
