/** The API field names of the columns of a lead. */
import type { RowChanges, WritableColumn } from './lead-row.ts'

const contactFields: Partial<Record<WritableColumn, string>> = {
  contact_name: 'contact.name',
  phone: 'contact.phone',
  phone_raw: 'contact.phoneRaw',
  email: 'contact.email',
  identifiers: 'contact.identifiers',
  advertiser_type: 'contact.advertiserType',
}
const leadLevelColumns =
  /^(external_id|status|campaign_id|owner_user_id|tags|custom_fields|lawful_basis.*|consent_at|notice_sent_at|last_contacted_at|last_reply_at)$/

export interface FieldChange {
  field: string
  before: unknown
  after: unknown
}

const internalColumns = new Set<WritableColumn>(['price_history', 'edited_columns'])

/**
 * Changes by API field, for events. `price_history` and `edited_columns` are left out: they follow from other
 * columns.
 */
export function toFieldChanges(changes: RowChanges): FieldChange[] {
  return (Object.entries(changes) as [WritableColumn, { before: unknown; after: unknown }][])
    .filter(([column]) => !internalColumns.has(column))
    .map(([column, change]) => ({ field: toFieldName(column), ...change }))
}

function toFieldName(column: WritableColumn): string {
  const camel = column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return contactFields[column] ?? (leadLevelColumns.test(column) ? camel : `property.${camel}`)
}
