/** Photos are copied in order and within limits; one that fails does not stop the others. */
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { serve } from '../../../test/faulty-server.ts'
import type { Blobs } from '../../kit/blobs/blobs.ts'
import { createStorageFull } from '../../kit/blobs/problems.ts'
import { createHttpClient } from '../../kit/http/client.ts'
import { copyPhotos } from './photos.ts'

const portalHttp = createHttpClient({ reach: 'any' })
const guardedHttp = createHttpClient({ reach: 'public' })
afterAll(() => Promise.all([portalHttp.close(), guardedHttp.close()]))

let received = 0
const blobs = {
  receive: async () => ({ id: `blob ${received++}`, bytes: 1, mediaType: 'image/jpeg', holdId: '' }),
} as unknown as Blobs

const draw = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#88aacc' } })
    .png()
    .toBuffer()

async function copy(paths: string[], otherUrls: string[] = [], store = blobs) {
  const images: Record<string, Buffer> = {
    '/large.png': await draw(2_000, 1_000),
    '/small.png': await draw(300, 500),
    '/pixel.png': await draw(1, 1),
    '/page.html': Buffer.from('<html>'),
  }
  const userAgents = new Set<string | undefined>()
  const { port, requests } = await serve((request, reply) => {
    userAgents.add(request.headers['user-agent'])
    const image = images[new URL(request.url!, 'http://x').pathname]
    if (image) reply.end(image)
    else reply.writeHead(404).end()
  })
  const baseUrl = `http://127.0.0.1:${port}`
  const urls = [...paths.map(path => baseUrl + path), ...otherUrls]
  const signal = new AbortController().signal
  const tenant = { tenantId: 'tenant' }
  return {
    requests,
    userAgents,
    ...(await copyPhotos({
      urls,
      tenant,
      baseUrl,
      portalHttp,
      guardedHttp,
      blobs: store,
      contactUrl: 'https://agency.example',
      signal,
    })),
  }
}

test('photos keep their order; each has the widths up to its own', async () => {
  const { photos, failed } = await copy(['/large.png', '/small.png'])
  expect(failed).toBe(0)
  expect(
    photos.map(({ widthPx, heightPx, sizes }) => [widthPx, heightPx, sizes.map(size => size.widthPx)]),
  ).toEqual([
    [1_600, 800, [480, 960, 1_600]],
    [300, 500, [300]],
  ])
})

test('what is absent, no image, a pixel or at a private address fails alone', async () => {
  const paths = ['/absent.png', '/page.html', '/pixel.png', '/small.png']
  const { photos, failed } = await copy(paths, ['http://127.0.0.1:1/small.png', 'not a URL'])
  expect(photos).toHaveLength(1)
  expect(failed).toBe(5)
})

test('a repeated URL is copied once, and at most forty photos', async () => {
  const many = Array.from({ length: 50 }, (_, at) => `/absent.png?${at % 45}`)
  const { requests, failed } = await copy(many)
  expect(failed).toBe(40)
  expect(requests).toHaveLength(40)
})

test('a store without space is an error, not a sheet without photos', async () => {
  const fullStore = { receive: () => Promise.reject(createStorageFull(1)) } as unknown as Blobs
  await expect(copy(['/small.png'], [], fullStore)).rejects.toMatchObject({ code: 'STORAGE_FULL' })
})

test('requests name the program', async () => {
  const { userAgents } = await copy(['/small.png'])
  expect([...userAgents]).toEqual(['AldabaBot/1.0 (+https://agency.example)'])
})
