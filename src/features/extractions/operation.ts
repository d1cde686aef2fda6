/** The extraction as a kind of long-running operation. */
import type { OperationKind } from '../../kit/operations/operation.ts'

export const runExtractionName = 'run-extraction'

export const extractionKind: OperationKind = {
  name: 'extraction',
  table: 'extractions',
  idField: 'extractionId',
  jobs: { QUEUED: runExtractionName, RUNNING: runExtractionName },
  // More than a large agency needs for all its towns on several portals at once.
  limit: { max: 200, noun: 'extractions' },
}
