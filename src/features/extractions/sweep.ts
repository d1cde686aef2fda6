/** Takes up extractions whose job got lost. */
import type { Tx } from '../../kit/db/index.ts'
import { enqueue } from '../../kit/jobs/enqueue.ts'
import { job } from '../../kit/jobs/job.ts'
import { type Lost, sweepLost } from '../../kit/jobs/lost-work.ts'
import { fail } from './ending.ts'
import { attemptsMax, runExtractionName } from './jobs.ts'
import { claimExtraction } from './run-queries.ts'

export const sweepExtractions = job({
  name: 'sweep-extractions',
  cron: '*/10 * * * *',
  async run(_data, { database, tenantId, log }) {
    const lost = await database.withTenant({ tenantId }, takeUpLost)
    for (const { id: extractionId, isLast } of lost) {
      log.warn({ extractionId, isLast }, 'an extraction had lost its job')
      if (!isLast) continue
      const claimed = await database.withTenant({ tenantId }, tx => claimExtraction(tx, extractionId))
      if (claimed) await fail(database, tenantId, claimed, new Error('its job got lost each time'))
    }
  },
})

async function takeUpLost(tx: Tx): Promise<Lost[]> {
  const lost = await sweepLost(tx, {
    table: 'extractions',
    idName: 'extractionId',
    jobNames: [runExtractionName],
    statuses: ['QUEUED', 'RUNNING'],
    movedAt: 'greatest(created_at, started_at, told_at)',
  })
  for (const { id: extractionId, isLast } of lost)
    if (!isLast) await enqueue(tx, runExtractionName, { extractionId }, { maxAttempts: attemptsMax })
  return lost
}
