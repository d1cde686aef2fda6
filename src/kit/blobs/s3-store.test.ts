/** The S3 store with a service that is unreachable, slow, broken, or has other access keys. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type S3Server, startS3Server } from '../../../test/s3-server.ts'
import { newId } from '../id.ts'
import { createS3Store } from './s3-store.ts'
import { createSpool } from './spool.ts'
import { BlobMissing, type BlobStore, toBlobKey } from './store.ts'

const bytes = randomBytes(3_000_000)

/** Handles a request in place of the service. The proxy forwards all other requests. */
type Fault = (request: IncomingMessage, reply: ServerResponse) => void

let server: S3Server
let proxy: Server
let faults: Fault[] = []
let requests: string[] = []
let spoolDir: string
beforeAll(async () => {
  server = await startS3Server()
  spoolDir = await mkdtemp(`${tmpdir()}/aldaba-spool-`)
  const port = Number(new URL(server.bucket.endpoint).port)
  proxy = createServer((request, reply) => {
    requests.push(request.method!)
    const fault = faults.shift()
    if (fault) return fault(request, reply)
    const onward = connect(port, '127.0.0.1', () => {
      const lines = request.rawHeaders.flatMap((name, index) =>
        index % 2 === 0
          ? [`${name}: ${/^connection$/i.test(name) ? 'close' : request.rawHeaders[index + 1]}`]
          : [],
      )
      onward.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      request.pipe(onward, { end: false })
    })
    onward.on('error', () => reply.destroy())
    onward.pipe(reply.socket!)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await server.stop()
  await rm(spoolDir, { recursive: true })
})

let store: BlobStore
beforeEach(() => {
  faults = []
  requests = []
  store = openStore()
})
afterEach(() => store.close())

function openStore(other: Partial<S3Server['bucket']> = {}): BlobStore {
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return createS3Store({ ...server.bucket, endpoint, ...other }, { idleMaxMs: 1000, retryMs: 5 })
}

const put = (key: string, { signal = AbortSignal.timeout(30_000), into = store, content = bytes } = {}) =>
  createSpool(spoolDir).receive(
    Readable.from([content]),
    { bytesMax: content.length, tooLarge: () => new Error('too large'), signal },
    file => into.put(key, file, signal),
  )
const read = async (key: string) => buffer(await store.read(key))
const makeKey = () => toBlobKey(newId(), newId())

const replyWith =
  (status: number, code: string): Fault =>
  (request, reply) => {
    request.resume()
    reply.writeHead(status).end(`<Error><Code>${code}</Code><Message>of ${request.url}</Message></Error>`)
  }
const cutImmediately: Fault = request => request.socket.destroy()
const cutWhileSending: Fault = request => request.once('data', () => request.socket.destroy())
const neverReplies: Fault = request => request.resume()
const cutInTheMiddle: Fault = (_request, reply) => {
  reply.writeHead(200, { 'content-length': bytes.length })
  reply.write(bytes.subarray(0, 500_000), () => reply.socket!.destroy())
}
const stalls: Fault = (_request, reply) => {
  reply.writeHead(200, { 'content-length': bytes.length })
  reply.write(bytes.subarray(0, 500_000))
}

const transientFaults: [string, Fault][] = [
  ['500', replyWith(500, 'InternalError')],
  ['503', replyWith(503, 'SlowDown')],
  ['429', replyWith(429, 'TooManyRequests')],
  ['a connection closed at once', cutImmediately],
  ['a connection closed while sending', cutWhileSending],
  ['no reply', neverReplies],
]

describe.each(transientFaults)('%s', (_name, fault) => {
  test('is retried when writing, reading and removing', async () => {
    const key = makeKey()
    faults = [fault, fault]
    await put(key)
    expect(requests).toEqual(['PUT', 'PUT', 'PUT'])
    // GET and DELETE have no body that could be cut.
    const again = fault === cutWhileSending ? cutImmediately : fault
    faults = [again]
    expect((await read(key)).equals(bytes)).toBe(true)
    faults = [again]
    await store.remove(key)
    await expect(store.read(key)).rejects.toBeInstanceOf(BlobMissing)
  })

  test('is reported after four attempts', async () => {
    faults = [fault, fault, fault, fault]
    await expect(put(makeKey())).rejects.toThrow()
    expect(requests).toEqual(['PUT', 'PUT', 'PUT', 'PUT'])
  })
})

describe('a reply that', () => {
  test.each([
    ['is cut in the middle', cutInTheMiddle],
    ['stalls', stalls],
  ])('%s fails, and is never taken as complete', async (_name, fault) => {
    const key = makeKey()
    faults = [fault]
    await expect(read(key)).rejects.toThrow()
    expect(requests).toEqual(['GET'])
  })
})

describe('does not retry', () => {
  test('a wrong access key; the error contains only the code', async () => {
    const other = openStore({ secretAccessKey: 'hunter2' })
    const error = await put(makeKey(), { into: other, content: Buffer.from('x') }).catch(error => error)
    expect(error.message).toBe('the service of BLOBS_S3_URL replied to PUT with 403 SignatureDoesNotMatch')
    expect(requests).toEqual(['PUT'])
    await other.close()
  })

  test('a missing bucket, which is not reported as a missing blob', async () => {
    const other = openStore({ bucket: 'none' })
    await expect(other.read(makeKey())).rejects.toThrow(/404 NoSuchBucket$/)
    expect(requests).toEqual(['GET'])
    await other.close()
  })

  test('an aborted request', async () => {
    const gone = new AbortController()
    faults = [
      (request, reply) => {
        neverReplies(request, reply)
        gone.abort(new Error('the client is gone'))
      },
    ]
    await expect(put(makeKey(), { signal: gone.signal })).rejects.toThrow(/client is gone/)
    expect(requests).toEqual(['PUT'])
  })

  test('an endless error reply, which is not read to its end', async () => {
    faults = [
      (request, reply) => {
        request.resume()
        reply.writeHead(403).write('x'.repeat(100_000))
      },
    ]
    await expect(store.read(makeKey())).rejects.toThrow(/403$/)
    expect(requests).toEqual(['GET'])
  })
})

test('an unreachable service is reported within seconds', async () => {
  const unreachable = openStore({ endpoint: 'http://127.0.0.1:1' })
  await expect(unreachable.read(makeKey())).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await unreachable.close()
})
