/** The job of an operation. It runs in slices, each resuming the last, until it completes, fails or is cancelled. */
import { isDatabaseUnavailable, type Tx } from '../db/index.ts'
import { type JobContext, type JobDefinition, job, RequeueJob, type WorkerPoolName } from '../jobs/job.ts'
import {
  attemptsMax,
  findOperationStatus,
  isActiveStatus,
  type OperationKind,
  toCancelTopic,
} from './operation.ts'

/** Thrown when another run has claimed the operation or it was cancelled: this run stops without logging. */
export class ClaimLost extends Error {}

/** One part of a run, after which waiting jobs get their turn. */
export interface Slice extends JobContext {
  /** Aborted when the process stops and when the operation is cancelled. */
  signal: AbortSignal
  /**
   * True if the run should requeue itself: its time is over, and other jobs wait or it has lost attempts to a killed
   * worker. Requeueing resets the attempts.
   */
  shouldYield(): Promise<boolean>
  /** Throws RequeueJob if the process stops or `shouldYield`. Call it when all work so far is stored. */
  yieldToOthers(): Promise<void>
}

export interface OperationRun<Claimed> {
  /** The name of the job. */
  name: string
  kind: OperationKind
  /** Default: 60 s. */
  sliceMs?: number
  /** Default: `long`. */
  workerPool?: WorkerPoolName
  /** Claims the operation, also from a previous run. Null if it has already ended. */
  claim(tx: Tx, id: string): Promise<Claimed | null>
  /** Processes the operation to its end, without repeating work that is already stored. */
  run(claimed: Claimed, slice: Slice): Promise<void>
  /** True if another attempt would fail with the same error. */
  isFinal(error: unknown): boolean
  /** Marks the operation as failed, and keeps finished work. */
  fail(claimed: Claimed, error: unknown, context: JobContext): Promise<unknown>
}

const defaultSliceMs = 60_000

export function defineOperationJob<Claimed>(
  operation: OperationRun<Claimed>,
): JobDefinition<Record<string, string>> {
  const { name, kind, sliceMs = defaultSliceMs, workerPool = 'long' } = operation
  return job<Record<string, string>>({
    name,
    workerPool,
    maxAttempts: attemptsMax,
    async run(data, context) {
      const id = data[kind.idField]!
      const { database, tenantId, log, isLastAttempt } = context
      // Starts before the claim, so that no cancellation after it is missed.
      const cancelled = watchCancellation(kind, id, context)
      try {
        const claimed = await database.withTenant({ tenantId }, tx => operation.claim(tx, id))
        if (claimed === null) return
        const signal = AbortSignal.any([context.signal, cancelled.signal])
        try {
          await operation.run(claimed, createSlice(context, sliceMs, signal))
        } catch (error) {
          if (error instanceof ClaimLost || cancelled.signal.aborted) return
          if (error instanceof RequeueJob || isDatabaseUnavailable(error)) throw error
          if (!operation.isFinal(error) && !isLastAttempt) throw error
          log.warn({ err: error, [kind.idField]: id }, `the job ${name} failed`)
          await operation.fail(claimed, error, context)
        }
      } finally {
        cancelled.stop()
      }
    },
  })
}

/** Adds to a job's context the end of its slice: the time after which it yields to waiting jobs. */
export function createSlice<Context extends Pick<JobContext, 'attempt' | 'hasWaitingJobs' | 'signal'>>(
  context: Context,
  sliceMs: number,
  signal = context.signal,
): Context & Pick<Slice, 'shouldYield' | 'yieldToOthers' | 'signal'> {
  const endsMs = performance.now() + sliceMs
  const shouldYield = async () =>
    performance.now() > endsMs && (context.attempt > 1 || (await context.hasWaitingJobs()))
  return {
    ...context,
    signal,
    shouldYield,
    async yieldToOthers() {
      if (signal.aborted || (await shouldYield())) throw new RequeueJob()
    },
  }
}

function watchCancellation(
  kind: OperationKind,
  id: string,
  { database, tenantId }: JobContext,
): { signal: AbortSignal; stop(): void } {
  const cancelling = new AbortController()
  const stop = database.notifications.on(toCancelTopic(kind, id), async () => {
    // If the status cannot be read, the next write detects the cancellation.
    const status = await database
      .readTenant({ tenantId }, tx => findOperationStatus(tx, kind, id))
      .catch(() => 'RUNNING')
    if (!status || !isActiveStatus(kind, status)) cancelling.abort()
  })
  return { signal: cancelling.signal, stop }
}
