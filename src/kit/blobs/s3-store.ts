/**
 * Stores blobs in a bucket of an S3-compatible service. A PUT is atomic, and carries the hash of the content. Transient
 * errors are retried: no reply, 429 and 5xx.
 */
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, type Dispatcher, request } from 'undici'
import type { S3Bucket } from '../../config.ts'
import type { ByteRange } from '../byte-range.ts'
import { BlobMissing, type BlobStore } from './store.ts'

const attemptsMax = 4
const connectMaxMs = 5000
/** The largest part of an error reply that is read. */
const errorBytesMax = 16_384
const connectionsMax = 32

/** The SHA-256 of an empty body. */
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** The service replied with an error, or with an unexpected status. */
class S3Error extends Error {
  readonly status: number
  readonly code: string
  constructor(method: string, status: number, code: string) {
    super(`the service of BLOBS_S3_URL replied to ${method} with ${status} ${code}`.trimEnd())
    this.status = status
    this.code = code
  }
}

interface Call {
  method: 'GET' | 'PUT' | 'DELETE'
  key: string
  headers?: Record<string, string>
  /** The SHA-256 of the body, in hexadecimal. */
  hash?: string
  /** Opens the body, once for each attempt. */
  open?: () => Readable
  signal?: AbortSignal
}

type Reply = Dispatcher.ResponseData

/** Timeouts, which tests shorten. */
interface Timing {
  /** The longest time without a byte, before and during the reply. */
  idleMaxMs: number
  /** The pause before the second attempt. It is four times as long before each further one. */
  retryMs: number
}

/** Creates the store. `timing`: defaults to 30 s without a byte, and a first retry after 250 ms. */
export function createS3Store(bucket: S3Bucket, timing: Partial<Timing> = {}): BlobStore {
  const { send, close } = createS3Client(bucket, { idleMaxMs: 30_000, retryMs: 250, ...timing })
  return {
    async put(key, { path, bytes, hash }, signal) {
      const headers = { 'content-length': String(bytes), 'content-type': 'application/octet-stream' }
      const open = () => createReadStream(path)
      const reply = await send({ method: 'PUT', key, headers, hash: hash.toString('hex'), open, signal })
      await reply.body.dump()
    },
    async read(key, range) {
      const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {}
      const reply = await send({ method: 'GET', key, headers }).catch(error => {
        throw error instanceof S3Error && error.code === 'NoSuchKey' ? new BlobMissing(key) : error
      })
      const isWhole = !range && reply.statusCode === 200
      if (isWhole || (range && isPart(reply, range))) return reply.body
      reply.body.destroy()
      throw new S3Error('GET', reply.statusCode, 'instead of the requested bytes')
    },
    async remove(key) {
      const reply = await send({ method: 'DELETE', key }).catch(error => {
        if (error instanceof S3Error && error.code === 'NoSuchKey') return null
        throw error
      })
      await reply?.body.dump()
    },
    close,
  }
}

/** Creates a client that signs and sends requests, and retries transient errors. */
function createS3Client(
  { endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Bucket,
  { idleMaxMs, retryMs }: Timing,
) {
  const dispatcher = new Agent({
    connect: { timeout: connectMaxMs },
    connections: connectionsMax,
    headersTimeout: idleMaxMs,
    bodyTimeout: idleMaxMs,
  })

  const attempt = async ({ method, key, headers = {}, hash = emptyHash, open, signal }: Call) => {
    const signer = new AwsV4Signer({
      method,
      url: `${endpoint}/${bucket}/${key}`,
      headers: { ...headers, 'x-amz-content-sha256': hash },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
    })
    const signed = await signer.sign()
    const reply = await request(signed.url, {
      method,
      headers: Object.fromEntries(signed.headers),
      dispatcher,
      ...(open ? { body: open() } : {}),
      ...(signal ? { signal } : {}),
    })
    if (reply.statusCode >= 200 && reply.statusCode < 300) return reply
    throw new S3Error(method, reply.statusCode, await readCode(reply))
  }

  const send = async (call: Call): Promise<Reply> => {
    for (let number = 1; ; number++) {
      try {
        return await attempt(call)
      } catch (error) {
        call.signal?.throwIfAborted()
        if (number === attemptsMax || !isTransient(error)) throw error
        await sleep(retryMs * 4 ** (number - 1), undefined, call.signal ? { signal: call.signal } : {})
      }
    }
  }

  return { send, close: () => dispatcher.destroy() }
}

const isPart = ({ statusCode, headers }: Reply, { start, end }: ByteRange) =>
  statusCode === 206 && headers['content-length'] === String(end + 1 - start)

/** Returns whether a retry may succeed. */
const isTransient = (error: unknown) =>
  !(error instanceof S3Error) || error.status >= 500 || error.status === 429

/** Returns the code of an error reply, such as `NoSuchKey`. The rest is ignored, because it may repeat the request. */
async function readCode({ body }: Reply): Promise<string> {
  let text = ''
  try {
    for await (const chunk of body) {
      text += chunk
      if (text.length > errorBytesMax) break
    }
  } catch {
    // The connection broke: use what has arrived.
  }
  return /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? ''
}
