/** A document: what a page and a PDF are written from, such as the report of a valuation. */
import type { Section } from './blocks.ts'

export interface Document {
  /** BCP 47. */
  locale: string
  title: string
  /** Below the title. */
  subtitles: string[]
  branding: Branding
  sections: Section[]
  /** On every page. */
  footNote: string
  issuedOn: Temporal.PlainDate
}

/**
 * Makes a document. `toVisible`: what can be shown of a text that a person or a source wrote; '' if nothing can. A PDF can show less
 * than a page can.
 */
export type MakeDocument = (toVisible: (text: string) => string) => Document

/** Of the agency. What is null is not printed. */
export interface Branding {
  name: string | null
  /** `#rrggbb`; what is not written so, or null: a quiet blue. */
  color: string | null
  /** A PNG, a JPEG or an SVG, as bytes or as a base64 `data:` URL. What is none of them is not printed. */
  logo: string | Uint8Array | null
  phone: string | null
  email: string | null
  website: string | null
}
