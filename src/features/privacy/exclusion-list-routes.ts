/** Imports of exclusion lists over HTTP: as JSON in several requests, or as a file. */
import type { Identifier } from '../../domain/contact/identifiers.ts'
import type { Tx } from '../../kit/db/index.ts'
import { throwIfInvalid } from '../../kit/problem.ts'
import { type Route, route, uploadRoute } from '../../kit/route.ts'
import { readExclusionFile } from './exclusion-file.ts'
import { getCountry, readIdentifiers } from './identifier-input.ts'
import * as queries from './queries.ts'
import * as schemas from './schemas.ts'
import { suppress } from './suppression-list.ts'

const tag = 'Suppressions'
const importedAt = '2026-11-02T11:00:00.000Z'
const replaceHint =
  'To replace a list in several requests, import the whole new edition, and send `importedAt` of the first reply as `removeBefore` of the last request: it removes all entries that none of these requests contained. People on both editions stay on the list all the time.'
const plainTextHint =
  'Send identifiers in plain text; only keyed hashes of them are stored. Hashes are not accepted: a hash without a key can be reversed by trying all phone numbers, and a hash with another key matches nothing here.'

export const exclusionListRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/suppressions/imports',
    operation: 'importSuppressions',
    tag,
    summary: `Import an exclusion list, up to ${schemas.importMax} identifiers per request`,
    description: `The identifiers are added to the list with this name. ${replaceHint}\n\n${plainTextHint}`,
    scope: 'leads:write',
    body: schemas.SuppressionImport,
    example: { listName: 'Lista Robinson', identifiers: [schemas.identifierExample], channel: null },
    status: 201,
    reply: schemas.ImportedSuppressions,
    replyExample: { importedAt, added: 1, existing: 0, removed: 0, invalid: [] },
    findErrors: ({ body, read }) => read(tx => queries.findRemovalErrors(tx, body.removeBefore)),
    async handle({ body, caller, tx }) {
      throwIfInvalid(await queries.findRemovalErrors(tx, body.removeBefore))
      const at = await queries.startListImport(tx, body.listName)
      const read = await readIdentifiers(tx, body.identifiers)
      const counts = await addToList(tx, read.flat(), {
        listName: body.listName,
        channel: body.channel ?? null,
        requester: caller,
      })
      const removed = body.removeBefore
        ? await queries.deleteUnconfirmed(tx, body.listName, body.removeBefore)
        : 0
      const invalid = read.flatMap((found, index) => (found.length === 0 ? [{ index }] : []))
      return { importedAt: at, ...counts, removed, invalid }
    },
  }),
  uploadRoute({
    path: '/suppressions/imports/file',
    operation: 'importSuppressionFile',
    tag,
    summary: 'Import an exclusion list from a file',
    description: [
      'The body is the file itself: CSV or text, with one column or several, with or without headings. Phone numbers, e-mail addresses and chats are read; other columns are ignored.',
      'With `replace`, the file is the whole list: entries that it does not contain are removed in the same transaction.',
      plainTextHint,
      '`curl --data-binary @robinson.csv -H "Content-Type: text/csv" …`',
    ].join('\n\n'),
    scope: 'leads:write',
    query: schemas.SuppressionFile,
    upload: {
      types: schemas.fileTypes,
      maxBytes: schemas.fileMaxBytes,
      example: schemas.fileExample,
      examples: { 'text/tab-separated-values': schemas.fileExample.replaceAll(';', '\t') },
    },
    status: 201,
    reply: schemas.ImportedSuppressionFile,
    replyExample: {
      importedAt,
      rows: 2,
      added: 2,
      existing: 0,
      removed: 0,
      unreadable: 0,
      unreadableRows: [],
    },
    async prepare({ body, caller, database, signal }) {
      const country = await database.readTenant(caller, getCountry)
      return readExclusionFile(body, country, { ...caller, signal })
    },
    async handle({ query, prepared, caller, tx }) {
      const { identifiers, ...counted } = prepared
      const { listName, channel = null, replace } = query
      const at = await queries.startListImport(tx, listName)
      const counts = await addToList(tx, identifiers, { listName, channel, requester: caller })
      const removed = replace ? await queries.deleteUnconfirmed(tx, listName, null) : 0
      return { importedAt: at, ...counted, ...counts, removed }
    },
  }),
]

/** Identifiers per statement. */
const addBatchSize = 5000

async function addToList(
  tx: Tx,
  identifiers: Identifier[],
  list: Pick<Parameters<typeof suppress>[2], 'channel' | 'listName' | 'requester'>,
): Promise<{ added: number; existing: number }> {
  const counts = { added: 0, existing: 0 }
  for (let start = 0; start < identifiers.length; start += addBatchSize) {
    const { added, existing } = await suppress(tx, identifiers.slice(start, start + addBatchSize), {
      kind: 'exclusion_list',
      note: null,
      ...list,
    })
    await queries.confirmEntries(tx, existing)
    counts.added += added.length
    counts.existing += existing.length
  }
  return counts
}
