/** The municipality in what pages write as one: in Portugal some write the civil parish, or the union of parishes, inside it. */
import { plainWords } from './plain-words.ts'

const PARISH = /^(?:uniao (?:d[ae]s? )?freguesias|u\.? ?f\.? d|freguesia d|junta de freguesia)/

/** `União das freguesias de Cascais e Estoril, Cascais` is Cascais; a parish alone does not say in which municipality it lies. */
export function municipalityIn(text: string): string | null {
  if (!isParish(text)) return text
  const parts = text.split(',').map(part => part.trim())
  return parts.findLast(part => part !== '' && !isParish(part)) ?? null
}

export function isParish(text: string): boolean {
  return PARISH.test(plainWords(text).trim())
}
