/** The bulk change of leads as a kind of long-running operation. */
import type { OperationKind } from '../../../kit/operations/operation.ts'

export const runOperationName = 'run-lead-operation'

export const leadOperationKind: OperationKind = {
  name: 'operation',
  table: 'lead_operations',
  idField: 'operationId',
  jobs: { QUEUED: runOperationName, RUNNING: runOperationName },
  limit: { max: 100, noun: 'changes of many leads' },
}
