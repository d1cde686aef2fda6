/** Searches conversations by the numbers, addresses and ids of their people: a person without a lead has nothing else. */
import { type RawBuilder, sql } from 'kysely'

/** Part of an address or an id. */
const identity = /^(?=.{4})\S*[@\d]\S*$/
const lastCharacter = '\u{10ffff}'

/** SQL: an identity `i` begins as the text does. `phoneDigits`: the text is one of these phones. */
export function toIdentityCondition(q: string, phoneDigits: string[]): RawBuilder<unknown> {
  const text = q.trim()
  const beginnings = new Set([
    ...phoneDigits.map(digits => `+${digits}`),
    ...(identity.test(text) ? [text, text.toLowerCase()] : []),
  ])
  // Unlike `like`, these operators use the index also for values that are not known when the statement is planned.
  const conditions = [...beginnings].map(
    beginning => sql`(i.value ~>=~ ${beginning} and i.value ~<~ ${beginning + lastCharacter})`,
  )
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`
}
