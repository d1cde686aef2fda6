/** Which statements are prepared under a name, so that they are parsed and planned once per connection. Decision 10 says why. */

import { sql } from 'kysely'

/** Put this into a statement to have it planned for its values each time, if one plan does not suit all values. */
export const customPlan = '/* custom plan */'

/**
 * Put this into a statement that has only one good plan, whatever its tables hold: it inserts given rows, or finds rows by a whole
 * key. Readers prepare it even with lists; writers prepare no others.
 */
export const fixedPlan = sql.raw('/* fixed plan */')
const isFixed = (text: string) => text.includes('/* fixed plan */')

const statementNames = new Map<string, string>()
// The program has fewer distinct statements; more would fill the server's memory with plans.
const statementNamesMax = 2000

/**
 * Returns the name under which a reader prepares a statement; undefined if it does not: too many statements, or an array parameter.
 * A generic plan for arrays, made while the table was small, read all rows of a tenant for an array of thirty (measured: 3.8 ms
 * instead of 0.1 with 3,000 rows, and growing).
 */
export function getReaderName(text: string, values: readonly unknown[]): string | undefined {
  if (isFixed(text)) return getName(text)
  return values.some(Array.isArray) || text.includes(customPlan) ? undefined : getName(text)
}

/**
 * Returns the name under which a writer prepares a statement. Others get no name, because a plan made for a small table would be
 * kept after the table has grown (measured: an extraction became three times slower).
 */
export const getWriterName = (text: string): string | undefined => (isFixed(text) ? getName(text) : undefined)

function getName(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known || statementNames.size >= statementNamesMax) return known
  const name = `a${statementNames.size}`
  statementNames.set(text, name)
  return name
}
