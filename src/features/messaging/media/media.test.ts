/** Files of messages over HTTP: upload, read in parts, previews, what is refused, and what is deleted. */
import { beforeAll, describe, expect, it } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { drawImage, makeVoiceNote } from '../../../../test/media.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { getUsage } from '../../../kit/blobs/blobs.ts'
import type { ChatCapabilities } from '../../../plugins/chat.ts'
import { getSendableMedia } from './files.ts'
import type { Media } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
  tenant = await makeTenant(app)
  return () => app.stop()
})

type Body = string | Uint8Array<ArrayBuffer>
const upload = (rawBody: Body, contentType: string, query = '') =>
  tenant.call<Media>('POST', `/media${query}`, { rawBody, contentType })

const open = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${app.url}/public/v1${path}`, { method, headers: { 'x-api-key': tenant.key, ...headers } })

describe('an upload', () => {
  it('of an image has its size, and a preview that is at most 480 pixels wide', async () => {
    const image = await drawImage(1200, 600)
    const { status, body } = await upload(image, 'image/png', '?fileName=sal%C3%B3n.png')
    expect(status).toBe(201)
    expect(body).toMatchObject({
      kind: 'image',
      status: 'ready',
      bytes: image.length,
      mediaType: 'image/png',
      fileName: 'salón.png',
      widthPx: 1200,
      heightPx: 600,
      url: `${app.config.publicUrl}/public/v1/media/${body.id}`,
      previewUrl: `${app.config.publicUrl}/public/v1/media/${body.id}/preview`,
    })
    const content = await open(`/media/${body.id}`)
    expect(Object.fromEntries(content.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(image.length),
      'content-disposition': "inline; filename*=UTF-8''sal%C3%B3n.png",
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect(new Uint8Array(await content.arrayBuffer())).toEqual(image)
    const preview = await open(`/media/${body.id}/preview`)
    expect(preview.headers.get('content-type')).toBe('image/webp')
    const { default: sharp } = await import('sharp')
    expect(await sharp(await preview.arrayBuffer()).metadata()).toMatchObject({ width: 480, height: 240 })
  })

  it('of a recorded message can be sought by a player', async () => {
    const note = makeVoiceNote(200_000)
    const { body } = await upload(note, 'audio/ogg')
    expect(body).toMatchObject({ kind: 'voice', mediaType: 'audio/ogg', previewUrl: null })
    const part = await open(`/media/${body.id}`, { range: 'bytes=100000-100099' })
    expect(part.status).toBe(206)
    expect(Object.fromEntries(part.headers)).toMatchObject({
      'content-type': 'audio/ogg',
      'content-range': 'bytes 100000-100099/200000',
      'content-length': '100',
    })
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(note.subarray(100_000, 100_100))
    const beyond = await open(`/media/${body.id}`, { range: 'bytes=200000-' })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */200000'])
    expect(await beyond.json()).toMatchObject({ code: 'RANGE_NOT_SATISFIABLE' })
    const head = await open(`/media/${body.id}`, {}, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '200000'])
    expect((await open(`/media/${body.id}/preview`)).status).toBe(404)
  })

  it('of a document is a download without a type', async () => {
    const { body } = await upload('%PDF-1.7\n', 'application/octet-stream', '?fileName=plano.pdf')
    expect(body).toMatchObject({ kind: 'document', mediaType: 'application/pdf' })
    const { headers } = await open(`/media/${body.id}`)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="plano.pdf"',
    })
  })

  it.each([
    ['con\u202egnp.exe.png', 'congnp.exe.png'],
    ['\u2067plano\u2069.pdf', 'plano.pdf'],
    ['x\n.pdf', 'x .pdf'],
    ['Factura 3/2026\\a.pdf', 'Factura 3-2026-a.pdf'],
    ['foto 👩‍👩‍👧 ñ\u0301.pdf', 'foto 👩‍👩‍👧 ñ\u0301.pdf'],
    [' \t\u00a0\u202e', null],
  ])('named %j is shown without what disguises it: %j', async (name, shown) => {
    const { body } = await upload('Hola', 'text/plain', `?fileName=${encodeURIComponent(name)}`)
    expect(body.fileName).toBe(shown)
  })

  it.each([
    ['a program', 'MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff', 'application/octet-stream'],
    ['an archive', 'PK\x03\x04\x14\0\0\0\0\0', 'application/octet-stream'],
    ['a page', '<!doctype html><script>alert(1)</script>', 'text/plain'],
    ['a vector image', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/png'],
    ['a script', '#!/bin/sh\nrm -r /\n', 'text/plain'],
    ['an unknown file', 'Hola', 'application/octet-stream'],
    ['nothing', '', 'application/pdf'],
    ['a text that is not one', 'Hola\x01', 'text/plain'],
  ])('of %s is refused, and takes no space', async (_name, content, contentType) => {
    const before = await tenant.inTenant(getUsage)
    const { status, body } = await upload(Uint8Array.from(Buffer.from(content, 'latin1')), contentType)
    expect([status, body]).toEqual([415, expect.objectContaining({ code: 'MEDIA_FORBIDDEN' })])
    expect(await tenant.inTenant(getUsage)).toBe(before)
  })

  it('of a damaged image is refused, and of a type that nobody sends', async () => {
    const image = await drawImage(300, 300)
    expect(await upload(image.slice(0, 120), 'image/png')).toMatchObject({
      status: 422,
      body: { code: 'IMAGE_DAMAGED' },
    })
    expect(await upload('<html></html>', 'text/html')).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
    })
  })

  it('belongs to its environment', async () => {
    const { body } = await upload('Hola', 'text/plain')
    const other = await makeTenant(app)
    for (const path of [`/media/${body.id}`, `/media/${body.id}/preview`])
      expect((await other.call('GET', path)).status).toBe(404)
  })

  it('is deleted after a day if it was not sent', async () => {
    const own = await makeTenant(app)
    const { body } = await own.call<Media>('POST', '/media', { rawBody: 'Hola', contentType: 'text/plain' })
    expect((await own.call('GET', `/media/${body.id}`)).status).toBe(200)
    const reply = await own.call('POST', '/sandbox/clock', {
      body: { now: new Date(Date.now() + 86_405_000).toISOString() },
    })
    expect(reply.status).toBe(200)
    expect((await own.call('GET', `/media/${body.id}`)).status).toBe(404)
    await eventually(
      () => own.inTenant(getUsage),
      bytes => bytes === 0,
    )
  })
})

describe('a file to be sent', () => {
  const capabilities = {
    media: {
      image: { mediaTypes: ['image/jpeg', 'image/png'], bytesMax: 5_000_000 },
      audio: { mediaTypes: ['audio/ogg', 'audio/mpeg'], bytesMax: 100 },
      document: { mediaTypes: ['application/pdf', 'text/plain'], bytesMax: 100_000 },
    },
  } as unknown as ChatCapabilities
  const provider = { label: 'WhatsApp', capabilities }
  const getSendable = (mediaId: string) =>
    tenant.inTenant(tx => getSendableMedia(tx, mediaId, provider)).catch(error => error)

  it('has the kind in which the provider sends it', async () => {
    const { body: image } = await upload(await drawImage(20, 20), 'image/png')
    expect(await getSendable(image.id)).toMatchObject({ kind: 'image' })
    const { body: note } = await upload(makeVoiceNote(90), 'audio/ogg')
    expect(await getSendable(note.id)).toMatchObject({ kind: 'audio' })
  })

  it('has any type if the provider names none, up to its size', async () => {
    const all = { media: { document: { mediaTypes: [], bytesMax: 2 ** 20 } } } as unknown as ChatCapabilities
    const getFor = (mediaId: string) =>
      tenant
        .inTenant(tx => getSendableMedia(tx, mediaId, { label: 'E-mail', capabilities: all }))
        .catch(error => error)
    const { body: plan } = await upload('%PDF-1.7', 'application/pdf')
    expect(await getFor(plan.id)).toMatchObject({ kind: 'document' })
    const { body: note } = await upload(makeVoiceNote(2 ** 20 + 1), 'audio/ogg')
    expect(await getFor(note.id)).toMatchObject({
      code: 'MEDIA_TOO_LARGE',
      status: 422,
      message:
        'The file has 1.1 MB, and E-mail sends files of this kind (document) of at most 1 MB. Make it smaller.',
    })
  })

  it('is refused if the provider does not send its type or size, or if there is none', async () => {
    const { body: note } = await upload(makeVoiceNote(101), 'audio/ogg')
    expect(await getSendable(note.id)).toMatchObject({ code: 'MEDIA_TOO_LARGE', status: 422 })
    const film = Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isomiso2', 'latin1')
    const { body: video } = await upload(Uint8Array.from(film), 'video/mp4')
    expect(await getSendable(video.id)).toMatchObject({ code: 'MEDIA_NOT_ACCEPTED', status: 422 })
    expect(await getSendable('01980a4e-7777-7c3e-9d7a-2f6b1c0d9e8f')).toMatchObject({
      status: 400,
      errors: [expect.objectContaining({ path: '/mediaId', code: 'UNKNOWN_MEDIA' })],
    })
  })
})
