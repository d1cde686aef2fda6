/** Builds a lead from the cells of a row, and collects the problems. */
import type { Operation } from '../listing/listing.ts'
import type { SharedSign } from '../listing/money.ts'
import type { ImportedLead, ImportedProperty, RowProblem } from './imported-lead.ts'
import { UnreadableValue } from './unreadable-value.ts'

/** The fields with a single value. */
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
  /** The house number, if it has its own column. */
  streetNumber = ''
  /** The prices of a table with a column for each operation. */
  readonly prices: Partial<Record<Operation, ColumnPrice>> = {}
  /** Custom fields with their types, in addition to columns with their texts. */
  readonly typedFields: [name: string, value: unknown][] = []
  /** The first stated currency that is ambiguous (`sign`) or invalid (null). */
  statedCurrency: { sign: SharedSign | null; text: string; column: string } | null = null
  /** The heading of the current column. */
  column = ''

  report(value: string, { code, message }: UnreadableValue): void {
    this.problems.push({ column: this.column, value: value.slice(0, 200), code, message })
  }

  stateCurrency(text: string, sign: SharedSign | null): void {
    this.statedCurrency ??= { sign, text: text.slice(0, 200), column: this.column }
  }

  /** Sets the value, unless it is unreadable or another column has set a different one. */
  setProperty<K extends SingleValue>(
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
      const message = 'Another column has a different value for this field, and the first one is used.'
      this.report(text, new UnreadableValue('GIVEN_TWICE', message))
    }
  }
}
