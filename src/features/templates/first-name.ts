/** The first name of a person. */

/** Titles in nine languages, without full stops. */
const titles = new Set(
  'sr sra srta don doña dña d da sres senyor senyora jaun senhor senhora dr dra dott sig sigra ing mr mrs ms miss m mme mlle monsieur madame herr frau'.split(
    ' ',
  ),
)

/** Returns the first word of a name that is no title; null: it is an initial, a family name or no name at all. */
export function toFirstName(name: string | null): string | null {
  if (name === null) return null
  // "Soler, Marta" has the first name last.
  const [start = '', end = ''] = name.split(',', 2)
  const all = (end.trim() || start).trim().split(/\s+/)
  const words = all.filter(word => !titles.has(word.toLowerCase().replaceAll('.', '')))
  const first = words[0]
  // "Sra. Soler" has no first name.
  if (first === undefined || (words.length === 1 && all.length > 1)) return null
  if (!/^\p{L}[\p{L}\p{M}'’·-]+$/u.test(first)) return null
  return first === first.toUpperCase() ? first[0]! + first.slice(1).toLowerCase() : first
}
