/** The HTTP routes of imports: upload a file, list imports, read their progress and the results of their rows. */
import { TableError } from '../../domain/table/table-error.ts'
import type { Upload } from '../../kit/http/upload.ts'
import { toJsonText } from '../../kit/json-text.ts'
import { findOperationStatus, notifyCancelled, startOperation } from '../../kit/operations/operation.ts'
import { operationRoutes } from '../../kit/operations/routes.ts'
import { tooManyJobs } from '../../kit/operations/work-limit.ts'
import { createPager, pageSchema } from '../../kit/page.ts'
import { invalidInput, notFound, Problem } from '../../kit/problem.ts'
import { type Route, route, uploadRoute } from '../../kit/route.ts'
import { id, strictObject } from '../../kit/schema.ts'
import type { Client } from '../../kit/thread-pool.ts'
import { getWorkspaceLocale } from '../leads/service.ts'
import { settle } from './completion.ts'
import {
  cancelledExample,
  completedExample,
  importExample,
  importRowExample,
  importSummaryExample,
  queuedExample,
} from './examples.ts'
import { storeFile } from './file-store.ts'
import { lifecycleRoutes } from './lifecycle-routes.ts'
import { applyMapping, keepUnknown, parseMapping, validateMappingText } from './mapping.ts'
import { importKind } from './operation.ts'
import * as queries from './queries.ts'
import { detectFileKind, type FileHead, readHead } from './read-head.ts'
import {
  fileMaxBytes,
  filesMaxBytes,
  fileTypes,
  Import,
  ImportFilter,
  ImportRow,
  ImportSummary,
  NewImport,
  RowFilter,
} from './schemas.ts'
import { toPhoneWarnings } from './warnings.ts'

const tag = 'Imports'
const params = strictObject({ id: id('The import.') })

const tooManyFiles =
  'This environment already has 2 GiB of files that are being imported or kept after dry runs. Wait until an import ends, or delete a dry run.'

const example = `Nombre;Teléfono;Operación;Precio;Dirección;Municipio;Notas
Marta Soler;612 34 56 78;venta;"250.000,00 €";"Carrer de Mallorca, 214";Barcelona;Llamar por la tarde
`

const examples = {
  'application/x-ndjson':
    '{"contact":{"name":"Marta Soler","phone":"612 34 56 78"},"property":{"price":250000}}\n',
  'text/tab-separated-values': 'Nombre\tTeléfono\tPrecio\nMarta Soler\t612 34 56 78\t250.000 €\n',
}

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
    upload: { types: fileTypes, maxBytes: fileMaxBytes, example, examples },
    status: 202,
    reply: Import,
    replyExample: { ...queuedExample, name: null },
    errors: ['QUOTA_EXCEEDED', tooManyJobs(importKind.limit)],
    errorExamples: { QUOTA_EXCEEDED: tooManyFiles },
    findErrors: async ({ query }) => validateMappingText(query.mapping),
    prepare: ({ body, query, caller, signal }) => inspectFile(body, query, { ...caller, signal }),
    async handle({ query, body, prepared, caller, tx }) {
      const {
        name = null,
        dryRun,
        onMatch,
        keepUnknown: keepsUnknown,
        mapping: mappingText,
        attestation = null,
        country = null,
      } = query
      const guessed = prepared.guessedMapping
      const mappingBase = keepsUnknown ? keepUnknown(guessed) : guessed
      const mapping = mappingText
        ? applyMapping({ mapping: mappingBase, kind: prepared.format.kind }, parseMapping(mappingText))
        : mappingBase
      if ((await queries.sumFileBytes(tx)) + body.bytes > filesMaxBytes)
        throw new Problem('QUOTA_EXCEEDED', tooManyFiles)
      const { phoneCells, ...head } = prepared
      const phoneCountry = country ?? (await getWorkspaceLocale(tx)).country
      // If the cells may be split wrongly, phone columns have other values: a warning about phones would mislead.
      const warnings = head.warnings.length > 0 ? head.warnings : toPhoneWarnings(phoneCells, phoneCountry)
      const importId = await queries.insertImport(tx, {
        ...head,
        warnings,
        name,
        dryRun,
        onMatch,
        keepUnknown: keepsUnknown,
        mapping,
        bytes: body.bytes,
        country,
        attestation,
        requester: caller,
      })
      await startOperation(tx, importKind, importId)
      await storeFile(tx, importId, body.read())
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

const headingsUnknown =
  'No heading of this file is known, so its first row may be a lead. Put a row of headings above it, such as Nombre;Teléfono;Dirección. Or send a mapping of the columns: by their headings, or with hasHeadings=false by “column 1”, “column 2” and so on.'

/** Reads the head of the file. Throws 400 with the code of the TableError if the file is not a table. */
async function inspectFile(
  file: Upload,
  { hasHeadings, mapping }: NewImport,
  client: Client,
): Promise<FileHead> {
  try {
    const head = await readHead(
      await detectFileKind(file.contentType, file.read()),
      file,
      hasHeadings ?? null,
      client,
    )
    const hasKnownHeading = Object.values(head.guessedMapping).some(field => field !== null)
    if (!head.isHeaderSure && !hasKnownHeading && mapping === undefined)
      throw new TableError('HEADINGS_UNKNOWN', headingsUnknown)
    return head
  } catch (error) {
    throw error instanceof TableError ? invalidInput('', error.code, error.message) : error
  }
}
