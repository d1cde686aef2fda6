/** Why a person may be contacted, as the workspace recorded it: on each lead, with its proof. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import { jsonObject } from '../../kit/db/json.ts'
import { invalidInput } from '../../kit/problem.ts'
import type { NewLawfulBasis } from './lawful-basis-schemas.ts'

/** SQL: what is recorded on a lead `l`, as its schema has it. */
export const basisJson =
  jsonObject(`l.lawful_basis as kind, aldaba.iso_time(l.lawful_basis_at) as "recordedAt",
  l.lawful_basis_proof as proof, l.lawful_basis_channels as channels,
  aldaba.iso_time(l.lawful_basis_expires_at) as "expiresAt", aldaba.iso_time(l.notice_sent_at) as "noticeSentAt",
  l.lawful_basis_by as "recordedBy"`)

/**
 * Records it in place of what was recorded; `keyId`: by whom, null: by the service itself. False: there is no such lead.
 * Throws 400 if it ends before it begins.
 */
export async function recordLawfulBasis(
  tx: Tx,
  leadId: string,
  basis: NewLawfulBasis,
  keyId: string | null,
): Promise<boolean> {
  const now = new Date()
  const recordedAt = readTime('/recordedAt', basis.recordedAt) ?? now
  const expiresAt = readTime('/expiresAt', basis.expiresAt)
  const noticeSentAt = readTime('/noticeSentAt', basis.noticeSentAt)
  if (expiresAt && expiresAt <= recordedAt)
    throw invalidInput('/expiresAt', 'TOO_EARLY', 'A basis can not end before it begins.')
  const { rows } = await sql`
    update leads set updated_at = ${now}, lawful_basis = ${basis.kind}, lawful_basis_at = ${recordedAt},
      lawful_basis_proof = ${basis.proof ?? null}, lawful_basis_channels = ${basis.channels ?? null}::text[],
      lawful_basis_expires_at = ${expiresAt}, lawful_basis_by = (select created_by from api_keys where id = ${keyId}::uuid),
      consent_at = ${basis.kind === 'consent' ? recordedAt : null}::timestamptz,
      notice_sent_at = ${basis.noticeSentAt === undefined ? sql`notice_sent_at` : sql`${noticeSentAt}::timestamptz`}
    where id = ${leadId} returning id`.execute(tx)
  return rows.length > 0
}

/** Throws 400 for what is in the form of a time and is none that can be kept: the 61st second of a minute. */
function readTime(path: string, text: string | null | undefined): Date | null {
  if (text == null) return null
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw invalidInput(path, 'WRONG_FORMAT', `There is no time ${text}.`)
  return time
}

/** From now on there is none; that the person was told of the processing stays true. False: there was none, or no such lead. */
export async function withdrawLawfulBasis(tx: Tx, leadId: string): Promise<boolean> {
  const { rows } = await sql`
    update leads set updated_at = ${new Date()}, lawful_basis = null, lawful_basis_at = null, lawful_basis_proof = null,
      lawful_basis_channels = null, lawful_basis_expires_at = null, lawful_basis_by = null, consent_at = null
    where id = ${leadId} and lawful_basis is not null returning id`.execute(tx)
  return rows.length > 0
}

/** As the JSON of its schema; null if none is recorded, or there is no such lead. */
export async function findLawfulBasis(tx: Tx, leadId: string): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    select ${basisJson}::text as json from leads l where l.id = ${leadId} and l.lawful_basis is not null`.execute(
    tx,
  )
  return rows[0]?.json ?? null
}
