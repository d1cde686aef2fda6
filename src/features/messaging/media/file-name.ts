/** The names of files, as people see and save them. */
import { sanitizeText } from '../../../kit/sanitize-text.ts'

/** Marks that show a name in another order, so that a program looks like a document. */
const direction = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** The name without characters that disguise it or lead to another folder; null: nothing is left. */
export function toFileName(name: string | null): string | null {
  if (name === null) return null
  const shown = sanitizeText(name)
    .replace(direction, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[/\\]/g, '-')
    .trim()
  return shown === '' ? null : shown
}
