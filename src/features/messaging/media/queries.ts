/** The SQL statements of files of messages. */
import { releaseBlobs } from '../../../kit/blobs/blobs.ts'
import { addDays, createId, getNow, sqlNowFor, subtractDays } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { type Database, sql, type Tx } from '../../../kit/db/index.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import type { InboundMedia, MediaKind } from '../../../plugins/chat.ts'
import { addMentions } from '../mentions.ts'
import { toFileName } from './file-name.ts'
import type { FileStatus } from './schemas.ts'

/** Refers to the blobs of a file, by its id. */
export const fileObjectKind = 'message_file'
/** How long an upload waits to be sent. */
const uploadDays = 1
/** Deleted at once. */
const expiredMax = 500
/** How long a file is fetched while the account or the provider is down: providers keep files for at least a week. */
const fetchDays = 7
/** Listed at once. */
const pendingMax = 500

export interface FileRow {
  id: string
  /** Null: uploaded, and not a file of a message. */
  messageId: string | null
  kind: MediaKind
  status: FileStatus
  error: string | null
  blobId: string | null
  previewBlobId: string | null
  mediaType: string | null
  fileName: string | null
  bytes: number | null
  widthPx: number | null
  heightPx: number | null
}

const columns = sql.raw(`
  id, message_id as "messageId", kind, status, error, blob_id as "blobId", preview_blob_id as "previewBlobId",
  media_type as "mediaType", file_name as "fileName", bytes::float8 as bytes, width_px as "widthPx", height_px as "heightPx"`)

export async function findFile(tx: Tx, id: string): Promise<FileRow | null> {
  const { rows } = await sql<FileRow>`
    select ${columns} from message_files where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
  return rows[0] ?? null
}

/** Finds an uploaded file, and keeps it until the transaction ends. */
export async function lockUpload(tx: Tx, id: string): Promise<FileRow | null> {
  const { rows } = await sql<FileRow>`
    select ${columns} from message_files
    where tenant_id = ${getTenantId(tx)} and id = ${id} and message_id is null for no key update`.execute(tx)
  return rows[0] ?? null
}

/** The files of messages, by message, in their order. */
export async function findFilesOfMessages(tx: Tx, messageIds: string[]): Promise<Map<string, FileRow[]>> {
  if (messageIds.length === 0) return new Map()
  const { rows } = await sql<FileRow>`
    select ${columns} from message_files
    where tenant_id = ${getTenantId(tx)} and message_id = any(${messageIds}::uuid[])
    order by message_id, position`.execute(tx)
  return Map.groupBy(rows, ({ messageId }) => messageId!)
}

export type NewFile = Omit<FileRow, 'id' | 'status' | 'error'>

/** Inserts a file whose content is there. Returns its id. */
export async function insertFile(tx: Tx, file: NewFile): Promise<string> {
  const id = createId(tx)
  const fileName = toFileName(file.fileName)
  await tx
    .insertInto('message_files')
    .values({
      tenant_id: getTenantId(tx),
      id,
      message_id: file.messageId,
      kind: file.kind,
      status: 'ready',
      blob_id: file.blobId,
      preview_blob_id: file.previewBlobId,
      media_type: file.mediaType,
      file_name: fileName,
      bytes: file.bytes,
      width_px: file.widthPx,
      height_px: file.heightPx,
      created_at: getNow(tx),
    })
    .execute()
  if (file.messageId) await addMentions(tx, [{ messageId: file.messageId, parts: [fileName] }])
  return id
}

/** Inserts the files of an inbound message, whose content is still to be fetched. */
export async function insertPendingFiles(
  tx: Tx,
  messageId: string,
  media: InboundMedia[],
): Promise<string[]> {
  const rows = media.map((file, position) => ({
    tenant_id: getTenantId(tx),
    id: createId(tx),
    message_id: messageId,
    position,
    kind: file.kind,
    status: 'pending',
    media_type: file.mediaType && sanitizeText(file.mediaType),
    file_name: toFileName(file.fileName),
    bytes: file.bytes,
    provider_media_id: sanitizeText(file.providerMediaId),
    created_at: getNow(tx),
  }))
  if (rows.length > 0) await tx.insertInto('message_files').values(rows).execute()
  await addMentions(tx, [{ messageId, parts: rows.map(({ file_name }) => file_name) }])
  return rows.map(({ id }) => id)
}

/** Deletes files with their content. */
export async function deleteFiles(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from message_files where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])`.execute(
    tx,
  )
  await releaseBlobs(tx, { kind: fileObjectKind, objectIds: ids })
}

/** An inbound file that is still to be fetched. */
export interface PendingFile {
  id: string
  messageId: string
  conversationId: string
  accountId: string
  media: InboundMedia
}

/** Returns null if the file is there, failed or was deleted. */
export async function findPendingFile(tx: Tx, fileId: string): Promise<PendingFile | null> {
  const { rows } = await sql<Omit<PendingFile, 'media'> & InboundMedia & { fileId: string }>`
    select f.id, f.message_id as "messageId", m.conversation_id as "conversationId", m.account_id as "accountId",
      f.kind, f.provider_media_id as "providerMediaId", f.media_type as "mediaType", f.file_name as "fileName", f.bytes::float8 as bytes
    from message_files f join messages m on m.tenant_id = ${getTenantId(tx)} and m.id = f.message_id
    where f.tenant_id = ${getTenantId(tx)} and f.id = ${fileId} and f.status = 'pending'`.execute(tx)
  const [row] = rows
  if (!row) return null
  const { id, messageId, conversationId, accountId, kind, providerMediaId, mediaType, fileName, bytes } = row
  const media = { kind, providerMediaId, mediaType, fileName, bytes }
  return { id, messageId, conversationId, accountId, media }
}

/** Stores the content of a pending file. Returns false if the file is not pending any more. */
export async function finishFile(
  tx: Tx,
  fileId: string,
  content: Pick<FileRow, 'blobId' | 'previewBlobId' | 'mediaType' | 'bytes' | 'widthPx' | 'heightPx'>,
): Promise<boolean> {
  const { rows } = await sql`
    update message_files set status = 'ready', error = null, blob_id = ${content.blobId}, preview_blob_id = ${content.previewBlobId},
      media_type = ${content.mediaType}, bytes = ${content.bytes}, width_px = ${content.widthPx}, height_px = ${content.heightPx}
    where tenant_id = ${getTenantId(tx)} and id = ${fileId} and status = 'pending' returning id`.execute(tx)
  return rows.length > 0
}

/**
 * Ends an attempt to fetch a pending file. It fails if that is final, or a week old; otherwise it waits. Returns null if it
 * is not pending any more. `isChanged`: people see something new.
 */
export async function endFetch(
  tx: Tx,
  fileId: string,
  reason: string,
  { isFinal }: { isFinal: boolean },
): Promise<{ isWaiting: boolean; isChanged: boolean } | null> {
  const error = sanitizeText(reason).slice(0, 500)
  const { rows } = await sql<{ isWaiting: boolean; isChanged: boolean }>`
    update message_files f set error = ${error},
      status = case when ${isFinal} or f.created_at <= ${subtractDays(getNow(tx), fetchDays)} then 'failed' else 'pending' end
    from message_files before
    where f.tenant_id = ${getTenantId(tx)} and f.id = ${fileId} and f.status = 'pending'
      and before.tenant_id = f.tenant_id and before.id = f.id
    returning f.status = 'pending' as "isWaiting",
      f.status <> before.status or f.error is distinct from before.error as "isChanged"`.execute(tx)
  return rows[0] ?? null
}

/**
 * Lists the files of an account that could not be fetched and wait, some hundred of those after an id. A file without an
 * error has a job that is due.
 */
export async function listWaitingFiles(tx: Tx, accountId: string, after: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select f.id from message_files f join messages m on m.tenant_id = f.tenant_id and m.id = f.message_id
    where f.tenant_id = ${getTenantId(tx)} and f.status = 'pending' and f.error is not null and f.id > ${after} and m.account_id = ${accountId}
    order by f.id limit ${pendingMax}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** When the next upload that is not sent expires; null: there is none. */
export async function findNextUploadExpiry(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(created_at) as at from message_files
    where tenant_id = ${getTenantId(tx)} and message_id is null`.execute(tx)
  const at = rows[0]?.at
  return at ? addDays(at, uploadDays) : null
}

/** Deletes expired uploads, some hundred at once. */
export async function deleteExpiredUploads(tx: Tx): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from message_files
    where tenant_id = ${getTenantId(tx)} and message_id is null and created_at <= ${subtractDays(getNow(tx), uploadDays)}
    order by created_at limit ${expiredMax} for update skip locked`.execute(tx)
  await deleteFiles(
    tx,
    rows.map(({ id }) => id),
  )
}

export async function listTenantsWithExpiredUploads({ owner }: Database): Promise<string[]> {
  const { rows } = await sql<{ tenantId: string }>`
    select distinct tenant_id as "tenantId" from message_files f
    where message_id is null and created_at + interval '1 day' <= ${sqlNowFor('f.tenant_id')}`.execute(owner)
  return rows.map(({ tenantId }) => tenantId)
}
