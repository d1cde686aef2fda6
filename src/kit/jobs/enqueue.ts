/** Enqueues jobs as part of a transaction. */
import { sql } from 'kysely'
import { getTenantId } from '../db/context.ts'
import type { Tx } from '../db/index.ts'
import { fixedPlan } from '../db/plans.ts'

export interface EnqueueOptions {
  runAt?: Date
  /** A new job replaces a waiting one with the same key. */
  jobKey?: string
  /** Jobs of one queue run one after another. */
  queueName?: string
  maxAttempts?: number
}

/** Enqueues a job for the transaction's tenant. It starts after `tx` has committed, or never if `tx` fails. */
export async function enqueue(
  tx: Tx,
  name: string,
  data: object,
  options: EnqueueOptions = {},
): Promise<void> {
  await sql`
    ${fixedPlan} select aldaba.enqueue(${name}, json_build_object('tenantId', ${getTenantId(tx)}::uuid, 'data', ${JSON.stringify(data)}::json),
      ${options.runAt ?? null}::timestamptz, ${options.jobKey ?? null}, ${options.queueName ?? null}, ${options.maxAttempts ?? null}::int)
  `.execute(tx)
}
