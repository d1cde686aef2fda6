/** Putting a job into the queue, in the transaction that wants it done. */
import { sql } from 'kysely'
import type { Tx } from './db/index.ts'

export interface EnqueueOptions {
  runAt?: Date
  /** Of several jobs with one key only the last remains. */
  jobKey?: string
  /** Jobs of one queue run one after another. */
  queueName?: string
  maxAttempts?: number
}

/** Enqueues a job for the transaction's tenant; it starts if `tx` commits, and not before. */
export async function enqueue(
  tx: Tx,
  name: string,
  data: object,
  options: EnqueueOptions = {},
): Promise<void> {
  await sql`
    select aldaba.enqueue(${name}, json_build_object('tenantId', aldaba.current_tenant(), 'data', ${JSON.stringify(data)}::json),
      ${options.runAt ?? null}::timestamptz, ${options.jobKey ?? null}, ${options.queueName ?? null}, ${options.maxAttempts ?? null}::int)
  `.execute(tx)
}

/** Enqueues many of one name, with one statement. */
export async function enqueueMany(
  tx: Tx,
  name: string,
  jobs: { data: object; jobKey: string }[],
  { maxAttempts }: Pick<EnqueueOptions, 'maxAttempts'> = {},
): Promise<void> {
  const texts = jobs.map(({ data }) => JSON.stringify(data))
  const keys = jobs.map(({ jobKey }) => jobKey)
  await sql`
    select count(aldaba.enqueue(${name}, json_build_object('tenantId', aldaba.current_tenant(), 'data', data::json), null, job_key, null, ${maxAttempts ?? null}::int))
    from unnest(${texts}::text[], ${keys}::text[]) as job (data, job_key)
  `.execute(tx)
}
