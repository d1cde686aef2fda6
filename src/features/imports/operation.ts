/** The import as a kind of long-running operation: its run and its undo. */
import type { OperationKind } from '../../kit/operations/operation.ts'

export const runImportName = 'run-import'
export const undoImportName = 'undo-import'

export const importKind: OperationKind = {
  name: 'import',
  table: 'imports',
  idField: 'importId',
  jobs: { QUEUED: runImportName, RUNNING: runImportName, UNDOING: undoImportName },
  limit: { max: 50, noun: 'imports' },
}
