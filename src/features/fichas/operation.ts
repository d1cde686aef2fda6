/** The making of a property sheet as a kind of long-running operation. */
import type { OperationKind } from '../../kit/operations/operation.ts'

export const makeFichaName = 'make-ficha'

export const fichaKind: OperationKind = {
  name: 'ficha',
  table: 'fichas',
  idField: 'fichaId',
  jobs: { generating: makeFichaName },
  limit: { max: 100, noun: 'sheets' },
}

/** The kind of object that links and blob references name. */
export const fichaObjectKind = 'ficha'
