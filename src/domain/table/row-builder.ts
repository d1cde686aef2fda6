/** A lead while its row is read: where each cell's value goes, and what could not be read. */

import type { Operation } from '../listing/listing.ts'
import type { SharedSign } from '../listing/money.ts'
import type { ImportedLead, ImportedProperty, RowProblem } from './imported-lead.ts'
import { UnreadableValue } from './unreadable-value.ts'

/** The lists are there from the start. */
type SingleValue = Exclude<keyof ImportedProperty, 'features' | 'images'>

export interface ColumnPrice {
  column: string
  text: string
  amount: number
  currency: string | null
  /** A sign that several currencies share. */
  sign: SharedSign | null
}

export class RowBuilder {
  readonly lead: ImportedLead = {
    contact: { phones: [], emails: [] },
    property: { features: [], images: [] },
    tags: [],
    customFields: {},
  }
  readonly problems: RowProblem[] = []
  readonly firstNames: string[] = []
  readonly lastNames: string[] = []
  /** The number of the house, which stands in a column of its own. */
  streetNumber = ''
  /** Where a table has a column for each. */
  readonly prices: Partial<Record<Operation, ColumnPrice>> = {}
  /** Custom fields with their types, beside the columns that have them as text. */
  readonly typedFields: [name: string, value: unknown][] = []
  /** A currency that was stated and is not plain: a sign of several, or, null, none at all. The first counts. */
  statedCurrency: { sign: SharedSign | null; text: string; column: string } | null = null
  /** The heading of the column that is read. */
  column = ''

  report(value: string, { code, message }: UnreadableValue): void {
    this.problems.push({ column: this.column, value: value.slice(0, 200), code, message })
  }

  stateCurrency(text: string, sign: SharedSign | null): void {
    this.statedCurrency ??= { sign, text: text.slice(0, 200), column: this.column }
  }

  /** Keeps the value unless it could not be read, or another column has given another. */
  property<K extends SingleValue>(
    name: K,
    text: string,
    value: ImportedProperty[K] | UnreadableValue | null,
  ): void {
    if (value instanceof UnreadableValue) this.report(text, value)
    else if (value !== null)
      this.setOnce(this.lead.property, name, value as NonNullable<ImportedProperty[K]>, text)
  }

  setOnce<T extends object, K extends keyof T>(
    target: T,
    name: K,
    value: NonNullable<T[K]>,
    text: string,
  ): void {
    const current = target[name]
    if (current === undefined) target[name] = value
    else if (current !== value) {
      const message = 'Another column has given a different value for this already, and that one counts.'
      this.report(text, new UnreadableValue('GIVEN_TWICE', message))
    }
  }
}
