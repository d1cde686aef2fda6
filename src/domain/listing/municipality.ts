/** The municipality in what pages write as one: in Portugal some write the civil parish, or the union of parishes, inside it. */
import { plainWords } from '../plain-words.ts'

const PARISH = /^(?:uniao (?:d[ae]s? )?freguesias|u\.? ?f\.? d|u\. ?f\.|freguesia d|junta de freguesia)/
/** `Cascais, Lisboa`, `Cascais (União …)`, `Cascais - União …`. */
const PARTS = /,|[()]|\s[-–—/]\s/

/**
 * `União das freguesias de Cascais e Estoril, Cascais` is Cascais; a parish alone does not say in which municipality it lies.
 * Places are written from the smallest to the largest, or the other way round: the parish stands beside its municipality.
 */
export function municipalityIn(text: string): string | null {
  if (text.length > MAX_LENGTH || !PARISH_WITHIN.test(plainWords(text))) return text
  const parts = text.split(PARTS).flatMap(part => part.trim() || [])
  const last = parts.findLastIndex(isParish)
  if (last === -1) return text
  return parts[last + 1] ?? parts.findLast(part => !isParish(part)) ?? null
}

export function isParish(text: string): boolean {
  return PARISH.test(plainWords(text).trim())
}

/** No place is called as long as this. */
const MAX_LENGTH = 300
const PARISH_WITHIN = /freguesia|\bu\.? ?f\.? ?d|\bu\. ?f\./
