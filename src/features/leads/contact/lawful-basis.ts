/** Why a person may be contacted, as the workspace recorded it: on each lead, with its proof. */

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
import { fieldChanges } from '../record/lead-fields.ts'
import { changesBetween, type LeadRow, lockRows } from '../record/lead-row.ts'
import { updateLeads } from '../record/write-leads.ts'

/** SQL: what is recorded on a lead `l`, as its schema has it. */
export const basisJson =
  jsonObject(`l.lawful_basis as kind, aldaba.iso_time(l.lawful_basis_at) as "recordedAt",
  l.lawful_basis_proof as proof, l.lawful_basis_channels as channels,
  aldaba.iso_time(l.lawful_basis_expires_at) as "expiresAt", aldaba.iso_time(l.notice_sent_at) as "noticeSentAt",
  l.lawful_basis_by as "recordedBy"`)

/** The row with this in place of what was recorded. */
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
 * Records it in place of what was recorded, which the lead's history keeps. Throws 404; 412 PRECONDITION_FAILED; 400 as
 * `normalizeBasis`.
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
 * From now on there is none, and no file brings back one that is older; that the person was told of the processing stays true.
 * False: there was none, or no such lead. Throws 412 PRECONDITION_FAILED.
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
  const changes = fieldChanges(changesBetween(before, after))
  if (changes.length === 0) return
  await updateLeads(tx, [{ before, after }], now)
  await emitLeadUpdates(tx, [{ leadId: after.id, cause: 'edited', changes }], author)
}

/** As the JSON of its schema; null if none is recorded, or there is no such lead. */
export async function findLawfulBasis(tx: Tx, leadId: string): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    select ${basisJson}::text as json from leads l
    where l.tenant_id = ${getTenantId(tx)} and l.id = ${leadId} and l.lawful_basis is not null`.execute(tx)
  return rows[0]?.json ?? null
}
