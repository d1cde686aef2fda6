/** What the columns of a file are while it is read: names that come up below the head of NDJSON join them. */
import { toCellText } from '../../domain/table/cell-text.ts'
import { columnsMax } from '../../domain/table/columns.ts'
import { findExportedFields } from '../../domain/table/exported-headings.ts'
import { guessLateColumn } from '../../domain/table/guess-mapping.ts'
import type { Mapping } from '../../domain/table/lead-fields.ts'
import { flattenObject, formatCell } from '../../domain/table/row-values.ts'
import { toCustomField } from './custom-fields.ts'

export interface InitialColumns {
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
  addLateColumns(line: Record<string, unknown>): string[]
  /** All of them, if some came up since it was last asked for; else null. */
  takeExtendedMapping(): ExtendedMapping | null
}

export type ExtendedMapping = Pick<InitialColumns, 'mapping' | 'guessedMapping'>

/** `known.mapping` and `known.guessedMapping` grow with the names that come up. */
export function createColumns({ headings, mapping, guessedMapping, keepUnknown }: InitialColumns): Columns {
  const findExportedField = findExportedFields(headings)
  let remaining = columnsMax - Object.keys(mapping).length
  let isExtended = false
  return {
    addLateColumns(line) {
      const ignored: string[] = []
      for (const [name, value] of flattenObject(line)) {
        if (Object.hasOwn(mapping, name)) continue
        const cell = formatCell(value)
        const exportedField = findExportedField(name)
        // A name without a value does not show yet what it is.
        if (exportedField === undefined && toCellText(cell) === null) continue
        if (remaining > 0) {
          const guessed = exportedField === undefined ? guessLateColumn(name, cell, mapping) : exportedField
          guessedMapping[name] = guessed
          mapping[name] = guessed ?? (keepUnknown && exportedField !== null ? toCustomField(name) : null)
          isExtended = true
          remaining--
          if (exportedField === null) continue
        }
        if (!mapping[name]) ignored.push(name)
      }
      return ignored
    },
    takeExtendedMapping() {
      if (!isExtended) return null
      isExtended = false
      return { mapping: { ...mapping }, guessedMapping: { ...guessedMapping } }
    },
  }
}
