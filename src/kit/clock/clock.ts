/**
 * The clock of an environment, and the machine's. In live both are the same. In test, whoever tries the product moves the
 * environment's forward (`POST /sandbox/clock`): whatever waits for time happens then.
 *
 * What is told to clients, and what waits for time, has the environment's time. What is between processes has the machine's:
 * leases, limits of rate, the pace of portals, signatures that a receiver compares with its own clock, lifetimes of keys.
 */
import { type RawBuilder, sql } from 'kysely'
import { getContext } from '../db/context.ts'
import type { Database, Tx } from '../db/index.ts'
import { notifyOnCommit } from '../db/notifications.ts'
import { newId } from '../id.ts'

/**
 * The environment's time: the same throughout a transaction, that of its beginning, or of its turn if it waited for one. So what is
 * written together has one time, and what is written later a later one.
 */
export function getNow(tx: Tx): Date {
  const { startedAtMs, shiftMs } = getContext(tx)
  return new Date(startedAtMs + shiftMs)
}

/** To be called when the transaction has got what others may have held: from here on its time is this moment. Once counts. */
export function noteLockAcquired(tx: Tx): void {
  const context = getContext(tx)
  if (!context.isLockAcquired) Object.assign(context, { startedAtMs: Date.now(), isLockAcquired: true })
}

/** The same without a transaction, as far as this process has heard: for what a transaction decides again. */
export const getTenantNow = (database: Pick<Database, 'clockShiftMs'>, tenantId: string): Date =>
  new Date(Date.now() + database.clockShiftMs(tenantId))

/** As `getNow`, for calendars. */
export const getInstant = (tx: Tx): Temporal.Instant => getNow(tx).toTemporalInstant()

/** SQL: the same; a timestamptz. */
export const sqlNow = (tx: Tx): RawBuilder<Date> => sql<Date>`${getNow(tx)}::timestamptz`

/** So many times 24 hours later. */
export const addDays = (time: Date, days: number): Date => new Date(time.getTime() + days * 86_400_000)

/** So many times 24 hours before. */
export const subtractDays = (time: Date, days: number): Date => addDays(time, -days)

/** When it was in the environment, by the machine's time. */
export const toEnvironmentTime = (tx: Tx, machineTime: Date): Date =>
  new Date(machineTime.getTime() + getContext(tx).shiftMs)

const topic = 'clock'

/** Moves the environment's clock forward to that time, unless it is later already. Whoever waits for time hears of it after the commit. */
export async function setClock(tx: Tx, to: Date): Promise<void> {
  const context = getContext(tx)
  const shiftMs = to.getTime() - context.startedAtMs
  if (shiftMs <= context.shiftMs) return
  // Another transaction may have moved it further meanwhile.
  const { rows } = await sql<{ shiftMs: number }>`
    insert into clocks as c (tenant_id, shift_ms) values (${context.tenantId}, ${shiftMs})
    on conflict (tenant_id) do update set shift_ms = greatest(c.shift_ms, excluded.shift_ms)
    returning shift_ms as "shiftMs"`.execute(tx)
  context.shiftMs = rows[0]!.shiftMs
  await notifyOnCommit(tx, `${topic} ${context.tenantId}`)
}

/** Calls the listener when an environment's clock was moved, once this process knows its time. Returns how to end that. */
export const onClockChanged = (database: Database, listener: (tenantId: string) => void): (() => void) =>
  database.notifications.on(topic, tenantId => {
    // Without a detail, moves may have been missed.
    if (!tenantId) return
    // Whoever enters learns by how much it is moved.
    const entering = database.readTenant({ tenantId }, async () => {})
    void entering.catch(() => {}).then(() => listener(tenantId))
  })

/** A new id of this moment in the environment: rows are found by the time of their ids. */
export const createId = (tx: Tx): string => newId(toEnvironmentTime(tx, new Date()))

/** The machine's time, in milliseconds since 1970. */
export const machineNow = (): number => Date.now()

/** SQL: the machine's time when the statement began; a timestamptz. */
export const sqlMachineNow = sql<Date>`statement_timestamp()`

/** SQL: the time of the environment whose id stands in `tenantId`, such as `w.tenant_id`, for whoever reads those of all. */
export const sqlNowFor = (
  tenantId: string,
): RawBuilder<Date> => sql<Date>`(clock_timestamp() + make_interval(secs => coalesce((
  select c.shift_ms from aldaba.clocks c where c.tenant_id = ${sql.ref(tenantId)}), 0) / 1000.0))`
