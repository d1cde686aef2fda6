/** Finds people in texts, for erasure and access requests. */
import { type RawBuilder, sql } from 'kysely'

/** The signs that may stand around an address, such as those of bold and italic words. */
const aroundAddress = ".:!?*_~'[]{}«»“”‘’"

/**
 * Makes an SQL condition: a text equals one of `words`, or contains one of `identifiers` as a word. A simple regular
 * expression before each search rules out most texts quickly. Phone numbers are compared by their last nine digits,
 * because people write them with and without the country code, and in groups.
 */
export function containsAny(words: string[], identifiers: string[]) {
  const lower = (values: string[]) => values.map(value => value.toLowerCase())
  const [phones, others] = [identifiers.filter(isPhone), identifiers.filter(value => !isPhone(value))]
  return (text: RawBuilder<unknown>) => sql`coalesce(
    lower(btrim(${text})) = any(${lower([...words, ...identifiers])}::text[])
    or case when ${text} ~ '[@:+]' then exists (
      select from regexp_split_to_table(lower(${text}), '[\\s,;<>()"]+') word
      where rtrim(word, '.:!?') = any(${lower(others)}::text[])
        or replace(btrim(word, ${aroundAddress}), 'mailto:', '') = any(${lower(others)}::text[])) else false end
    or case when ${text} ~ '([0-9][^[:alnum:],;]*){9}' then exists (
      select from (select translate(${text}, translate(${text}, '0123456789', ''), '') as digits offset 0) phone,
        generate_series(1, length(digits) - 8) at
      where substr(digits, at, 9) = any(${phones.map(value => value.slice(-9))}::text[])) else false end, false)`
}

function isPhone(identifier: string): boolean {
  return /^\+\d{9,}$/.test(identifier)
}
