/**
 * Long-running operations: rows of a tenant table that jobs work on. Each kind has a table of its own with the columns
 * `id`, `status`, `requeues`, `progressed_at`, `created_at`, `started_at`, `finished_at`, `error_code` and
 * `error_message`, and with an index `(tenant_id)` of the rows that are still to be done. What all kinds have in common
 * is in this folder: starting, running in slices, waiting, streaming, cancelling, and requeueing what has lost its job.
 */

import { getTenantId } from '../db/context.ts'
import { sql, type Tx } from '../db/index.ts'
import { notifyAfterCommit, notifyOnCommit } from '../db/notifications.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { Problem } from '../problem.ts'
import { checkWorkLimit, type OperationTable, type WorkLimit } from './work-limit.ts'

export const operationStatuses = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const

export interface OperationKind {
  /** In sentences and topics: `extraction`. */
  name: string
  table: OperationTable
  /** By which name the data of its job carries the id. */
  idField: string
  /** The job that works on it, by the statuses of what is still to be done. */
  jobs: Record<string, string>
  /** How many of a tenant may be queued or running. */
  limit: { max: number; noun: string }
}

/** An error that nobody foresaw is tried again so often: within minutes, not days. */
export const attemptsMax = 6

/** Notified whenever it has moved on or ended. */
export const toTopic = ({ name }: OperationKind, id: string) => `${name}:${id}`
/** Notified when somebody cancels it. */
export const toCancelTopic = ({ name }: OperationKind, id: string) => `${name}-cancelled:${id}`

export const isActiveStatus = ({ jobs }: OperationKind, status: string): boolean =>
  Object.hasOwn(jobs, status)

export function toWorkLimit({ table, jobs, limit }: OperationKind): WorkLimit {
  return { table, statuses: Object.keys(jobs), ...limit }
}

/** Gives it the job of its status. Throws 429 TOO_MANY_JOBS if the tenant has too much under way, this one included. */
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

/** Null if there is none. */
export async function findOperationStatus(
  tx: Tx,
  { table }: OperationKind,
  id: string,
): Promise<string | null> {
  const { rows } = await sql<{ status: string }>`
    select status from ${sql.table(table)} where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
  return rows[0]?.status ?? null
}

/** It has moved on or ended: whoever waits for it reads it anew. */
export function notifyProgress(tx: Tx, kind: OperationKind, id: string): void {
  notifyAfterCommit(tx, toTopic(kind, id))
}

/** It was cancelled: whoever runs it stops at once. */
export async function notifyCancelled(tx: Tx, kind: OperationKind, id: string): Promise<void> {
  notifyProgress(tx, kind, id)
  await notifyOnCommit(tx, toCancelTopic(kind, id))
}

/** The 409 of what has ended, or has not ended yet. */
export function invalidTransition(
  { name }: OperationKind,
  status: string,
  { done, only }: { done: string; only: string },
): Problem {
  return new Problem('INVALID_TRANSITION', `A ${status} ${name} can't be ${done}: only one that ${only} can.`)
}
