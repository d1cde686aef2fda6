/** Why a person may be contacted, as the workspace recorded it: on each lead, with its proof. */

import { sql } from 'kysely'
import type { Tx } from '../../../kit/db/index.ts'
import { jsonObject } from '../../../kit/db/json.ts'
import { assertVersion } from '../../../kit/etag.ts'
import { type InputError, invalidInput } from '../../../kit/problem.ts'
import type { Author, Writer } from '../../../kit/writer.ts'
import { leadNotFound } from '../history/family.ts'
import { fieldChanges } from '../record/lead-fields.ts'
import { changesBetween, type LeadRow, lockRows, updateRows } from '../record/lead-row.ts'
import { tellUpdates } from '../record/lead-updates.ts'
import type { NewLawfulBasis } from './lawful-basis-schemas.ts'

/** SQL: what is recorded on a lead `l`, as its schema has it. */
export const basisJson =
  jsonObject(`l.lawful_basis as kind, aldaba.iso_time(l.lawful_basis_at) as "recordedAt",
  l.lawful_basis_proof as proof, l.lawful_basis_channels as channels,
  aldaba.iso_time(l.lawful_basis_expires_at) as "expiresAt", aldaba.iso_time(l.notice_sent_at) as "noticeSentAt",
  l.lawful_basis_by as "recordedBy"`)

/** As it is kept: times in UTC. */
export type ReadBasis = NewLawfulBasis & { recordedAt: string }

/** Clocks differ by so much; what is later than that is still to come. */
const clocksDifferMs = 5 * 60_000

/**
 * The errors of a basis, or of its fields that fit the schema, with their places below `path`: it ends before it begins, what it
 * states is in the future, or a time can not be kept, such as the 61st second of a minute or a year that has five digits in UTC.
 */
export function errorsOfBasis(
  basis: Partial<NewLawfulBasis>,
  now: Date,
  { path = '', isFaulty }: { path?: string; isFaulty(path: string): boolean },
): InputError[] {
  const errors: InputError[] = []
  for (const name of ['recordedAt', 'noticeSentAt', 'expiresAt'] as const) {
    const at = `${path}/${name}`
    const time = readTime(basis[name])
    if (time === undefined)
      errors.push({ path: at, code: 'WRONG_FORMAT', message: `There is no time ${basis[name]}.` })
    else if (name !== 'expiresAt' && time && Date.parse(time) - now.getTime() > clocksDifferMs)
      errors.push({ path: at, code: 'TOO_LATE', message: `${time} is still to come.` })
  }
  const [recordedAt, expiresAt] = [readTime(basis.recordedAt), readTime(basis.expiresAt)]
  const isBeginKnown = recordedAt !== undefined && !isFaulty(`${path}/recordedAt`)
  const begin = min(recordedAt ?? now.toISOString(), now.toISOString())
  if (isBeginKnown && expiresAt && expiresAt <= begin) errors.push(endsTooEarly(path))
  return errors
}

const endsTooEarly = (path: string): InputError => ({
  path: `${path}/expiresAt`,
  code: 'TOO_EARLY',
  message: 'A basis can not end before it begins.',
})

/**
 * A basis without errors, as it is kept: a time that another clock has reached is now. Throws 400 if it begins now and has ended
 * already.
 */
export function readBasis(basis: NewLawfulBasis, now: Date, path = ''): ReadBasis {
  const past = (time: string | null) => (time === null ? null : min(time, now.toISOString()))
  const recordedAt = past(readTime(basis.recordedAt) ?? null) ?? now.toISOString()
  const noticeSentAt = past(readTime(basis.noticeSentAt) ?? null)
  const expiresAt = readTime(basis.expiresAt) ?? null
  if (expiresAt && expiresAt <= recordedAt) {
    const error = endsTooEarly(path)
    throw invalidInput(error.path, error.code, error.message)
  }
  return { ...basis, recordedAt, expiresAt, ...(basis.noticeSentAt === undefined ? {} : { noticeSentAt }) }
}

const min = (one: string, other: string) => (one < other ? one : other)

/** The row with this in place of what was recorded. */
export function withBasis(row: LeadRow, basis: ReadBasis, userId: string | null): LeadRow {
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
 * `readBasis`.
 */
export async function recordLawfulBasis(
  tx: Tx,
  leadId: string,
  basis: NewLawfulBasis,
  { author, ifMatch }: Writer,
): Promise<void> {
  const now = new Date()
  const read = readBasis(basis, now)
  const known = (await lockRows(tx, [leadId])).get(leadId)
  if (!known) throw await leadNotFound(tx, leadId)
  assertVersion('lead', known.version, ifMatch)
  await writeRow(tx, known.row, withBasis(known.row, read, author.userId), now, author)
}

/** ISO 8601, UTC, which sorts as the times do. Undefined for what has the form of a time and is none that can be kept. */
function readTime(text: string | null | undefined): string | null | undefined {
  if (text == null) return null
  const time = new Date(text)
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9999 ? time.toISOString() : undefined
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
  const known = (await lockRows(tx, [leadId])).get(leadId)
  if (!known || known.row.lawful_basis === null) return false
  assertVersion('lead', known.version, ifMatch)
  const { row } = known
  const now = new Date()
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
  await updateRows(tx, [after], now)
  await tellUpdates(tx, [{ leadId: after.id, cause: 'edited', changes }], author)
}

/** As the JSON of its schema; null if none is recorded, or there is no such lead. */
export async function findLawfulBasis(tx: Tx, leadId: string): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    select ${basisJson}::text as json from leads l where l.id = ${leadId} and l.lawful_basis is not null`.execute(
    tx,
  )
  return rows[0]?.json ?? null
}
