/** The words of messages in the index for searches. */
import { toSearchWords } from '../../domain/search-words.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'

/** Only the beginning of a longer text is searched. The text of a message is short, but an e-mail may be long. */
const searchedCharactersMax = 20_000

/**
 * The first four characters of each word, from the end of the tenant's id, so that the index finds the messages of one
 * tenant. With the tenant as a column of its own, a GIN index would look up each of them among all messages of the
 * tenant. Tenants that share a prefix see only their own rows.
 */
export const toWordPrefix = (tenantId: string): string =>
  Buffer.from(tenantId.slice(-6), 'hex').toString('base64url')

const toWords = (tx: Tx, text: string): string[] => {
  const prefix = toWordPrefix(getTenantId(tx))
  return toSearchWords(text).map(word => `${prefix}${word}`)
}

/** The words of a text as a tsvector; empty: it has none. */
export const toDocument = (tx: Tx, text: string): string =>
  [...new Set(toWords(tx, text.slice(0, searchedCharactersMax)))].join(' ')

/** The words of a search as parts of a tsquery. The last one may be incomplete. */
export const toQueryWords = (tx: Tx, q: string): string[] =>
  toWords(tx, q).map((word, index, { length }) => `'${word}'${index === length - 1 ? ':*' : ''}`)
