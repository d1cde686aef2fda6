/** The media type of a file, and the headers to serve it safely. */
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { sniffMediaType, toDownloadHeaders } from './media-type.ts'

const picture = sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })

test.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('detects an image as %s', async format => {
  expect(await sniffMediaType(await picture.clone().toFormat(format).toBuffer())).toBe(`image/${format}`)
})

test.each([
  ['%PDF-1.7\n', 'application/pdf'],
  ['OggS\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x13OpusHead', 'audio/ogg'],
  ['\0\0\0\x18ftypisom\0\0\0\0isomiso2', 'video/mp4'],
  ['<html><script>alert(1)</script>', 'application/octet-stream'],
  ['', 'application/octet-stream'],
])('detects %j as %s', async (head, mediaType) => {
  expect(await sniffMediaType(Buffer.from(head, 'latin1'))).toBe(mediaType)
})

test('images, audio and video are displayed inline', () => {
  for (const mediaType of ['image/jpeg', 'audio/ogg', 'video/mp4'])
    expect(toDownloadHeaders({ mediaType, bytes: 5 }, 'a.jpg')).toMatchObject({
      'Content-Type': mediaType,
      'Content-Length': '5',
      'Content-Disposition': "inline; filename*=UTF-8''a.jpg",
      'X-Content-Type-Options': 'nosniff',
    })
})

test('files that could run scripts are downloads without a type', () => {
  for (const mediaType of ['text/html', 'image/svg+xml', 'application/xml', 'application/pdf'])
    expect(toDownloadHeaders({ mediaType, bytes: 5 }, 'a.pdf')).toMatchObject({
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': expect.stringMatching(/^attachment;/),
      'Content-Security-Policy': "default-src 'none'; sandbox",
    })
})

test('a file name cannot break out of its header', () => {
  const headers = toDownloadHeaders(
    { mediaType: 'image/png', bytes: 1 },
    'a"; x=y\r\nSet-Cookie: 1 (ñ\').png',
  )
  expect(headers['Content-Disposition']).toMatch(/^inline; filename\*=UTF-8''[\w.%-]+$/)
})
