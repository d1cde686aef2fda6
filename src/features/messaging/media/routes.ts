/** Files over HTTP: upload one to send it, read the content and the preview of any. */
import { Readable } from 'node:stream'
import type { Blobs } from '../../../kit/blobs/blobs.ts'
import { inlineTypes, toDownloadHeaders, unknownType } from '../../../kit/blobs/media-type.ts'
import { imageDamaged, storageFull } from '../../../kit/blobs/problems.ts'
import { parseRange } from '../../../kit/byte-range.ts'
import type { Database, Tenant } from '../../../kit/db/index.ts'
import { notFound } from '../../../kit/problem.ts'
import { downloadRoute, type Route, uploadRoute } from '../../../kit/route.ts'
import { id, strictObject, Type } from '../../../kit/schema.ts'
import { detectFileType, uploadTypes } from './file-type.ts'
import { toMedia } from './files.ts'
import { mediaForbidden } from './problems.ts'
import { type FileRow, findFile, insertFile } from './queries.ts'
import { fileBytesMax, keepFile, readFileHead, storeFile } from './receive-file.ts'
import { Media, mediaExample } from './schemas.ts'

const tag = 'Messaging'
const params = strictObject({ id: id('The file.') })

export function mediaRoutes({ blobs, baseUrl }: { blobs: Blobs; baseUrl: string }): Route[] {
  return [
    uploadRoute({
      path: '/media',
      operation: 'uploadMedia',
      tag,
      summary: 'Upload a file to send it',
      description: [
        'The body is the file itself. Send its `id` as `mediaId` of a message, within a day and as often as needed; after a day the upload is deleted, and messages keep their files.',
        'The type is detected from the content. Photos, films, recordings, PDFs, office documents and plain texts are accepted. What a provider accepts is checked when the message is queued.',
        '`curl --data-binary @plano.pdf -H "Content-Type: application/pdf" …/media?fileName=plano.pdf`',
      ].join('\n\n'),
      scope: 'messaging:write',
      query: strictObject({
        fileName: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            description:
              'The name that the person sees. Control characters, marks of direction and slashes are removed or replaced.',
          }),
        ),
      }),
      upload: {
        types: uploadTypes,
        maxBytes: fileBytesMax,
        example: 'Visita el jueves a las 18:00 en Carrer de Mallorca, 214.\n',
      },
      status: 201,
      reply: Media,
      replyExample: mediaExample,
      errors: [mediaForbidden, imageDamaged, storageFull],
      async prepare({ body, caller, signal }) {
        const { head, sniffed } = await readFileHead(body.read())
        const type = detectFileType(head, sniffed, body.contentType)
        const source = Readable.from(body.read(), { objectMode: false })
        const isImage = type.kind === 'image'
        return { ...type, stored: await storeFile(source, { isImage }, { blobs, tenant: caller, signal }) }
      },
      async handle({ query, prepared: { kind, mediaType, stored }, tx }) {
        const { blob, preview } = stored
        const fileId = await insertFile(tx, {
          messageId: null,
          kind,
          blobId: blob.id,
          previewBlobId: preview?.blob.id ?? null,
          mediaType,
          fileName: query.fileName ?? null,
          bytes: blob.bytes,
          widthPx: preview?.widthPx ?? null,
          heightPx: preview?.heightPx ?? null,
        })
        await keepFile(tx, fileId, stored)
        return toMedia((await findFile(tx, fileId))!, baseUrl)
      },
    }),
    downloadRoute({
      path: '/media/{id}',
      operation: 'getMedia',
      tag,
      summary: 'Retrieve the content of a file',
      description:
        'Photos, recordings and films are shown inline; anything else is a download without a type, so that no browser runs it. With the header `Range`, the reply is that part: players use it to seek.',
      scope: 'messaging:read',
      params,
      types: Object.fromEntries(
        [...inlineTypes, unknownType].map(type => [
          type,
          { description: 'The content of the file.', isBinary: true as const },
        ]),
      ),
      acceptsRange: true,
      async download({ params, caller, database, rangeHeader }) {
        const file = await getFile(database, caller, params.id)
        if (!file.blobId || file.bytes === null) throw notFound('file')
        const { bytes, blobId } = file
        const range = parseRange(rangeHeader, bytes)
        const fileName = file.fileName ?? `${file.kind}-${file.id}`
        return {
          ...toShownFile(file.mediaType, fileName, bytes),
          bytes,
          range: range ?? undefined,
          pieces: await blobs.read(caller.tenantId, blobId, range ?? undefined),
        }
      },
    }),
    downloadRoute({
      path: '/media/{id}/preview',
      operation: 'getMediaPreview',
      tag,
      summary: 'Retrieve a small image of a file',
      description:
        'At most 480 pixels wide. Only images have one: a film or a document needs a decoder of its own (such as ffmpeg), which would run on files of strangers. Players show the first picture of a film from its content, by `Range`.',
      scope: 'messaging:read',
      params,
      types: { 'image/webp': { description: 'A WebP.', isBinary: true } },
      async download({ params, caller, database }) {
        const { id, previewBlobId } = await getFile(database, caller, params.id)
        if (!previewBlobId) throw notFound('preview')
        return {
          type: 'image/webp',
          fileName: `preview-${id}.webp`,
          inline: true,
          headers: { 'X-Content-Type-Options': 'nosniff' },
          pieces: await blobs.read(caller.tenantId, previewBlobId),
        }
      },
    }),
  ]
}

async function getFile(database: Database, caller: Tenant, fileId: string): Promise<FileRow> {
  const file = await database.readTenant(caller, tx => findFile(tx, fileId))
  if (!file) throw notFound('file')
  return file
}

function toShownFile(mediaType: string | null, fileName: string, bytes: number) {
  const headers = toDownloadHeaders({ mediaType: mediaType ?? unknownType, bytes }, fileName)
  const type = headers['Content-Type']!
  return { type, fileName, headers, ...(inlineTypes.has(type) ? { inline: true as const } : {}) }
}
