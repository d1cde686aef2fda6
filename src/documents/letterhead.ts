/** The letterhead on the first page: the agency and its contacts. */
import type { Branding } from './document.ts'

export interface Letterhead {
  agency: string | null
  contacts: string[]
}

export function toLetterhead(branding: Branding, toVisible: (text: string) => string): Letterhead {
  const visible = (text: string | null) => (text !== null && toVisible(text) !== '' ? [toVisible(text)] : [])
  return {
    agency: visible(branding.name)[0] ?? null,
    contacts: [branding.phone, branding.email, branding.website].flatMap(visible),
  }
}
