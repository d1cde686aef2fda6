/** The texts of digests, and of the page that ends them. */
import type { ChangeType } from '../campaigns/notification-schemas.ts'
import type { goneReasons } from '../searches/schemas.ts'

export interface DigestWords {
  /** BCP 47, for prices. */
  locale: string
  /** Headings, and with a count the subject: `New: 3`. */
  types: Record<ChangeType, string>
  returned: string
  reasons: Record<(typeof goneReasons)[number], string>
  /** `price`: formatted. */
  before: (price: string) => string
  /** Changes that the e-mail leaves out. */
  more: (count: number) => string
  why: (search: string) => string
  stop: string
  page: {
    title: string
    question: (search: string) => string
    button: string
    done: string
    again: string
  }
}
