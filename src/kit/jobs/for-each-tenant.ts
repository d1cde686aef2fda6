/** Runs work of a deployment job in several tenants. */
import { isDatabaseUnavailable, type Tx } from '../db/index.ts'
import { type DeploymentContext, RequeueJob } from './job.ts'

/**
 * Runs `work` in one transaction per tenant. A failure in one tenant does not stop the others; at the end the function
 * throws an AggregateError. Throws RequeueJob between two tenants if the process stops.
 */
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
        log.error({ err: error, tenantId }, 'a deployment job failed in one tenant')
        failures.push(error)
      })
  }
  if (failures.length > 0) throw new AggregateError(failures, `it failed in ${failures.length} tenants`)
}
