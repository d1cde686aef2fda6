/** The lead that a workspace had before its person wrote, when their phone number or address becomes known later. */

import type { Identifier } from '../../../domain/contact/identifiers.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { toIdentifiers } from '../record/index-leads.ts'
import { type LeadRow, lockRows } from '../record/lead-row.ts'

/**
 * Returns the other lead with the phone number or the address among these identifiers, if the lead only stands for somebody who
 * wrote: it has no other source, no property, and was known by chats alone. Null if several leads have them, or if the other
 * one has another chat of the same kind: the number has a new owner. Call this after `lockLeadWrites`.
 */
export async function findKnownLead(
  tx: Tx,
  leadId: string,
  identifiers: readonly Identifier[],
): Promise<string | null> {
  const contacts = identifiers.flatMap(({ kind, value }) => (kind === 'chat' ? [] : value))
  if (contacts.length === 0 || !(await isInboundOnly(tx, leadId))) return null
  const { rows } = await sql<{ id: string }>`
    select distinct lead_id as id from lead_identifiers
    where tenant_id = ${getTenantId(tx)} and value = any(${contacts}::text[]) and lead_id <> ${leadId} limit 2`.execute(
    tx,
  )
  const [known, ...others] = rows
  if (!known || others.length > 0) return null
  const locked = await lockRows(tx, [leadId, known.id])
  const [row, other] = [locked.get(leadId)?.row, locked.get(known.id)?.row]
  const isOnePerson = row && other && standsForChats(row) && !haveDifferentChats(row, other)
  return isOnePerson ? known.id : null
}

async function isInboundOnly(tx: Tx, leadId: string): Promise<boolean> {
  const { rows } = await sql<{ platform: string }>`
    select distinct platform from lead_sources where tenant_id = ${getTenantId(tx)} and lead_id = ${leadId} limit 2`.execute(
    tx,
  )
  return rows.length === 1 && rows[0]!.platform === 'inbound'
}

const propertyColumns = ['url', 'address', 'title', 'square_meters', 'price'] as const

const standsForChats = (row: LeadRow): boolean =>
  propertyColumns.every(name => row[name] === null) && toIdentifiers(row).every(isChat)

const isChat = (identifier: string) => /^[a-z][a-z0-9_-]*:/.test(identifier)

function haveDifferentChats(row: LeadRow, other: LeadRow): boolean {
  const toKind = (chat: string) => chat.slice(0, chat.indexOf(':'))
  const own = toIdentifiers(row).filter(isChat)
  return toIdentifiers(other)
    .filter(isChat)
    .some(chat => own.some(mine => toKind(mine) === toKind(chat)) && !own.includes(chat))
}
