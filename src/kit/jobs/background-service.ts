/** Continuous work outside the job queue, such as an outbox sender. It runs in every process that takes jobs. */
import type { Database } from '../db/index.ts'
import type { Log } from '../log.ts'

export interface ServiceContext {
  database: Database
  log: Log
}

export interface BackgroundService {
  start(context: ServiceContext): RunningService
}

export interface RunningService {
  /** Starts no new work, and waits until the running work has ended. */
  stop(): Promise<void>
}
