/** Creates an import of an uploaded file. */
import { TableError } from '../../domain/table/table-error.ts'
import type { Tx } from '../../kit/db/index.ts'
import type { Upload } from '../../kit/http/upload.ts'
import { startOperation } from '../../kit/operations/operation.ts'
import { invalidInput, Problem } from '../../kit/problem.ts'
import type { Client } from '../../kit/thread-pool.ts'
import type { Requester } from '../../kit/writer.ts'
import { getWorkspaceLocale } from '../leads/service.ts'
import { storeFile } from './file-store.ts'
import { applyMapping, keepUnknown, parseMapping } from './mapping.ts'
import { importKind } from './operation.ts'
import * as queries from './queries.ts'
import { detectFileKind, type FileHead, readHead } from './read-head.ts'
import { filesMaxBytes, type NewImport } from './schemas.ts'
import { toPhoneWarnings } from './warnings.ts'

export const tooManyFiles =
  'This environment already has 2 GiB of files that are being imported or kept after dry runs. Wait until an import ends, or delete a dry run.'

interface ImportedFile {
  query: NewImport
  file: Upload
  /** The result of `inspectFile`. */
  head: FileHead
  /** Who makes the attestation. */
  requester: Requester
  /** The leads become recipients of this campaign. */
  campaignId?: string
}

/**
 * Stores the file and enqueues its import. Returns the id. Throws 400 for a mapping that does not fit the file, 429
 * QUOTA_EXCEEDED, 429 TOO_MANY_JOBS.
 */
export async function createImport(
  tx: Tx,
  { query, file, head, requester, campaignId }: ImportedFile,
): Promise<string> {
  const { name = null, dryRun, onMatch, mapping: mappingText, attestation = null, country = null } = query
  const guessed = query.keepUnknown ? keepUnknown(head.guessedMapping) : head.guessedMapping
  const mapping = mappingText
    ? applyMapping({ mapping: guessed, kind: head.format.kind }, parseMapping(mappingText))
    : guessed
  if ((await queries.sumFileBytes(tx)) + file.bytes > filesMaxBytes)
    throw new Problem('QUOTA_EXCEEDED', tooManyFiles)
  const { phoneCells, ...columns } = head
  const phoneCountry = country ?? (await getWorkspaceLocale(tx)).country
  // If the cells may be split wrongly, phone columns have other values: a warning about phones would mislead.
  const warnings = head.warnings.length > 0 ? head.warnings : toPhoneWarnings(phoneCells, phoneCountry)
  const importId = await queries.insertImport(tx, {
    ...columns,
    warnings,
    name,
    dryRun,
    onMatch,
    keepUnknown: query.keepUnknown,
    mapping,
    bytes: file.bytes,
    country,
    attestation,
    requester,
    campaignId: campaignId ?? null,
  })
  await startOperation(tx, importKind, importId)
  await storeFile(tx, importId, file.read())
  return importId
}

const headingsUnknown =
  'No heading of this file is known, so its first row may be a lead. Put a row of headings above it, such as Nombre;Teléfono;Dirección. Or send a mapping of the columns: by their headings, or with hasHeadings=false by “column 1”, “column 2” and so on.'

/** Reads the head of the file. Throws 400 with the code of the TableError if the file is not a table. */
export async function inspectFile(
  file: Upload,
  { hasHeadings, mapping }: Pick<NewImport, 'hasHeadings' | 'mapping'>,
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
