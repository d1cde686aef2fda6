/** Files of messages as the API shows them. */
import { nullable, oneOf, type Static, Type } from '../../../kit/schema.ts'
import { mediaKinds } from '../../../plugins/chat.ts'

const fileStatuses = ['ready', 'pending', 'failed'] as const
export type FileStatus = (typeof fileStatuses)[number]

export const Media = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The file: `GET /media/{id}` returns its content.' }),
    kind: oneOf(mediaKinds, {
      description:
        'What the file is, detected from its content. A file of the kind `voice` is a recorded message.',
    }),
    status: oneOf(fileStatuses, {
      description:
        '`pending`: it is being fetched from the provider, for up to 7 days while the account or the provider is down. `failed`: see `error`.',
    }),
    error: nullable(
      Type.String({
        description: 'Why the file could not be fetched, or is still pending; null: nothing is wrong.',
      }),
    ),
    bytes: nullable(Type.Integer({ minimum: 0, description: 'The size; null: not known yet.' })),
    mediaType: nullable(Type.String({ description: 'The media type, detected from the content.' })),
    fileName: nullable(Type.String({ description: 'The name that its sender gave it.' })),
    widthPx: nullable(Type.Integer({ description: 'The width of an image; null: not known.' })),
    heightPx: nullable(Type.Integer({ description: 'The height of an image; null: not known.' })),
    url: nullable(
      Type.String({ description: 'The address of the content, which needs a key; null: it is not there.' }),
    ),
    previewUrl: nullable(
      Type.String({
        description:
          'The address of a small WebP of an image; null: it has none, as films, recordings and documents.',
      }),
    ),
  },
  { title: 'Media' },
)
export type Media = Static<typeof Media>

/** The address of a file. `baseUrl`: the public URL with the base path. */
export const toMediaUrl = (baseUrl: string, fileId: string): string => `${baseUrl}/public/v1/media/${fileId}`

const exampleId = '01980a5c-7a10-7c3e-8d55-2f6b9f0c1d2e'
export const mediaExample: Media = {
  id: exampleId,
  kind: 'image',
  status: 'ready',
  error: null,
  bytes: 184_320,
  mediaType: 'image/jpeg',
  fileName: 'salon.jpg',
  widthPx: 1600,
  heightPx: 1200,
  url: toMediaUrl('https://api.example.com', exampleId),
  previewUrl: `${toMediaUrl('https://api.example.com', exampleId)}/preview`,
}
