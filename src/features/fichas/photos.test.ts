/** Photos are copied in order and within limits; one that fails does not stop the others. */
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Blobs } from '../../kit/blobs/blobs.ts'
import { createStorageFull } from '../../kit/blobs/problems.ts'
import { RequeueJob } from '../../kit/jobs/job.ts'
import { copyPhotos, type PhotoSourceOptions } from './photos.ts'

let received = 0
const blobs = {
  receive: async () => ({ id: `blob ${received++}`, bytes: 1, mediaType: 'image/jpeg', holdId: '' }),
} as unknown as Blobs

const draw = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#88aacc' } })
    .png()
    .toBuffer()

const images: Record<string, Buffer> = {
  'large.png': await draw(2_000, 1_000),
  'small.png': await draw(300, 500),
  'pixel.png': await draw(1, 1),
  'page.html': Buffer.from('<html>'),
}

async function copy(urls: string[], options: Partial<PhotoSourceOptions> = {}) {
  const requested: string[] = []
  const copied = await copyPhotos({
    urls,
    tenant: { tenantId: 'tenant' },
    async fetchPhoto(url) {
      requested.push(url)
      const image = images[url]
      if (!image) throw new Error(`${url} is gone`)
      return image
    },
    blobs,
    deadline: new AbortController().signal,
    signal: new AbortController().signal,
    ...options,
  })
  return { requested, ...copied }
}

test('photos keep their order; each has the widths up to its own', async () => {
  const { photos, failed } = await copy(['large.png', 'small.png'])
  expect(failed).toBe(0)
  expect(
    photos.map(({ widthPx, heightPx, sizes }) => [widthPx, heightPx, sizes.map(size => size.widthPx)]),
  ).toEqual([
    [1_600, 800, [480, 960, 1_600]],
    [300, 500, [300]],
  ])
})

test('what is absent, no image or a pixel fails alone', async () => {
  const { photos, failed } = await copy(['absent.png', 'page.html', 'pixel.png', 'small.png'])
  expect(photos).toHaveLength(1)
  expect(failed).toBe(3)
})

test('a repeated URL is copied once, and at most forty photos', async () => {
  const many = Array.from({ length: 50 }, (_, at) => `absent.png?${at % 45}`)
  const { requested, failed } = await copy(many)
  expect(failed).toBe(40)
  expect(requested).toHaveLength(40)
})

test('a store without space is an error, not a sheet without photos', async () => {
  const fullStore = { receive: () => Promise.reject(createStorageFull(1)) } as unknown as Blobs
  await expect(copy(['small.png'], { blobs: fullStore })).rejects.toMatchObject({ code: 'STORAGE_FULL' })
})

test('photos that have not come by the deadline are left out', async () => {
  const deadline = new AbortController()
  const { photos, failed } = await copy(
    Array.from({ length: 8 }, (_, at) => `${at}.png`),
    {
      deadline: deadline.signal,
      fetchPhoto(url) {
        if (url === '0.png') return Promise.resolve(images['small.png']!)
        if (url === '4.png') setTimeout(() => deadline.abort(), 20)
        return new Promise((_, reject) => deadline.signal.addEventListener('abort', reject))
      },
    },
  )
  expect(photos.map(({ sourceUrl }) => sourceUrl)).toEqual(['0.png'])
  expect(failed).toBe(7)
})

test('a process that stops makes no sheet without photos', async () => {
  const stopping = new AbortController()
  const fetchPhoto = async () => {
    stopping.abort()
    throw new Error('stopped')
  }
  await expect(copy(['small.png'], { fetchPhoto, signal: stopping.signal })).rejects.toBeInstanceOf(
    RequeueJob,
  )
})
