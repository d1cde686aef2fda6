/** What the columns of a file are while it is read: names that come up below the head of NDJSON join them. */
import { cellText } from '../../domain/table/cell-text.ts'
import { MAX_COLUMNS } from '../../domain/table/columns.ts'
import { exportedFields } from '../../domain/table/exported-headings.ts'
import { guessLate } from '../../domain/table/guess-mapping.ts'
import type { Mapping } from '../../domain/table/lead-fields.ts'
import { cellOf, flattenObject } from '../../domain/table/row-values.ts'
import { customFieldOf } from './custom-names.ts'

export interface KnownColumns {
  headings: string[]
  mapping: Mapping
  guessedMapping: Mapping
  keepUnknown: boolean
}

export interface Columns {
  /**
   * Says what the names of a line are that no line before had, by the rules for the names of the head; returns those that
   * are passed over.
   */
  addLate(line: Record<string, unknown>): string[]
  /** All of them, if some came up since it was last asked for; else null. */
  takeGrown(): GrownColumns | null
}

export type GrownColumns = Pick<KnownColumns, 'mapping' | 'guessedMapping'>

/** `known.mapping` and `known.guessedMapping` grow with the names that come up. */
export function createColumns({ headings, mapping, guessedMapping, keepUnknown }: KnownColumns): Columns {
  const fieldOf = exportedFields(headings)
  let left = MAX_COLUMNS - Object.keys(mapping).length
  let hasGrown = false
  return {
    addLate(line) {
      const passedOver: string[] = []
      for (const [name, value] of flattenObject(line)) {
        if (Object.hasOwn(mapping, name)) continue
        const cell = cellOf(value)
        const own = fieldOf(name)
        // A name without a value does not show yet what it is.
        if (own === undefined && cellText(cell) === null) continue
        if (left > 0) {
          const guessed = own === undefined ? guessLate(name, cell, mapping) : own
          guessedMapping[name] = guessed
          mapping[name] = guessed ?? (keepUnknown && own !== null ? customFieldOf(name) : null)
          hasGrown = true
          left--
          if (own === null) continue
        }
        if (!mapping[name]) passedOver.push(name)
      }
      return passedOver
    },
    takeGrown() {
      if (!hasGrown) return null
      hasGrown = false
      return { mapping: { ...mapping }, guessedMapping: { ...guessedMapping } }
    },
  }
}
