/**
 * Parses numbers as people write them. The position of separators, not the country, decides between thousands and
 * decimals.
 */

/** One number in running text, with dots, commas, apostrophes or any kind of space as thousands separator. */
export const numberPattern = "\\d+(?:[.,'’ \\u00a0\\u2009\\u202f]\\d+)*"

/**
 * Parses one number (`1.234,56`, `1,234.56`, `1 234`, `1'234`, `86,5`, `12,34,567`); null if the form is invalid. A
 * single separator before exactly three digits separates thousands: `1.250` is 1250, also in English, because money and
 * areas are not written with three decimals. The exception is `0.125`, because thousands do not start with 0. Before
 * any other number of digits it is the decimal separator.
 */
export function parseLocalNumber(text: string): number | null {
  const compact = text.trim().replace(/(\d)['’ \u00a0\u2009\u202f](?=\d{3}(?!\d))/g, '$1')
  if (!/^\d+(?:[.,]\d+)*$/.test(compact)) return null
  const separators = compact.match(/[.,]/g) ?? []
  const last = separators.at(-1)
  if (last === undefined) return Number(compact)
  const separatorIndex = compact.lastIndexOf(last)
  const decimals = compact.length - separatorIndex - 1
  const isSingle = separators.filter(separator => separator === last).length === 1
  const hasOneKind = separators.length === 1 || !isSingle
  const isDecimal = isSingle && !(hasOneKind && decimals === 3 && !/^0\d*[.,]/.test(compact))
  if (!isDecimal)
    return separators.every(separator => separator === last) ? parseThousands(compact, last) : null
  // With two kinds of separators, the last one is the decimal separator; three digits after it would be ambiguous.
  if (!hasOneKind && decimals === 3) return null
  const whole = compact.slice(0, separatorIndex)
  const thousands = separators.length === 1 ? Number(whole) : parseThousands(whole, separators[0]!)
  return thousands === null ? null : Number(`${thousands}.${compact.slice(separatorIndex + 1)}`)
}

/** `1.234.567`, or the Indian `12,34,567`: the last group has three digits, the others have three or two throughout. */
function parseThousands(text: string, separator: string): number | null {
  const [first = '', ...groups] = text.split(separator)
  const last = groups.pop()
  const size = groups[0]?.length ?? 3
  const isRegular =
    groups.every(group => group.length === size) && (size === 3 || (size === 2 && separator === ','))
  if (last?.length !== 3 || !isRegular || first.length > size || first.startsWith('0')) return null
  return Number(text.replaceAll(separator, ''))
}
