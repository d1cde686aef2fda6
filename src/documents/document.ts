/** A document, such as the report of a valuation, which is rendered as an HTML page or a PDF. */
import type { Section } from './blocks.ts'

export interface Document {
  /** A BCP 47 tag. */
  locale: string
  title: string
  /** Lines below the title. */
  subtitles: string[]
  branding: Branding
  sections: Section[]
  /** Printed on every page. */
  footNote: string
  issuedOn: Temporal.PlainDate
}

/**
 * Makes a document. `toVisible` must be applied to all text of users and sources. It removes the characters that the
 * output format cannot show (a PDF shows fewer than an HTML page), and returns '' if nothing is left.
 */
export type MakeDocument = (toVisible: (text: string) => string) => Document

/** The branding of an agency. Null fields are not printed. */
export interface Branding {
  name: string | null
  /** `#rrggbb`; null or another format: a default blue. */
  color: string | null
  /** A PNG, JPEG or SVG, as bytes or as a base64 `data:` URL. Anything else is not printed. */
  logo: string | Uint8Array | null
  phone: string | null
  email: string | null
  website: string | null
}
