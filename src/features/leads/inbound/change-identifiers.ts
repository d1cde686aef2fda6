/** What a provider says of the numbers, addresses and chats of a person changes their lead. */
import type { Identifier } from '../../../domain/contact/identifiers.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { toIdentifier } from '../../privacy/service.ts'
import { preserveOptOuts } from '../contact/preserve-opt-outs.ts'
import { addEdited } from '../record/edited-columns.ts'
import { emitLeadUpdates } from '../record/emit-updates.ts'
import { forgetFormerIdentifiers } from '../record/former-identifiers.ts'
import { toIdentifiers } from '../record/index-leads.ts'
import { toFieldChanges } from '../record/lead-fields.ts'
import { changesBetween, type LeadRow, lockRows } from '../record/lead-row.ts'
import { updateLeads } from '../record/write-leads.ts'

export interface IdentifierChange {
  leadId: string
  /** Those that the person has. */
  added?: readonly Identifier[]
  /** Normalised values that somebody else has, or may have soon. */
  removed?: readonly string[]
}

/**
 * Adds identifiers of people to their leads and removes those of somebody else, and emits `lead.updated` for each lead that has
 * changed. An empty phone or e-mail address is filled, unless somebody has cleared it; one that is removed gives way to another
 * one of the person, and no listing fills it again. Opt-outs stay valid. Leads that do not exist are left out.
 */
export async function changeIdentifiers(tx: Tx, changes: IdentifierChange[]): Promise<void> {
  if (changes.length === 0) return
  await lockLeadWrites(tx)
  const byLead = Map.groupBy(changes, ({ leadId }) => leadId)
  const rows = await lockRows(tx, [...byLead.keys()])
  const changed = [...rows].flatMap(([leadId, { row: before }]) => {
    const own = byLead.get(leadId)!
    const added = own.flatMap(({ added = [] }) => added)
    const removed = own.flatMap(({ removed = [] }) => removed)
    const after = withIdentifiers(before, { added, removed })
    const changes = toFieldChanges(changesBetween(before, after))
    return changes.length === 0 ? [] : { leadId, before, after, removed, changes }
  })
  await preserveOptOuts(tx, changed, { keyId: null, userId: null })
  await updateLeads(tx, changed, getNow(tx))
  await forgetFormerIdentifiers(
    tx,
    changed.map(({ leadId, removed: values }) => ({ leadId, values })),
  )
  await emitLeadUpdates(
    tx,
    changed.map(({ leadId, changes }) => ({ leadId, cause: 'edited', changes })),
  )
}

/** A person has few; a hostile sender could bring any number. */
const identifiersMax = 50

function withIdentifiers(
  row: LeadRow,
  { added, removed }: { added: Identifier[]; removed: string[] },
): LeadRow {
  const kept = toIdentifiers(row).filter(value => !removed.includes(value))
  const given = [...new Set(added.map(({ value }) => value))]
  const room = Math.max(0, identifiersMax - kept.length)
  const all = [...kept, ...given.filter(value => !kept.includes(value)).slice(0, room)]
  const edited = row.edited_columns as string[]
  const choose = (column: 'phone' | 'email'): unknown => {
    const own = row[column] as string | null
    if (own === null ? edited.includes(column) : !removed.includes(own)) return own
    const others = own === null ? added : [...added, ...kept.map(toIdentifier)]
    return others.find(({ kind, value }) => kind === column && all.includes(value))?.value ?? null
  }
  const [phone, email] = [choose('phone'), choose('email')]
  const identifiers = all.filter(value => value !== phone && value !== email)
  const taken = (['phone', 'email'] as const).filter(name => removed.includes(row[name] as string))
  return {
    ...row,
    phone,
    email,
    identifiers,
    phone_raw: phone === row.phone ? row.phone_raw : phone,
    // The listing may show the former number for long.
    edited_columns: addEdited(row, taken),
  }
}
