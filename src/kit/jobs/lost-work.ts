/** Work whose job got lost: without one its row would say RUNNING for ever. */
import { sql } from 'kysely'
import type { Tx } from '../db/index.ts'

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

/**
 * Counts a sweep for each row that is to be worked on and has no job. One that moved a moment ago is left alone. The caller
 * gives each a job, or ends it.
 */
export async function sweepLost(
  tx: Tx,
  { table, idName, jobNames, statuses, movedAt }: Work,
): Promise<Lost[]> {
  const { rows } = await sql<Lost>`
    update ${sql.table(table)} set sweeps = sweeps + 1
    where status = any(${statuses}) and ${sql.raw(movedAt)} < now() - interval '10 minutes'
      and not aldaba.has_work(${jobNames}::text[], jsonb_build_object(${idName}::text, id))
    returning id, status, sweeps > ${sweepsMax} as "isLast"`.execute(tx)
  return rows
}
