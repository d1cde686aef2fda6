/**
 * Long-running operations: rows of a tenant table that jobs process. Each kind has its own table with the columns `id`,
 * `status`, `requeues`, `progressed_at`, `created_at`, `started_at`, `finished_at`, `error_code` and `error_message`,
 * and an index on `(tenant_id)` for the active rows. This folder holds what all kinds share: starting, running in
 * slices, waiting, streaming, cancelling, and requeueing operations that have lost their job.
 */

import { getTenantId } from '../db/context.ts'
import { sql, type Tx } from '../db/index.ts'
import { notifyAfterCommit, notifyOnCommit } from '../db/notifications.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { Problem } from '../problem.ts'
import { checkWorkLimit, type OperationTable, type WorkLimit } from './work-limit.ts'

export const operationStatuses = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const

export interface OperationKind {
  /** Used in messages and topics, such as `extraction`. */
  name: string
  table: OperationTable
  /** The field of the job's data that holds the operation's id. */
  idField: string
  /** The name of the job that processes it, by active status. */
  jobs: Record<string, string>
  /** How many operations of a tenant may be queued or running. `noun` is their plural for the error message. */
  limit: { max: number; noun: string }
}

/** Attempts after unexpected errors: six take minutes, not days. */
export const attemptsMax = 6

/** The topic that is notified when an operation has progressed or ended. */
export const toTopic = ({ name }: OperationKind, id: string) => `${name}:${id}`
/** The topic that is notified when an operation is cancelled. */
export const toCancelTopic = ({ name }: OperationKind, id: string) => `${name}-cancelled:${id}`

export const isActiveStatus = ({ jobs }: OperationKind, status: string): boolean =>
  Object.hasOwn(jobs, status)

export function toWorkLimit({ table, jobs, limit }: OperationKind): WorkLimit {
  return { table, statuses: Object.keys(jobs), ...limit }
}

/** Enqueues the job of a stored operation. Throws 429 TOO_MANY_JOBS if the tenant then exceeds its limit. */
export async function startOperation(
  tx: Tx,
  kind: OperationKind,
  id: string,
  status = 'QUEUED',
): Promise<void> {
  await checkWorkLimit(tx, toWorkLimit(kind))
  await enqueueOperation(tx, kind, id, status)
}

export function enqueueOperation(
  tx: Tx,
  { jobs, idField }: OperationKind,
  id: string,
  status: string,
): Promise<void> {
  return enqueue(tx, jobs[status]!, { [idField]: id }, { maxAttempts: attemptsMax })
}

/** The status of an operation; null if it does not exist. */
export async function findOperationStatus(
  tx: Tx,
  { table }: OperationKind,
  id: string,
): Promise<string | null> {
  const { rows } = await sql<{ status: string }>`
    select status from ${sql.table(table)} where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
  return rows[0]?.status ?? null
}

/** Reports progress or an end: long polls and streams read the operation again. */
export function notifyProgress(tx: Tx, kind: OperationKind, id: string): void {
  notifyAfterCommit(tx, toTopic(kind, id))
}

/** Reports a cancellation: the run stops at once. */
export async function notifyCancelled(tx: Tx, kind: OperationKind, id: string): Promise<void> {
  notifyProgress(tx, kind, id)
  await notifyOnCommit(tx, toCancelTopic(kind, id))
}

/** The 409 for an operation whose status does not allow a transition. */
export function invalidTransition(
  { name }: OperationKind,
  status: string,
  { action, condition }: { action: string; condition: string },
): Problem {
  return new Problem(
    'INVALID_TRANSITION',
    `A ${status} ${name} can't be ${action}: only one that ${condition} can.`,
  )
}
