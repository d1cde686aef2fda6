/** The job of an operation: it goes on where it was left, in slices, until it ends, fails for good, or is cancelled. */
import { isDatabaseUnavailable, type Tx } from '../db/index.ts'
import { type JobContext, type JobDefinition, job, RequeueJob } from '../jobs/job.ts'
import {
  attemptsMax,
  findOperationStatus,
  isActiveStatus,
  type OperationKind,
  toCancelTopic,
} from './operation.ts'

/** Another run has claimed the operation, or somebody cancelled it: this one stops without a word. */
export class ClaimLost extends Error {}

/** A part of a run, after which others may have their turn. */
export interface Slice extends JobContext {
  /** Aborted when the process stops and when the operation is cancelled. */
  signal: AbortSignal
  /**
   * Whether the run makes way now: its time is over and others wait, or a killed worker cost it attempts, which it gets
   * back so.
   */
  shouldYield(): Promise<boolean>
  /** Throws RequeueJob if the process stops, or if the run makes way now. To be called when everything is stored. */
  yieldToOthers(): Promise<void>
}

export interface OperationRun<Claimed> {
  /** Of the job. */
  name: string
  kind: OperationKind
  /** Unless given 60 s. */
  sliceMs?: number
  /** Takes it, whoever had it before. Null: it has ended, and nothing is left to do. */
  claim(tx: Tx, id: string): Promise<Claimed | null>
  /** Works to the end. What it has stored it does not do again. */
  run(claimed: Claimed, slice: Slice): Promise<void>
  /** Whether another attempt is in vain. */
  isFinal(error: unknown): boolean
  /** Ends it as failed; what is done stays done. */
  fail(claimed: Claimed, error: unknown, context: JobContext): Promise<unknown>
}

const defaultSliceMs = 60_000

export function defineOperationJob<Claimed>(
  operation: OperationRun<Claimed>,
): JobDefinition<Record<string, string>> {
  const { name, kind, sliceMs = defaultSliceMs } = operation
  return job<Record<string, string>>({
    name,
    workerPool: 'long',
    maxAttempts: attemptsMax,
    async run(data, context) {
      const id = data[kind.idField]!
      const { database, tenantId, log, isLastAttempt } = context
      // Before it is claimed: a cancellation right after that is heard as well.
      const cancelled = watchCancellation(kind, id, context)
      try {
        const claimed = await database.withTenant({ tenantId }, tx => operation.claim(tx, id))
        if (claimed === null) return
        const signal = AbortSignal.any([context.signal, cancelled.signal])
        try {
          await operation.run(claimed, { ...createSlice(context, sliceMs, signal) })
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

/** The time that a run may take before it makes way; also for jobs of the deployment. */
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
    // A notification says that something may have changed; without an answer the next write will show it.
    const status = await database
      .readTenant({ tenantId }, tx => findOperationStatus(tx, kind, id))
      .catch(() => 'RUNNING')
    if (!status || !isActiveStatus(kind, status)) cancelling.abort()
  })
  return { signal: cancelling.signal, stop }
}
