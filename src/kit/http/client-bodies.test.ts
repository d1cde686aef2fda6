/** Request bodies of the HTTP client that are streams, such as the upload of a file. */
import { Readable } from 'node:stream'
import { afterAll, expect, it } from 'vitest'
import { requestBounds, serve, toOutcome } from '../../../test/faulty-server.ts'
import { createHttpClient } from './client.ts'

const client = createHttpClient({ reach: 'any' })
afterAll(() => client.close())

const post = (port: number, body: Readable) =>
  client.fetch(`http://127.0.0.1:${port}/`, { ...requestBounds, method: 'POST', body })
const endless = () =>
  Readable.from(
    (function* () {
      while (true) yield Buffer.alloc(65_536)
    })(),
  )
it('destroys the stream of a request that the server cuts, does not accept or never answers', async () => {
  const { port } = await serve(request => request.socket.destroy())
  const { port: hanging } = await serve(() => {})
  for (const target of [port, hanging, 1]) {
    const body = endless()
    expect(await toOutcome(post(target, body))).toMatch(/^(unreachable|timeout)$/)
    await expect.poll(() => body.destroyed).toBe(true)
  }
})

it('fails if the stream fails', async () => {
  const { port } = await serve(request => request.resume())
  const body = Readable.from(
    (async function* () {
      yield Buffer.alloc(10)
      throw new Error('the file is gone')
    })(),
  )
  expect(await toOutcome(post(port, body))).toBe('unreachable')
})
