/** Files that people send: fetched from the provider, tried again, refused, too large. */
import { Readable } from 'node:stream'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { createFakeProvider, makeFailure } from '../../../../test/chat-provider.ts'
import { eventually, startTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeJobsDue, waitUntilIdle } from '../../../../test/jobs.ts'
import { makeVoiceNote } from '../../../../test/media.ts'
import { connectAccount, readMessage } from '../../../../test/messaging.ts'
import { listMessages, makeMessage, receive } from '../../../../test/receiving.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { getUsage } from '../../../kit/blobs/blobs.ts'
import { sql } from '../../../kit/db/index.ts'
import { chatProviders } from '../../../plugins/chat/index.ts'
import { ChatError, type InboundMedia } from '../../../plugins/chat.ts'
import { recordSendFailure } from '../../accounts/service.ts'
import type { Media } from './schemas.ts'

const fake = createFakeProvider()
let app: TestApp
let tenant: TestTenant
/** The files for which the provider was called. */
let opened: string[]
let accountId: string
beforeAll(async () => {
  app = await startTestApp({ chatProviders: [...chatProviders, fake] })
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app, 'live')
  opened = []
})

/** A person sends a file. Returns it when it is no longer pending, or when the provider was called in vain. */
async function receiveFile(
  file: Partial<InboundMedia>,
  openMedia: (attempt: number) => Readable,
  attempts = 1,
): Promise<Media> {
  accountId = await connectAccount(tenant)
  fake.openMedia = async (connection, { providerMediaId }) => {
    expect(connection).toMatchObject({ accountId })
    opened.push(providerMediaId)
    return openMedia(opened.length)
  }
  const media = {
    kind: 'voice',
    providerMediaId: 'm-1',
    mediaType: null,
    fileName: null,
    bytes: null,
    ...file,
  } as const
  const content = { kind: 'media', media: [media], caption: null } as const
  await receive(tenant, accountId, [makeMessage('+34612345678', { ...content, media: [media] })])
  const callAgain = async () => {
    for (const seconds of await makeJobsDue(app.database, tenant.tenantId)) expect(seconds).toBeLessThan(60)
    return opened.length
  }
  if (attempts > 1) await eventually(callAgain, count => count === attempts)
  return waitForFile(({ status, error }) => status !== 'pending' || error !== null)
}

async function waitForFile(isDone: (file: Media) => boolean): Promise<Media> {
  const [message] = await listMessages(tenant)
  const { media: files } = await eventually(
    () => readMessage(tenant, message!.id),
    ({ media: [found] }) => found !== undefined && isDone(found),
    30_000,
  )
  return files[0]!
}

const read = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}/public/v1${path}`, { headers: { 'x-api-key': tenant.key, ...headers } })

it('has the name that its sender gave it, without what disguises it', async () => {
  const content = () => Readable.from([Buffer.from('MZ')])
  const file = await receiveFile({ kind: 'document', fileName: 'nomina\u202efdp.exe' }, content)
  expect(file.fileName).toBe('nominafdp.exe')
})

it('are tried again while the provider is down; a recording plays from any position', async () => {
  const note = makeVoiceNote(50_000)
  const file = await receiveFile(
    { mediaType: 'audio/ogg; codecs=opus' },
    attempt => {
      if (attempt === 1) throw new ChatError(makeFailure('PROVIDER_UNAVAILABLE', { retryable: true }))
      return Readable.from([note])
    },
    2,
  )
  expect(file).toMatchObject({
    kind: 'voice',
    status: 'ready',
    mediaType: 'audio/ogg',
    bytes: 50_000,
    error: null,
  })
  expect(opened).toEqual(['m-1', 'm-1'])
  const part = await read(`/media/${file.id}`, { range: 'bytes=40000-40099' })
  expect([part.status, part.headers.get('content-type')]).toEqual([206, 'audio/ogg'])
  expect(new Uint8Array(await part.arrayBuffer())).toEqual(note.subarray(40_000, 40_100))
})

it('fail with the sentence of a provider that refuses, at once', async () => {
  const message = 'The file has expired. Ask the person to send it again.'
  const file = await receiveFile({}, () => {
    throw new ChatError(makeFailure('MEDIA_REJECTED', { scope: 'message', message }))
  })
  expect(file).toMatchObject({ status: 'failed', error: message, url: null, previewUrl: null })
  expect(opened).toEqual(['m-1'])
})

const revoked = () => {
  throw new ChatError(makeFailure('INVALID_CREDENTIALS'))
}

it('wait while the token is revoked, and are fetched when the account is connected again', async () => {
  const file = await receiveFile({ mediaType: 'audio/ogg' }, attempt =>
    attempt === 1 ? revoked() : Readable.from([makeVoiceNote(1000)]),
  )
  expect(file).toMatchObject({ status: 'pending', error: makeFailure('INVALID_CREDENTIALS').message })
  await tenant.inTenant(tx => recordSendFailure(tx, accountId, makeFailure('INVALID_CREDENTIALS')))
  await waitUntilIdle(app.database, tenant.tenantId)
  const due = await eventually(
    () => makeJobsDue(app.database, tenant.tenantId),
    jobs => jobs.length > 0,
  )
  expect(due).toEqual([expect.closeTo(3600, -2)])
  await waitForFile(({ error }) => error === 'The account has no access. Connect it again to fetch the file.')
  expect(opened).toEqual(['m-1'])
  const { body } = await tenant.call<{ phone: string }>('GET', `/accounts/${accountId}`)
  const credentials = { number: body.phone.slice(3), secret: 'new and valid' }
  expect((await tenant.call('PATCH', `/accounts/${accountId}`, { body: { credentials } })).status).toBe(200)
  expect(await waitForFile(({ status }) => status !== 'pending')).toMatchObject({
    status: 'ready',
    error: null,
  })
})

it('are tried every hour for a week, and then fail', async () => {
  await receiveFile({}, revoked)
  await tenant.inTenant(tx =>
    sql`update message_files set created_at = created_at - interval '7 days' where tenant_id = ${tenant.tenantId}`.execute(
      tx,
    ),
  )
  await waitUntilIdle(app.database, tenant.tenantId)
  await makeJobsDue(app.database, tenant.tenantId)
  expect(await waitForFile(({ status }) => status !== 'pending')).toMatchObject({ status: 'failed' })
})

it('fail if they are too large, and take no space', async () => {
  const piece = Buffer.alloc(1024 * 1024, 1)
  const file = await receiveFile({}, () => Readable.from(Array.from({ length: 102 }, () => piece)))
  expect(file).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/large|at most|MB|MiB/),
    url: null,
  })
  expect(opened).toEqual(['m-1'])
  expect(await tenant.inTenant(getUsage)).toBe(0)
})

it('of a film have no preview, and say so', async () => {
  const film = Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isomiso2', 'latin1')
  const file = await receiveFile({ kind: 'video', mediaType: 'video/mp4' }, () => Readable.from([film]))
  expect(file).toMatchObject({ kind: 'video', status: 'ready', mediaType: 'video/mp4', previewUrl: null })
  expect(await (await read(`/media/${file.id}/preview`)).json()).toMatchObject({
    statusCode: 404,
    code: 'NOT_FOUND',
  })
  expect((await read(`/media/${file.id}`)).headers.get('content-type')).toBe('video/mp4')
})
