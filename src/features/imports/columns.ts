/** The columns of a file while it is read. NDJSON may have names that first occur after the head: they become columns too. */
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
  /** Maps the names that first occur in this line, by the rules for the head. Returns the names that are ignored. */
  addLateColumns(line: Record<string, unknown>): string[]
  /** Returns the whole mapping if it has grown since the last call; null: it has not. */
  takeExtendedMapping(): ExtendedMapping | null
}

export type ExtendedMapping = Pick<InitialColumns, 'mapping' | 'guessedMapping'>

/** New names are added to `mapping` and `guessedMapping` of the argument. */
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
        // Without a value, its field cannot be guessed yet.
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
