/** A checksum of the columns of a lead. An import stores it to detect later changes of the lead. */
import { sql } from 'kysely'
import { type WritableColumn, writableColumns } from './lead-row.ts'

/** The basis is recorded after the lead is written, and compared separately. */
const isBasisColumn = (name: WritableColumn) => /^(lawful_basis|consent_at|notice_sent_at)/.test(name)

const checksumColumns = (Object.keys(writableColumns) as WritableColumn[]).filter(
  name => !isBasisColumn(name),
)

/** SQL: the checksum of a lead `l`, a bigint. It changes if any writable column changes, except the lawful basis. */
export const leadChecksum = sql.raw(
  `hash_record_extended(row(${checksumColumns.map(name => `l.${name}`).join(', ')}), 0)`,
)
