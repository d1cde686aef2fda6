/** A received file is never in memory as a whole. */

import { readdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { createSpool } from './spool.ts'

test('a file is read as fast as it is written', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'aldaba-spool-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const [bytes, chunk] = [32 * 1024 * 1024, Buffer.alloc(64 * 1024, 'x')]
  let most = 0
  const readWritten = () =>
    readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)
  const source = Readable.from(
    (function* () {
      for (let read = chunk.length; read <= bytes; read += chunk.length) {
        most = Math.max(most, read - readWritten())
        yield chunk
      }
    })(),
  )
  const limits = {
    bytesMax: bytes,
    tooLarge: () => new Error('too large'),
    signal: AbortSignal.timeout(60_000),
  }
  expect(await createSpool(directory).receive(source, limits, async file => file.bytes)).toBe(bytes)
  expect(most).toBeLessThan(4 * 1024 * 1024)
})
