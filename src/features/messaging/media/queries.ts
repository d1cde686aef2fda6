/** The SQL statements of files of messages. */
import { createId, getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import type { InboundMedia, MediaKind } from '../../../plugins/chat.ts'
import type { FileStatus } from './schemas.ts'

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
  durationMs: number | null
}

const columns = sql.raw(`
  id, message_id as "messageId", kind, status, error, blob_id as "blobId", preview_blob_id as "previewBlobId",
  media_type as "mediaType", file_name as "fileName", bytes::float8 as bytes, width_px as "widthPx", height_px as "heightPx",
  duration_ms as "durationMs"`)

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

export type NewFile = Omit<FileRow, 'id' | 'status' | 'error' | 'durationMs'>

/** Inserts a file whose content is there. Returns its id. */
export async function insertFile(tx: Tx, file: NewFile): Promise<string> {
  const id = createId(tx)
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
      file_name: file.fileName,
      bytes: file.bytes,
      width_px: file.widthPx,
      height_px: file.heightPx,
      created_at: getNow(tx),
    })
    .execute()
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
    file_name: file.fileName && sanitizeText(file.fileName),
    bytes: file.bytes,
    provider_media_id: sanitizeText(file.providerMediaId),
    created_at: getNow(tx),
  }))
  if (rows.length > 0) await tx.insertInto('message_files').values(rows).execute()
  return rows.map(({ id }) => id)
}

export async function deleteFiles(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from message_files where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])`.execute(
    tx,
  )
}
