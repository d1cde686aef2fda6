/** What an extraction is as a long-running operation. */
import type { OperationKind } from '../../kit/operations/operation.ts'

export const runExtractionName = 'run-extraction'

export const extractionKind: OperationKind = {
  name: 'extraction',
  table: 'extractions',
  idField: 'extractionId',
  jobs: { QUEUED: runExtractionName, RUNNING: runExtractionName },
  // Every town of a large agency on several portals at once is less.
  limit: { max: 200, noun: 'extractions' },
}
