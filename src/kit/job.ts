/** A job is plain data; its payload always names the tenant, and the queue lives in the same database. */
import type { Database } from './db/index.ts'
import type { EventDefinition } from './event.ts'
import type { Log } from './log.ts'

export interface JobContext {
  database: Database
  tenantId: string
  /** Aborted when the process is asked to stop: finish the step at hand, then throw HandBack. */
  signal: AbortSignal
  /** 1 on the first run. */
  attempt: number
  /** No further attempt follows this one. */
  isLastAttempt: boolean
  log: Log
}

export interface JobDefinition<T = unknown> {
  name: string
  /** Events whose every occurrence starts this job with `{ eventId, type }`; `'*'` is all of them. */
  on?: EventDefinition[] | '*'
  /** A cron line in UTC: the job then runs once per tenant. */
  cron?: string
  maxAttempts?: number
  /**
   * Delivery is at least once: writes carry unique keys, sends carry idempotency keys. Network calls happen here,
   * between transactions.
   */
  run(data: T, context: JobContext): Promise<void>
}

/** Declares a job. */
export function job<T>(definition: JobDefinition<T>): JobDefinition<T> {
  return definition
}

/** Thrown by a job that stops because its process does: it goes back to the queue at once, at no attempt's cost. */
export class HandBack extends Error {
  constructor() {
    super('handed back to the queue')
  }
}
