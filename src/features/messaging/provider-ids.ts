/** The ids that providers give to messages. */
import { createHash } from 'node:crypto'
import { sanitizeText } from '../../kit/sanitize-text.ts'

/** Longer ids, which an index can't hold, are stored as their hash. */
const bytesMax = 500

/** The stored form of a provider's message id. */
export function toStoredProviderId(id: string): string {
  const clean = sanitizeText(id)
  return Buffer.byteLength(clean) <= bytesMax
    ? clean
    : `sha256:${createHash('sha256').update(clean).digest('hex')}`
}
