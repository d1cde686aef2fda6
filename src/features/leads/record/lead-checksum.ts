/** Whether a lead still is as an import wrote it: a print of its columns, kept with the source that tells of the import. */
import { sql } from 'kysely'
import { type WritableColumn, writableColumns } from './lead-row.ts'

/** Recorded after the lead is written, and looked at by itself. */
const isBasisColumn = (name: WritableColumn) => /^(lawful_basis|consent_at|notice_sent_at)/.test(name)

const checksumColumns = (Object.keys(writableColumns) as WritableColumn[]).filter(
  name => !isBasisColumn(name),
)

/** SQL: the print of a lead `l`, a bigint; another one when any column that people write has another value. */
export const leadChecksum = sql.raw(
  `hash_record_extended(row(${checksumColumns.map(name => `l.${name}`).join(', ')}), 0)`,
)
