/** The files of messages on the phone: pictures, recordings, and others as links. */
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { escapeMarkup } from '../../../documents/markup.ts'
import type { Blobs } from '../../../kit/blobs/blobs.ts'
import { inlineTypes, toDownloadHeaders, unknownType } from '../../../kit/blobs/media-type.ts'
import type { PublicFile } from '../../../kit/public-route.ts'
import type { FileOfThread, Message } from '../../messaging/service.ts'
import type { PhoneWords } from './words.ts'

/** A page holds files in memory, so larger ones are named only. */
const fileBytesMax = 16_000_000

type Media = Message['media'][number]

export function renderMedia(file: Media, { words, base }: { words: PhoneWords; base: string }): string {
  if (file.status === 'pending') return `<p class="soft">${words.fileComes}</p>`
  if (file.status === 'failed' || (file.bytes ?? 0) > fileBytesMax)
    return `<p class="soft">${escapeMarkup(file.fileName ?? words.file)}: ${words.fileMissing}</p>`
  const url = escapeMarkup(`${base}/media/${file.id}`)
  const isInline = inlineTypes.has(file.mediaType ?? '')
  if (isInline && (file.kind === 'image' || file.kind === 'sticker')) {
    const size = file.widthPx && file.heightPx ? ` width="${file.widthPx}" height="${file.heightPx}"` : ''
    return `<a class="picture" href="${url}"><img src="${url}" alt="${words.photo}"${size}></a>`
  }
  if (isInline && (file.kind === 'voice' || file.kind === 'audio'))
    return `<audio controls preload="none" src="${url}" aria-label="${words.voice}"></audio>`
  if (isInline && file.kind === 'video')
    return `<video controls preload="none" src="${url}" aria-label="${words.video}"></video>`
  return `<p><a href="${url}">📄 ${escapeMarkup(file.fileName ?? words.file)}</a></p>`
}

/** Null: the file is not there, or too large for a page. */
export async function readPhoneFile(
  blobs: Pick<Blobs, 'read'>,
  tenantId: string,
  { blobId, mediaType, bytes, fileName, kind }: FileOfThread,
): Promise<PublicFile | null> {
  if (!blobId || bytes === null || bytes > fileBytesMax) return null
  const content: Readable = await blobs.read(tenantId, blobId)
  const headers = toDownloadHeaders({ mediaType: mediaType ?? unknownType, bytes }, fileName ?? kind)
  return { type: headers['Content-Type']!, bytes: await buffer(content), headers }
}
