/** What a job of the deployment does in some tenants. */
import { isDatabaseUnavailable, type Tx } from '../db/index.ts'
import { type DeploymentContext, RequeueJob } from './job.ts'

/** One transaction each. What fails in one keeps no other from it, and fails the job afterwards. */
export async function forEachTenant(
  { database, log, signal }: DeploymentContext,
  tenantIds: Promise<string[]>,
  work: (tx: Tx, tenantId: string) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  for (const tenantId of await tenantIds) {
    if (signal.aborted) throw new RequeueJob()
    await database
      .withTenant({ tenantId }, tx => work(tx, tenantId))
      .catch(error => {
        if (isDatabaseUnavailable(error)) throw error
        log.error({ err: error, tenantId }, 'the work could not be done in one tenant')
        failures.push(error)
      })
  }
  if (failures.length > 0) throw new AggregateError(failures, `it failed in ${failures.length} tenants`)
}
