/** Gives extractions that lost their job another one. */
import { sweepOperations } from '../../kit/operations/sweep.ts'
import { endFailed } from './ending.ts'
import { extractionKind } from './operation.ts'
import { claimExtraction } from './run-queries.ts'

export const sweepExtractions = sweepOperations(extractionKind, async (tx, { id }) => {
  const claimed = await claimExtraction(tx, id)
  if (claimed) await endFailed(tx, claimed, new Error('its job got lost each time'))
})
