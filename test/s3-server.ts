/** An S3 server with one bucket in this process. It checks signatures, and keeps its files in a directory. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import type { S3Bucket } from '../src/config.ts'

export interface S3Server {
  bucket: S3Bucket
  /** The value of `BLOBS_S3_URL`. */
  url: string
  /** The directory of the files. */
  directory: string
  stop(): Promise<void>
}

const key = 'S3RVER'

export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'aldaba-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'files' }],
  })
  const { port } = await server.run()
  const endpoint = `http://127.0.0.1:${port}`
  return {
    bucket: {
      endpoint,
      bucket: 'files/aldaba',
      region: 'us-east-1',
      accessKeyId: key,
      secretAccessKey: key,
    },
    url: `http://${key}:${key}@127.0.0.1:${port}/files/aldaba`,
    directory,
    async stop() {
      await server.close()
      await rm(directory, { recursive: true })
    },
  }
}
