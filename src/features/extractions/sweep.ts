/** Takes up extractions whose job got lost: without one they would say RUNNING for ever. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import { enqueue } from '../../kit/enqueue.ts'
import { job } from '../../kit/job.ts'
import { fail } from './ending.ts'
import { attemptsMax, runExtractionName } from './jobs.ts'
import { claimExtraction } from './run-queries.ts'

/** What loses its job each time is left at that: it may be what kills its workers. */
const sweepsMax = 3

export const sweepExtractions = job({
  name: 'sweep-extractions',
  cron: '*/10 * * * *',
  async run(_data, { database, tenantId, log }) {
    const lost = await database.withTenant({ tenantId }, async tx => {
      const found = await sweepLost(tx)
      for (const { extractionId, isLast } of found)
        if (!isLast) await enqueue(tx, runExtractionName, { extractionId }, { maxAttempts: attemptsMax })
      return found
    })
    for (const { extractionId, isLast } of lost) {
      log.warn({ extractionId, isLast }, 'an extraction had lost its job')
      if (!isLast) continue
      const claimed = await database.withTenant({ tenantId }, tx => claimExtraction(tx, extractionId))
      if (claimed) await fail(database, tenantId, claimed, new Error('its job got lost each time'))
    }
  },
})

interface Lost {
  extractionId: string
  /** It has been taken up as often as it may. */
  isLast: boolean
}

/** Counts a sweep for each extraction that has no job. One that has just begun, or just moved, is left alone. */
async function sweepLost(tx: Tx): Promise<Lost[]> {
  const { rows } = await sql<Lost>`
    update extractions set sweeps = sweeps + 1
    where status in ('QUEUED', 'RUNNING')
      and greatest(created_at, started_at, told_at) < now() - interval '10 minutes'
      and not has_job(${runExtractionName}, id)
    returning id as "extractionId", sweeps > ${sweepsMax} as "isLast"`.execute(tx)
  return rows
}
