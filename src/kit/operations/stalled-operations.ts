/** Requeues operations that have lost their job. Without a job they would stay RUNNING for ever. */
import { sqlMachineNow } from '../clock/clock.ts'
import { getTenantId } from '../db/context.ts'
import { type Database, sql, type Tx } from '../db/index.ts'
import { forEachTenant } from '../jobs/for-each-tenant.ts'
import { type DeploymentJob, deploymentJob } from '../jobs/job.ts'
import { enqueueOperation, type OperationKind } from './operation.ts'
import { sqlIsActive } from './work-limit.ts'

/** An operation that loses its job more often is ended as failed, since it may be what kills the workers. */
const requeuesMax = 3

interface Orphan {
  id: string
  status: string
  /** True if it may not be requeued any more. */
  isLast: boolean
}

/**
 * Defines a deployment job that requeues orphaned operations of all tenants, and calls `fail` for those that have lost
 * their job too often.
 */
export function requeueStalledOperations(
  kind: OperationKind,
  fail: (tx: Tx, orphan: { id: string; status: string }) => Promise<unknown>,
): DeploymentJob {
  return deploymentJob({
    name: `requeue-stalled-${kind.table.replaceAll('_', '-')}`,
    cron: '*/10 * * * *',
    run: context =>
      forEachTenant(context, listTenantsWithStalled(context.database, kind), async (tx, tenantId) => {
        for (const orphan of await claimOrphans(tx, kind)) {
          if (orphan.isLast) await fail(tx, orphan)
          else await enqueueOperation(tx, kind, orphan.id, orphan.status)
          context.log.warn(
            { tenantId, ...orphan },
            `requeued a stalled operation (${kind.name}), or failed it after ${requeuesMax} requeues`,
          )
        }
      }),
  })
}

/** SQL: true for active operations without progress for ten minutes. */
const sqlIsStalled = ({ jobs }: OperationKind) =>
  sql`${sqlIsActive(Object.keys(jobs))} and progressed_at < ${sqlMachineNow} - interval '10 minutes'`

/** Lists the tenants that have stalled operations. */
async function listTenantsWithStalled({ owner }: Database, kind: OperationKind): Promise<string[]> {
  const { rows } = await sql<{ tenantId: string }>`
    select distinct tenant_id as "tenantId" from ${sql.table(kind.table)} where ${sqlIsStalled(kind)}`.execute(
    owner,
  )
  return rows.map(({ tenantId }) => tenantId)
}

/** Finds stalled operations without a job, and counts a requeue for each. */
async function claimOrphans(tx: Tx, kind: OperationKind): Promise<Orphan[]> {
  const jobNames = [...new Set(Object.values(kind.jobs))]
  const tenantId = getTenantId(tx)
  const { rows: stalled } = await sql<{ id: string }>`
    select id from ${sql.table(kind.table)} where tenant_id = ${tenantId} and ${sqlIsStalled(kind)} for update`.execute(
    tx,
  )
  // A separate query, because with Citus the queue is on one node and the rows may be on another.
  const { rows: idle } = await sql<{ id: string }>`
    select id from unnest(${stalled.map(({ id }) => id)}::uuid[]) id
    where not aldaba.has_pending_jobs(${jobNames}::text[], jsonb_build_object(${kind.idField}::text, id))`.execute(
    tx,
  )
  const { rows } = await sql<Orphan>`
    update ${sql.table(kind.table)} set requeues = requeues + 1
    where tenant_id = ${tenantId} and id = any(${idle.map(({ id }) => id)}::uuid[])
    returning id, status, requeues > ${requeuesMax} as "isLast"`.execute(tx)
  return rows
}
