/** Work that is not done job by job: it runs for as long as a process takes jobs. */
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
  /** Begins nothing any more, and waits for what is under way. */
  stop(): Promise<void>
}
