/** The periodic job that requeues stalled extractions. */
import { requeueStalledOperations } from '../../kit/operations/stalled-operations.ts'
import { failExtraction } from './completion.ts'
import { extractionKind } from './operation.ts'
import { claimExtraction } from './run-queries.ts'

export const requeueStalledExtractions = requeueStalledOperations(extractionKind, async (tx, { id }) => {
  const claimed = await claimExtraction(tx, id)
  if (claimed) await failExtraction(tx, claimed, new Error('its job was lost at every attempt'))
})
