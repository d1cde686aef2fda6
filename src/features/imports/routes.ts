/** The HTTP routes of imports: upload a file, list imports, read their progress and the results of their rows. */
import { toJsonText } from '../../kit/json-text.ts'
import { findOperationStatus, notifyCancelled } from '../../kit/operations/operation.ts'
import { operationRoutes } from '../../kit/operations/routes.ts'
import { tooManyJobs } from '../../kit/operations/work-limit.ts'
import { createPager, pageSchema } from '../../kit/page.ts'
import { notFound } from '../../kit/problem.ts'
import { type Route, route, uploadRoute } from '../../kit/route.ts'
import { id, strictObject } from '../../kit/schema.ts'
import { settle } from './completion.ts'
import { createImport, inspectFile, tooManyFiles } from './create.ts'
import {
  cancelledExample,
  completedExample,
  fileExample,
  fileExamples,
  importExample,
  importRowExample,
  importSummaryExample,
  queuedExample,
} from './examples.ts'
import { lifecycleRoutes } from './lifecycle-routes.ts'
import { validateMappingText } from './mapping.ts'
import { importKind } from './operation.ts'
import * as queries from './queries.ts'
import {
  fileMaxBytes,
  fileTypes,
  Import,
  ImportFilter,
  ImportRow,
  ImportSummary,
  NewImport,
  RowFilter,
} from './schemas.ts'

const tag = 'Imports'
const params = strictObject({ id: id('The import.') })

export const importRoutes: Route[] = [
  uploadRoute({
    path: '/leads/imports',
    operation: 'importLeads',
    tag,
    summary: 'Import leads from a file',
    description: [
      'The body is the file itself: CSV or NDJSON, one object per line. The encoding, the separator and headings in Spanish, Portuguese, Italian, Catalan or English are detected.',
      'The reply comes when the file is uploaded and its headings are read. The rows are imported in the background: `GET /leads/imports/{id}` shows the progress, `…/rows` the result of each row, and the event `leads.imported` reports the end. Parameters are checked before the file is received.',
      '`curl --data-binary @clientes.csv -H "Content-Type: text/csv" …`',
    ].join('\n\n'),
    scope: 'leads:write',
    query: NewImport,
    upload: { types: fileTypes, maxBytes: fileMaxBytes, example: fileExample, examples: fileExamples },
    status: 202,
    reply: Import,
    replyExample: { ...queuedExample, name: null },
    errors: ['QUOTA_EXCEEDED', tooManyJobs(importKind.limit)],
    errorExamples: { QUOTA_EXCEEDED: tooManyFiles },
    findErrors: async ({ query }) => validateMappingText(query.mapping),
    prepare: ({ body, query, caller, signal }) => inspectFile(body, query, { ...caller, signal }),
    async handle({ query, body, prepared, caller, tx }) {
      const importId = await createImport(tx, { query, file: body, head: prepared, requester: caller })
      return toJsonText((await queries.findImport(tx, importId))!)
    },
  }),
  route({
    method: 'GET',
    path: '/leads/imports',
    operation: 'listImports',
    tag,
    summary: 'List imports, newest first',
    description: 'The items do not include the columns; `GET /leads/imports/{id}` returns them.',
    scope: 'leads:read',
    query: ImportFilter,
    status: 200,
    reply: pageSchema(ImportSummary),
    replyExample: { data: [importSummaryExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller, tx }) {
      const pager = createPager('imports', caller.tenantId, query)
      return pager.reply(await queries.listImports(tx, query, pager.after))
    },
  }),
  ...operationRoutes({
    kind: importKind,
    path: '/leads/imports/{id}',
    tag,
    title: 'Import',
    scopes: { read: 'leads:read', write: 'leads:write' },
    reply: Import,
    examples: {
      running: importExample,
      ended: completedExample,
      cancellation: cancelledExample,
    },
    cancelDescription:
      'The import stops within two seconds. Rows imported until then are kept, and can be undone.',
    find: queries.findImport,
    async cancel(tx, importId) {
      const state = await queries.lockImport(tx, importId)
      if (state?.status !== 'QUEUED' && state?.status !== 'RUNNING') return false
      await queries.cancelImport(tx, importId)
      await settle(tx, importId)
      await notifyCancelled(tx, importKind, importId)
      return true
    },
  }),
  route({
    method: 'GET',
    path: '/leads/imports/{id}/rows',
    operation: 'listImportRows',
    tag,
    summary: 'List the results of the rows, in the order of the file',
    scope: 'leads:read',
    params,
    query: RowFilter,
    status: 200,
    reply: pageSchema(ImportRow),
    replyExample: { data: [importRowExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ params, query, caller, tx }) {
      if (!(await findOperationStatus(tx, importKind, params.id))) throw notFound('import')
      const pager = createPager(`imports/${params.id}/rows`, caller.tenantId, query)
      return pager.reply(await queries.listRows(tx, params.id, query, pager.after))
    },
  }),
  ...lifecycleRoutes,
]
