/** The HTTP routes that start the import of a dry run, undo imports and delete them. */
import type { Tx } from '../../kit/db/index.ts'
import { toJsonText } from '../../kit/json-text.ts'
import { isActiveStatus, notifyProgress, startOperation } from '../../kit/operations/operation.ts'
import { tooManyJobs } from '../../kit/operations/work-limit.ts'
import { notFound, Problem } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { id, strictObject, Type } from '../../kit/schema.ts'
import { completedExample, queuedExample } from './examples.ts'
import { applyMapping, validateMapping } from './mapping.ts'
import { importKind } from './operation.ts'
import * as queries from './queries.ts'
import { Import, ImportStart } from './schemas.ts'

const tag = 'Imports'
const params = strictObject({ id: id('The import.') })

/** Throws 404 if there is no such import. */
async function lockOrThrow(tx: Tx, importId: string): Promise<queries.ImportState> {
  const state = await queries.lockImport(tx, importId)
  if (!state) throw notFound('import')
  return state
}

const createRefusal = (sentence: string) => new Problem('INVALID_TRANSITION', sentence)

const readReply = async (tx: Tx, importId: string) => toJsonText((await queries.findImport(tx, importId))!)

export const lifecycleRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/leads/imports/{id}/start',
    operation: 'startImport',
    tag,
    summary: 'Import the file of a dry run',
    description:
      'The file of a dry run is kept for 24 hours after its end, so you need not upload it again. The results of the rows are replaced.',
    scope: 'leads:write',
    params,
    body: ImportStart,
    example: { mapping: { Notas: null }, onMatch: 'skip' },
    status: 202,
    reply: Import,
    replyExample: {
      ...queuedExample,
      onMatch: 'skip',
      mapping: { ...queuedExample.mapping, Notas: null },
    },
    errors: ['INVALID_TRANSITION', tooManyJobs(importKind.limit)],
    errorExamples: { INVALID_TRANSITION: 'The dry run is RUNNING: wait until it has ended.' },
    findErrors: ({ params, body, read }) =>
      read(async tx => validateMapping(body.mapping ?? {}, await queries.findMapping(tx, params.id))),
    async handle({ params, body, caller, tx }) {
      const { status, dryRun, hasFile, mapping, kind } = await lockOrThrow(tx, params.id)
      if (!dryRun) throw createRefusal('Only a dry run can be started; this import is not a dry run.')
      if (isActiveStatus(importKind, status))
        throw createRefusal(`The dry run is ${status}: wait until it has ended.`)
      if (!hasFile) throw createRefusal('The file of this dry run has been deleted: upload it again.')
      await queries.restartImport(tx, params.id, {
        mapping: applyMapping({ mapping, kind }, body.mapping ?? {}),
        onMatch: body.onMatch ?? null,
        attestation: body.attestation ?? null,
        requester: caller,
      })
      await startOperation(tx, importKind, params.id)
      return readReply(tx, params.id)
    },
  }),
  route({
    method: 'POST',
    path: '/leads/imports/{id}/undo',
    operation: 'undoImport',
    tag,
    summary: 'Undo an import',
    description:
      'Leads that it created are deleted; leads that it updated get their former values back. Leads that somebody has changed since are kept; the rows show which. If the file was uploaded to a campaign, its people are taken out first: those who have got nothing leave, and those who have got a message are `stopped` with the reason `IMPORT_UNDONE`. People whom another file has named too stay. The quota is not refunded.',
    scope: 'leads:write',
    params,
    status: 202,
    reply: Import,
    replyExample: {
      ...completedExample,
      status: 'UNDOING',
      progress: { ...completedExample.progress, percent: 0 },
    },
    errors: ['INVALID_TRANSITION', tooManyJobs(importKind.limit)],
    errorExamples: { INVALID_TRANSITION: 'This import is already undone.' },
    async handle({ params, tx }) {
      const { status, dryRun } = await lockOrThrow(tx, params.id)
      if (dryRun) throw createRefusal('A dry run changes nothing, so there is nothing to undo.')
      if (isActiveStatus(importKind, status))
        throw createRefusal(`This import is ${status}: wait until it has ended, or cancel it.`)
      if (status === 'UNDONE') throw createRefusal('This import is already undone.')
      await queries.startUndo(tx, params.id)
      await startOperation(tx, importKind, params.id, 'UNDOING')
      notifyProgress(tx, importKind, params.id)
      return readReply(tx, params.id)
    },
  }),
  route({
    method: 'DELETE',
    path: '/leads/imports/{id}',
    operation: 'deleteImport',
    tag,
    summary: 'Delete an import and its rows',
    description: 'The leads are kept. The import can no longer be undone.',
    scope: 'leads:write',
    params,
    status: 204,
    reply: Type.Null(),
    errors: ['INVALID_TRANSITION'],
    errorExamples: { INVALID_TRANSITION: 'This import is RUNNING: wait until it has ended, or cancel it.' },
    async handle({ params, tx }) {
      const { status } = await lockOrThrow(tx, params.id)
      if (isActiveStatus(importKind, status))
        throw createRefusal(`This import is ${status}: wait until it has ended, or cancel it.`)
      await queries.deleteImport(tx, params.id)
      notifyProgress(tx, importKind, params.id)
      return null
    },
  }),
]
