/** The SQL statements of driving times. */
import { sql } from 'kysely'
import { type Drive, type DrivingTimes, toDriveKey } from '../../../domain/slots/travel.ts'
import { getNow, sqlNowFor } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import type { Traces } from '../../privacy/service.ts'

export interface StoredDrive extends Drive {
  /** Null: it is not known, so it is estimated. */
  durationSeconds: number | null
  expiresAt: Date
}

interface KnownDrive extends Drive {
  seconds: number | null
  expiresAt: Date
}

async function readKnown(tx: Tx, drives: readonly Drive[]): Promise<KnownDrive[]> {
  if (drives.length === 0) return []
  const { rows } = await sql<KnownDrive>`
    select t.origin, t.destination, t.duration_s as seconds, t.expires_at as "expiresAt"
    from unnest(${drives.map(({ origin }) => origin)}::text[], ${drives.map(({ destination }) => destination)}::text[])
      as d (origin, destination)
    join travel_times t on t.tenant_id = ${getTenantId(tx)} and t.origin = d.origin and t.destination = d.destination`.execute(
    tx,
  )
  return rows
}

/** Also times that are to be looked up again count. */
export async function readDrivingTimes(tx: Tx, drives: readonly Drive[]): Promise<DrivingTimes> {
  const known = await readKnown(tx, drives)
  return new Map(
    known.flatMap(drive => (drive.seconds === null ? [] : [[toDriveKey(drive), drive.seconds] as const])),
  )
}

/** The drives that were not looked up, or that expired that long ago, in the same order. */
export async function findMissingDrives(
  tx: Tx,
  drives: readonly Drive[],
  expiredForMs: number,
): Promise<Drive[]> {
  const since = getNow(tx).getTime() - expiredForMs
  const known = await readKnown(tx, drives)
  const keys = new Set(known.filter(({ expiresAt }) => expiresAt.getTime() > since).map(toDriveKey))
  return drives.filter(drive => !keys.has(toDriveKey(drive)))
}

/** A known time stays, if the router does not know it any more. */
export async function storeDrives(tx: Tx, drives: readonly StoredDrive[]): Promise<void> {
  await sql`
    insert into travel_times (tenant_id, origin, destination, duration_s, expires_at)
    select ${getTenantId(tx)}::uuid, d.* from unnest(
      ${drives.map(({ origin }) => origin)}::text[], ${drives.map(({ destination }) => destination)}::text[],
      ${drives.map(({ durationSeconds }) => durationSeconds)}::int[], ${drives.map(({ expiresAt }) => expiresAt)}::timestamptz[]) as d
    order by 2, 3 -- In one order, so that two transactions do not wait for each other.
    on conflict (tenant_id, origin, destination) do update
    set duration_s = coalesce(excluded.duration_s, travel_times.duration_s), expires_at = excluded.expires_at`.execute(
    tx,
  )
}

/** Handles `erasePersonData`: a place may be where the person lives. All are looked up again. */
export async function forgetDrives(tx: Tx): Promise<Traces> {
  await sql`delete from travel_times where tenant_id = ${getTenantId(tx)}`.execute(tx)
  return {}
}

/** Until then, a booking may need what a listing has shown. */
const keptAfterExpiry = sql`interval '1 hour'`

export async function deleteExpiredDrives(tx: Tx): Promise<void> {
  await sql`
    delete from travel_times
    where tenant_id = ${getTenantId(tx)} and expires_at <= ${getNow(tx)}::timestamptz - ${keptAfterExpiry}`.execute(
    tx,
  )
}

export async function listTenantsWithExpiredDrives({ owner }: Database): Promise<string[]> {
  const { rows } = await sql<{ tenantId: string }>`
    select distinct tenant_id as "tenantId" from travel_times t
    where t.expires_at <= ${sqlNowFor('t.tenant_id')} - ${keptAfterExpiry}`.execute(owner)
  return rows.map(({ tenantId }) => tenantId)
}
