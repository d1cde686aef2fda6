/** Work whose job got lost: without one its row would say RUNNING for ever. */
import { type Database, sql, type Tx } from '../db/index.ts'
import { inEachTenant } from './each-tenant.ts'
import { type DeploymentJob, deploymentJob } from './job.ts'

/** What loses its job each time is left at that: it may be what kills its workers. */
const sweepsMax = 3

/** A tenant table of work that jobs do; it counts in `sweeps` how often each was taken up. */
export interface Work {
  table: string
  /** By which name the data of a job tell the id of its row. */
  idName: string
  jobNames: string[]
  /** Of what is still to be done. */
  statuses: string[]
  /** SQL: when something last happened to it. */
  movedAt: string
}

export interface Lost {
  id: string
  status: string
  /** It has been taken up as often as it may. */
  isLast: boolean
}

export interface Sweep extends Work {
  /** Of the job. */
  name: string
  /** Gives it a job again, or, if it `isLast`, ends it. */
  takeUp(tx: Tx, lost: Lost): Promise<void>
}

/** A job that takes up what has lost its own, of whichever tenant. */
export function sweepJob({ name, takeUp, ...work }: Sweep): DeploymentJob {
  return deploymentJob({
    name,
    cron: '*/10 * * * *',
    run: context =>
      inEachTenant(context, listStalled(context.database, work), async (tx, tenantId) => {
        for (const lost of await sweepLost(tx, work)) {
          await takeUp(tx, lost)
          context.log.warn({ tenantId, ...lost }, 'work had lost its job')
        }
      }),
  })
}

/** SQL: work that has not moved for a while. What moved a moment ago is left alone. */
const isStalled = ({ statuses, movedAt }: Work) =>
  sql`status = any(${statuses}) and ${sql.raw(movedAt)} < now() - interval '10 minutes'`

/** The tenants that have such work. */
async function listStalled({ owner }: Database, work: Work): Promise<string[]> {
  const { rows } = await sql<{ tenantId: string }>`
    select distinct tenant_id as "tenantId" from ${sql.table(work.table)} where ${isStalled(work)}`.execute(
    owner,
  )
  return rows.map(({ tenantId }) => tenantId)
}

/** Counts a sweep for each row that is to be worked on and has no job. */
async function sweepLost(tx: Tx, work: Work): Promise<Lost[]> {
  const { table, idName, jobNames } = work
  const { rows } = await sql<Lost>`
    update ${sql.table(table)} set sweeps = sweeps + 1
    where ${isStalled(work)}
      and not aldaba.has_work(${jobNames}::text[], jsonb_build_object(${idName}::text, id))
    returning id, status, sweeps > ${sweepsMax} as "isLast"`.execute(tx)
  return rows
}
