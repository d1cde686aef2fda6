/** The municipality in what pages write as one: in Portugal some write the civil parish, or the union of parishes, inside it. */
import { toPlainWords } from '../plain-words.ts'

const parishPattern =
  /^(?:uniao (?:d[ae]s? )?freguesias|u\.? ?f\.? d|u\. ?f\.|freguesia d|junta de freguesia)/
/** `Cascais, Lisboa`, `Cascais (União …)`, `Cascais - União …`. */
const partSeparator = /,|[()]|\s[-–—/]\s/

/**
 * `União das freguesias de Cascais e Estoril, Cascais` is Cascais; a parish alone does not say in which municipality it lies.
 * Places are written from the smallest to the largest, or the other way round: the parish stands beside its municipality.
 */
export function parseMunicipality(text: string): string | null {
  if (text.length > lengthMax || !parishPrefixPattern.test(toPlainWords(text))) return text
  const parts = text.split(partSeparator).flatMap(part => part.trim() || [])
  const last = parts.findLastIndex(isParish)
  if (last === -1) return text
  return parts[last + 1] ?? parts.findLast(part => !isParish(part)) ?? null
}

export function isParish(text: string): boolean {
  return parishPattern.test(toPlainWords(text).trim())
}

/** No place is called as long as this. */
const lengthMax = 300
const parishPrefixPattern = /freguesia|\bu\.? ?f\.? ?d|\bu\. ?f\./
