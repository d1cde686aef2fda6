/** Extracts the municipality. In Portugal some pages state the civil parish, or the union of parishes, instead. */
import { toPlainWords } from '../plain-words.ts'

const parishPattern =
  /^(?:uniao (?:d[ae]s? )?freguesias|u\.? ?f\.? d|u\. ?f\.|freguesia d|junta de freguesia)/
/** `Cascais, Lisboa`, `Cascais (União …)`, `Cascais - União …`. */
const partSeparator = /,|[()]|\s[-–—/]\s/

/**
 * Returns Cascais for `União das freguesias de Cascais e Estoril, Cascais`, and null for a parish alone. Places are
 * written from the smallest to the largest or the other way round, so the municipality is next to the parish.
 */
export function parseMunicipality(text: string): string | null {
  if (text.length > lengthMax || !parishMentionPattern.test(toPlainWords(text))) return text
  const parts = text.split(partSeparator).flatMap(part => part.trim() || [])
  const last = parts.findLastIndex(isParish)
  if (last === -1) return text
  return parts[last + 1] ?? parts.findLast(part => !isParish(part)) ?? null
}

export function isParish(text: string): boolean {
  return parishPattern.test(toPlainWords(text).trim())
}

/** Maximum length of a place name. */
const lengthMax = 300
const parishMentionPattern = /freguesia|\bu\.? ?f\.? ?d|\bu\. ?f\./
