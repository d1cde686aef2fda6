/** What a provider says of the numbers, addresses and chats of a person changes their lead. */
import type { Identifier } from '../../../domain/contact/identifiers.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { preserveOptOuts } from '../contact/preserve-opt-outs.ts'
import { emitLeadUpdates } from '../record/emit-updates.ts'
import { forgetFormerIdentifiers } from '../record/former-identifiers.ts'
import { toIdentifiers } from '../record/index-leads.ts'
import { toFieldChanges } from '../record/lead-fields.ts'
import { changesBetween, type LeadRow, lockRows } from '../record/lead-row.ts'
import { updateLeads } from '../record/write-leads.ts'

export interface IdentifierChange {
  /** Those that the person has. */
  added?: readonly Identifier[]
  /** Normalised values that somebody else has, or may have soon. */
  removed?: readonly string[]
}

/**
 * Adds identifiers of the person to a lead and removes those of somebody else, and emits `lead.updated` if it has changed.
 * An empty phone or e-mail address is filled, unless somebody has cleared it. Opt-outs stay valid. Does nothing if there is
 * no such lead.
 */
export async function changeIdentifiers(tx: Tx, leadId: string, change: IdentifierChange): Promise<void> {
  await lockLeadWrites(tx)
  const before = (await lockRows(tx, [leadId])).get(leadId)?.row
  if (!before) return
  const after = withIdentifiers(before, change)
  const changes = toFieldChanges(changesBetween(before, after))
  if (changes.length === 0) return
  await preserveOptOuts(tx, [{ before, after }], { keyId: null, userId: null })
  await updateLeads(tx, [{ before, after }], getNow(tx))
  await forgetFormerIdentifiers(tx, leadId, change.removed ?? [])
  await emitLeadUpdates(tx, [{ leadId, cause: 'edited', changes }])
}

/** A person has few; a hostile sender could bring any number. */
const identifiersMax = 50

function withIdentifiers(row: LeadRow, { added = [], removed = [] }: IdentifierChange): LeadRow {
  const kept = toIdentifiers(row).filter(value => !removed.includes(value))
  const given = [...new Set(added.map(({ value }) => value))]
  const room = Math.max(0, identifiersMax - kept.length)
  const all = [...kept, ...given.filter(value => !kept.includes(value)).slice(0, room)]
  const edited = row.edited_columns as string[]
  const choose = (column: 'phone' | 'email'): unknown => {
    const own = row[column] as string | null
    if (own === null ? edited.includes(column) : !removed.includes(own)) return own
    return added.find(({ kind, value }) => kind === column && all.includes(value))?.value ?? null
  }
  const [phone, email] = [choose('phone'), choose('email')]
  const identifiers = all.filter(value => value !== phone && value !== email)
  const isReplaced = row.phone !== null && phone !== null && row.phone !== phone
  return {
    ...row,
    phone,
    email,
    identifiers,
    phone_raw: phone === row.phone ? row.phone_raw : phone,
    // The listing may show the former number for long.
    edited_columns: isReplaced ? [...new Set([...edited, 'phone', 'phone_raw'])].sort() : edited,
  }
}
