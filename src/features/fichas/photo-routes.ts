/** The photos of a sheet over HTTP, with an API key: also those that the present version leaves out. */
import { buffer } from 'node:stream/consumers'
import type { Blobs } from '../../kit/blobs/blobs.ts'
import { notFound } from '../../kit/problem.ts'
import { downloadRoute, inOnePiece, type Route } from '../../kit/route.ts'
import { id, strictObject, Type } from '../../kit/schema.ts'
import { getFicha } from './queries.ts'

const jpeg = 'image/jpeg'

export const photoRoute = ({ blobs }: { blobs: Blobs }): Route =>
  downloadRoute({
    path: '/fichas/{id}/photos/{photo}',
    operation: 'getFichaPhoto',
    tag: 'Fichas',
    summary: 'Retrieve a photo of a property sheet',
    description: 'Also one that the sheet leaves out, for somebody who chooses photos.',
    scope: 'fichas:read',
    params: strictObject({
      id: id('The sheet.'),
      photo: Type.String({ maxLength: 40, description: 'The number of the photo.' }),
    }),
    query: strictObject({
      width: Type.Integer({
        minimum: 1,
        maximum: 10_000,
        default: 960,
        description:
          'The width in pixels: the reply is the smallest stored photo that has it, or the largest.',
      }),
    }),
    types: { [jpeg]: { description: 'A JPEG.', isBinary: true } },
    async download({ params, query, caller, database }) {
      const { photos } = await database.readTenant(caller, tx => getFicha(tx, params.id))
      const photo = photos.find(({ number }) => String(number) === params.photo)
      const size = photo?.sizes.find(({ widthPx }) => widthPx >= query.width) ?? photo?.sizes.at(-1)
      if (!photo || !size) throw notFound('photo')
      const bytes = await buffer(await blobs.read(caller.tenantId, size.blobId))
      const fileName = `ficha-${params.id}-${photo.number}.jpg`
      return { type: jpeg, fileName, inline: true, pieces: inOnePiece(bytes) }
    },
  })
