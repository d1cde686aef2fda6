/** Operations whose job got lost: without one they would be RUNNING for ever. */
import { sqlMachineNow } from '../clock/clock.ts'
import { getTenantId } from '../db/context.ts'
import { type Database, sql, type Tx } from '../db/index.ts'
import { forEachTenant } from '../jobs/for-each-tenant.ts'
import { type DeploymentJob, deploymentJob } from '../jobs/job.ts'
import { enqueueOperation, type OperationKind } from './operation.ts'
import { sqlIsActive } from './work-limit.ts'

/** What loses its job each time is left at that: it may be what kills its workers. */
const requeuesMax = 3

interface Orphan {
  id: string
  status: string
  /** It has been given a job as often as it may. */
  isLast: boolean
}

/**
 * A job that gives orphaned operations a job again, of whichever tenant, and ends those that have lost it too often
 * with `fail`.
 */
export function requeueStalledOperations(
  kind: OperationKind,
  fail: (tx: Tx, orphan: { id: string; status: string }) => Promise<unknown>,
): DeploymentJob {
  return deploymentJob({
    name: `requeue-stalled-${kind.table.replaceAll('_', '-')}`,
    cron: '*/10 * * * *',
    run: context =>
      forEachTenant(context, listStalled(context.database, kind), async (tx, tenantId) => {
        for (const orphan of await claimOrphans(tx, kind)) {
          if (orphan.isLast) await fail(tx, orphan)
          else await enqueueOperation(tx, kind, orphan.id, orphan.status)
          context.log.warn({ tenantId, ...orphan }, `a ${kind.name} had lost its job`)
        }
      }),
  })
}

/** SQL: what is to be worked on and has not moved for a while. What moved a moment ago is left alone. */
const isStalled = ({ jobs }: OperationKind) =>
  sql`${sqlIsActive(Object.keys(jobs))} and progressed_at < ${sqlMachineNow} - interval '10 minutes'`

/** The tenants that have such operations. */
async function listStalled({ owner }: Database, kind: OperationKind): Promise<string[]> {
  const { rows } = await sql<{ tenantId: string }>`
    select distinct tenant_id as "tenantId" from ${sql.table(kind.table)} where ${isStalled(kind)}`.execute(
    owner,
  )
  return rows.map(({ tenantId }) => tenantId)
}

/** Counts a sweep for each that is to be worked on and has no job. */
async function claimOrphans(tx: Tx, kind: OperationKind): Promise<Orphan[]> {
  const jobNames = [...new Set(Object.values(kind.jobs))]
  const tenantId = getTenantId(tx)
  const { rows: stalled } = await sql<{ id: string }>`
    select id from ${sql.table(kind.table)} where tenant_id = ${tenantId} and ${isStalled(kind)} for update`.execute(
    tx,
  )
  // The queue is asked by itself: it is on one node, whichever has the rows.
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
