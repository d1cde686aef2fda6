/** Takes up extractions whose job got lost. */
import type { Tx } from '../../kit/db/index.ts'
import { enqueue } from '../../kit/jobs/enqueue.ts'
import { type Lost, sweepJob } from '../../kit/jobs/lost-work.ts'
import { endFailed } from './ending.ts'
import { attemptsMax, runExtractionName } from './jobs.ts'
import { claimExtraction } from './run-queries.ts'

export const sweepExtractions = sweepJob({
  name: 'sweep-extractions',
  table: 'extractions',
  idName: 'extractionId',
  jobNames: [runExtractionName],
  statuses: ['QUEUED', 'RUNNING'],
  movedAt: 'greatest(created_at, started_at, told_at)',
  takeUp,
})

async function takeUp(tx: Tx, { id: extractionId, isLast }: Lost): Promise<void> {
  if (!isLast) return enqueue(tx, runExtractionName, { extractionId }, { maxAttempts: attemptsMax })
  const claimed = await claimExtraction(tx, extractionId)
  if (claimed) await endFailed(tx, claimed, new Error('its job got lost each time'))
}
