/**
 * The clock of an environment, and the machine's clock. In live they are equal. In test, a client can move the
 * environment's clock forward (`POST /sandbox/clock`); then everything that is due by the new time runs.
 *
 * Use the environment's time for everything that clients see and for scheduled work. Use the machine's time between
 * processes: leases, rate limits, portal throttles, signatures that a receiver compares with its own clock, and the
 * expiry of keys.
 */
import { type RawBuilder, sql } from 'kysely'
import { getContext } from '../db/context.ts'
import type { Database, Tx } from '../db/index.ts'
import { notifyOnCommit } from '../db/notifications.ts'
import { newId } from '../id.ts'

/**
 * Returns the environment's time. It is constant in a transaction: the time of its start, or of acquiring its lock if
 * it waited for one. So rows written together have one time, and rows written later have a later one.
 */
export function getNow(tx: Tx): Date {
  const { startedAtMs, shiftMs } = getContext(tx)
  return new Date(startedAtMs + shiftMs)
}

/**
 * Sets the transaction's time to now. Call it after acquiring a lock that others may have held. Only the first call
 * counts.
 */
export function recordLockAcquired(tx: Tx): void {
  const context = getContext(tx)
  if (!context.isLockAcquired) Object.assign(context, { startedAtMs: Date.now(), isLockAcquired: true })
}

/**
 * Returns the environment's time without a transaction, from the shift that this process has cached. Check it again in
 * a transaction.
 */
export const getTenantNow = (database: Pick<Database, 'getClockShiftMs'>, tenantId: string): Date =>
  new Date(Date.now() + database.getClockShiftMs(tenantId))

/** Returns `getNow` as a `Temporal.Instant`. */
export const getInstant = (tx: Tx): Temporal.Instant => getNow(tx).toTemporalInstant()

/** SQL: the environment's time as timestamptz. */
export const sqlNow = (tx: Tx): RawBuilder<Date> => sql<Date>`${getNow(tx)}::timestamptz`

/** Adds days of 24 hours. */
export const addDays = (time: Date, days: number): Date => new Date(time.getTime() + days * 86_400_000)

/** Subtracts days of 24 hours. */
export const subtractDays = (time: Date, days: number): Date => addDays(time, -days)

/** Converts the machine's time to the environment's. */
export const toEnvironmentTime = (tx: Tx, machineTime: Date): Date =>
  new Date(machineTime.getTime() + getContext(tx).shiftMs)

const topic = 'clock'

/** Moves the environment's clock forward to `to`; never back. Notifies the listeners of `onClockChanged` on commit. */
export async function setClock(tx: Tx, to: Date): Promise<void> {
  const context = getContext(tx)
  const shiftMs = to.getTime() - context.startedAtMs
  if (shiftMs <= context.shiftMs) return
  // A concurrent transaction may have moved it further.
  const { rows } = await sql<{ shiftMs: number }>`
    insert into clocks as c (tenant_id, shift_ms) values (${context.tenantId}, ${shiftMs})
    on conflict (tenant_id) do update set shift_ms = greatest(c.shift_ms, excluded.shift_ms)
    returning shift_ms as "shiftMs"`.execute(tx)
  context.shiftMs = rows[0]!.shiftMs
  await notifyOnCommit(tx, `${topic} ${context.tenantId}`)
}

/**
 * Calls the listener after an environment's clock was moved and this process knows the new shift. Returns a stop
 * function.
 */
export const onClockChanged = (database: Database, listener: (tenantId: string) => void): (() => void) =>
  database.notifications.on(topic, tenantId => {
    // A notification without a tenant means that some were lost.
    if (!tenantId) return
    // Opening a transaction reads the new shift.
    const entering = database.readTenant({ tenantId }, async () => {})
    void entering.catch(() => {}).then(() => listener(tenantId))
  })

/** Returns a new id with the environment's time, because rows are searched by the time of their ids. */
export const createId = (tx: Tx): string => newId(toEnvironmentTime(tx, new Date()))

/** Returns the machine's time, in milliseconds since 1970. */
export const machineNow = (): number => Date.now()

/** SQL: the machine's time at the start of the statement, as timestamptz. */
export const sqlMachineNow = sql<Date>`statement_timestamp()`

/**
 * SQL: the time of the environment whose id is in this column, such as `w.tenant_id`; for queries across tenants. No query has the
 * alias of the inner table: it would hide the column.
 */
export const sqlNowFor = (
  tenantIdColumn: string,
): RawBuilder<Date> => sql<Date>`(clock_timestamp() + make_interval(secs => coalesce((
  select tenant_clock.shift_ms from aldaba.clocks tenant_clock where tenant_clock.tenant_id = ${sql.ref(tenantIdColumn)}), 0) / 1000.0))`
