/** Work that is not done job by job: it runs for as long as a process takes jobs. */
import type { Database } from '../db/index.ts'
import type { Log } from '../log.ts'

export interface RunnerContext {
  database: Database
  log: Log
}

export interface Runner {
  start(context: RunnerContext): Running
}

export interface Running {
  /** Begins nothing any more, and waits for what is under way. */
  stop(): Promise<void>
}
