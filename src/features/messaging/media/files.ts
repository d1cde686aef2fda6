/** The files of messages for those who send and receive them: one is sent, some arrive, all are deleted. */
import type { Readable } from 'node:stream'
import { type Blobs, shareBlobs } from '../../../kit/blobs/blobs.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import { invalidInput, Problem } from '../../../kit/problem.ts'
import type { ChatProvider, InboundMedia, MediaKind, OutgoingMedia } from '../../../plugins/chat.ts'
import { mediaNotAccepted, mediaTooLarge } from './problems.ts'
import {
  deleteFiles,
  type FileRow,
  fileObjectKind,
  findFile,
  findFilesOfMessages,
  insertFile,
  insertPendingFiles,
  lockUpload,
} from './queries.ts'
import { type Media, toMediaUrl } from './schemas.ts'

/** The job that fetches an inbound file. */
export const fetchFileName = 'fetch-message-file'

/** A file that an account can send. `attachFile` adds it to a message. */
export interface SendableMedia extends FileRow {
  blobId: string
  mediaType: string
  bytes: number
}

type Sender = Pick<ChatProvider, 'label' | 'capabilities'>

/**
 * Returns an uploaded file, as the kind in which the provider sends it, and keeps it until the transaction ends. A file
 * may be sent more than once. Throws 400 for an unknown file, 422 MEDIA_NOT_ACCEPTED and MEDIA_TOO_LARGE.
 */
export async function getSendableMedia(
  tx: Tx,
  mediaId: string,
  provider: Sender,
  path = '/mediaId',
): Promise<SendableMedia> {
  return toSendable(await lockUpload(tx, mediaId), provider, path)
}

/** Opens uploaded files as providers send them, as examples. They are not kept. Throws as `getSendableMedia` does. */
export const createUploadOpener =
  (blobs: Pick<Blobs, 'read'>) =>
  async (tx: Tx, mediaId: string, provider: Sender, path: string): Promise<OutgoingMedia> => {
    const file = await findFile(tx, mediaId)
    const upload = file?.messageId === null ? file : null
    return toOutgoingMedia(blobs, getTenantId(tx), toSendable(upload, provider, path))
  }

function toSendable(file: FileRow | null, provider: Sender, path: string): SendableMedia {
  if (!file?.blobId || file.mediaType === null || file.bytes === null)
    throw invalidInput(
      path,
      'UNKNOWN_MEDIA',
      'There is no uploaded file with this id. A file that is not sent is deleted after a day: upload it again.',
    )
  const { blobId, mediaType, bytes } = file
  return { ...file, blobId, mediaType, bytes, kind: selectKind({ ...file, mediaType, bytes }, provider) }
}

/** A recording that can't be sent as one is sent as sound, and anything as a document. */
const nextKinds: Partial<Record<MediaKind, MediaKind>> = {
  voice: 'audio',
  audio: 'document',
  image: 'document',
  video: 'document',
}

function selectKind(
  { kind, mediaType, bytes }: { kind: MediaKind; mediaType: string; bytes: number },
  { label, capabilities: { media } }: Sender,
): MediaKind {
  let candidate: MediaKind | undefined = kind
  while (candidate && !acceptsType(media[candidate], mediaType)) candidate = nextKinds[candidate]
  const rule = candidate && media[candidate]
  if (!candidate || !rule) {
    const types = [...new Set(Object.values(media).flatMap(({ mediaTypes }) => mediaTypes))]
    throw new Problem(
      mediaNotAccepted,
      Object.keys(media).length === 0
        ? `${label} sends no files.`
        : `${label} does not send files of the type ${mediaType}. It sends ${types.join(', ')}.`,
    )
  }
  if (bytes > rule.bytesMax)
    throw new Problem(
      mediaTooLarge,
      `The file has ${formatSize(bytes, Math.ceil)}, and ${label} sends files of this kind (${candidate}) of at most ${formatSize(rule.bytesMax, Math.floor)}. Make it smaller.`,
    )
  return candidate
}

/** No media types: all are accepted. */
const acceptsType = (rule: { mediaTypes: readonly string[] } | undefined, mediaType: string): boolean =>
  rule !== undefined &&
  (rule.mediaTypes.length === 0 || rule.mediaTypes.some(type => matchesType(type, mediaType)))

/** `pattern` may end in `/*`. */
const matchesType = (pattern: string, type: string) =>
  pattern === type || pattern === '*/*' || (pattern.endsWith('/*') && type.startsWith(pattern.slice(0, -1)))

/** The size is rounded up and the limit down, so that they never look the same. */
const formatSize = (bytes: number, round: (value: number) => number) =>
  bytes < 2 ** 20 ? `${round((bytes / 1024) * 10) / 10} KB` : `${round((bytes / 2 ** 20) * 10) / 10} MB`

/** Adds a file to a message that was inserted in this transaction. */
export async function attachFile(tx: Tx, messageId: string, media: SendableMedia): Promise<void> {
  const id = await insertFile(tx, { ...media, messageId })
  const blobIds = [media.blobId, ...(media.previewBlobId ? [media.previewBlobId] : [])]
  await shareBlobs(tx, { kind: fileObjectKind, objectId: id }, blobIds)
}

/** The file of a message for its provider. Read the row with `findFilesOfMessages`. */
export function toOutgoingMedia(
  blobs: Pick<Blobs, 'read'>,
  tenantId: string,
  { kind, mediaType, fileName, bytes, blobId }: FileRow,
): OutgoingMedia {
  if (!blobId || mediaType === null || bytes === null) throw new Error('the content of the file is not here')
  return { kind, mediaType, fileName, bytes, open: (): Promise<Readable> => blobs.read(tenantId, blobId) }
}

/** Records the files of an inbound message. A job fetches them from the provider. */
export async function insertInboundFiles(tx: Tx, messageId: string, media: InboundMedia[]): Promise<void> {
  for (const fileId of await insertPendingFiles(tx, messageId, media)) await enqueueFetch(tx, fileId)
}

export const enqueueFetch = (tx: Tx, fileId: string): Promise<void> =>
  enqueue(tx, fetchFileName, { fileId }, { jobKey: `${fetchFileName}:${fileId}`, maxAttempts: 8 })

/** Deletes the files of messages, because the person was erased or deleted the message, or the messages are old. */
export async function deleteFilesOfMessages(tx: Tx, messageIds: string[]): Promise<void> {
  const files = [...(await findFilesOfMessages(tx, messageIds)).values()].flat()
  await deleteFiles(
    tx,
    files.map(({ id }) => id),
  )
}

/** `baseUrl`: the public URL with the base path. */
export function toMedia(file: FileRow, baseUrl: string): Media {
  const { id, kind, status, error, bytes, mediaType, fileName, widthPx, heightPx } = file
  return {
    id,
    kind,
    status,
    error,
    bytes,
    mediaType,
    fileName,
    widthPx,
    heightPx,
    url: status === 'ready' ? toMediaUrl(baseUrl, id) : null,
    previewUrl: file.previewBlobId ? `${toMediaUrl(baseUrl, id)}/preview` : null,
  }
}
