/** The lawful basis for contacting a person, recorded on each lead with its proof. */

import { sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { jsonObject } from '../../../kit/db/json.ts'
import { assertVersion } from '../../../kit/etag.ts'
import type { Author, Writer } from '../../../kit/writer.ts'
import type { NewLawfulBasis } from '../../privacy/schemas.ts'
import { normalizeBasis, type StoredBasis } from '../../privacy/service.ts'
import { createLeadNotFound } from '../history/merged-leads.ts'
import { emitLeadUpdates } from '../record/emit-updates.ts'
import { toFieldChanges } from '../record/lead-fields.ts'
import { changesBetween, type LeadRow, lockRows } from '../record/lead-row.ts'
import { updateLeads } from '../record/write-leads.ts'

/** SQL: the basis of a lead `l` as the JSON of `LawfulBasis`. */
export const basisJson =
  jsonObject(`l.lawful_basis as kind, aldaba.iso_time(l.lawful_basis_at) as "recordedAt",
  l.lawful_basis_proof as proof, l.lawful_basis_channels as channels,
  aldaba.iso_time(l.lawful_basis_expires_at) as "expiresAt", aldaba.iso_time(l.notice_sent_at) as "noticeSentAt",
  l.lawful_basis_by as "recordedBy"`)

/** The row with this basis in place of the recorded one. */
export function withBasis(row: LeadRow, basis: StoredBasis, userId: string | null): LeadRow {
  return {
    ...row,
    lawful_basis: basis.kind,
    lawful_basis_at: basis.recordedAt,
    lawful_basis_proof: basis.proof ?? null,
    lawful_basis_channels: basis.channels ?? null,
    lawful_basis_expires_at: basis.expiresAt ?? null,
    lawful_basis_by: userId,
    consent_at: basis.kind === 'consent' ? basis.recordedAt : null,
    notice_sent_at: basis.noticeSentAt === undefined ? row.notice_sent_at : basis.noticeSentAt,
  }
}

/**
 * Replaces the recorded basis; the timeline of the lead keeps the former one. Throws 404; 412 PRECONDITION_FAILED;
 * 400 as `normalizeBasis` does.
 */
export async function recordLawfulBasis(
  tx: Tx,
  leadId: string,
  basis: NewLawfulBasis,
  { author, ifMatch }: Writer,
): Promise<void> {
  const now = getNow(tx)
  const normalized = normalizeBasis(basis, now)
  const locked = (await lockRows(tx, [leadId])).get(leadId)
  if (!locked) throw await createLeadNotFound(tx, leadId)
  assertVersion('lead', locked.version, ifMatch)
  await writeRow(tx, locked.row, withBasis(locked.row, normalized, author.userId), now, author)
}

/**
 * Removes the basis. An import does not restore an older basis afterwards. `notice_sent_at` is kept: the person did
 * receive the notice. Returns false if the lead has no basis or does not exist. Throws 412 PRECONDITION_FAILED.
 */
export async function withdrawLawfulBasis(
  tx: Tx,
  leadId: string,
  { author, ifMatch }: Writer,
): Promise<boolean> {
  const locked = (await lockRows(tx, [leadId])).get(leadId)
  if (!locked || locked.row.lawful_basis === null) return false
  assertVersion('lead', locked.version, ifMatch)
  const { row } = locked
  const now = getNow(tx)
  const after: LeadRow = {
    ...row,
    lawful_basis: null,
    lawful_basis_at: null,
    lawful_basis_proof: null,
    lawful_basis_channels: null,
    lawful_basis_expires_at: null,
    lawful_basis_by: null,
    lawful_basis_withdrawn_at: now.toISOString(),
    consent_at: null,
  }
  await writeRow(tx, row, after, now, author)
  return true
}

async function writeRow(tx: Tx, before: LeadRow, after: LeadRow, now: Date, author: Author): Promise<void> {
  const changes = toFieldChanges(changesBetween(before, after))
  if (changes.length === 0) return
  await updateLeads(tx, [{ before, after }], now)
  await emitLeadUpdates(tx, [{ leadId: after.id, cause: 'edited', changes }], author)
}

/** The JSON of `LawfulBasis`; null if no basis is recorded or the lead does not exist. */
export async function findLawfulBasis(tx: Tx, leadId: string): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    select ${basisJson}::text as json from leads l
    where l.tenant_id = ${getTenantId(tx)} and l.id = ${leadId} and l.lawful_basis is not null`.execute(tx)
  return rows[0]?.json ?? null
}
