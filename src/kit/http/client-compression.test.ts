/** Compressed replies of the HTTP client: decoded within the limit of the body. */
import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { encodings, plainBody, requestBounds, serve, toOutcome } from '../../../test/faulty-server.ts'
import { createHttpClient, type HttpRequest } from './client.ts'

const client = createHttpClient({ reach: 'public', allowedPrivateRanges: ['127.0.0.1/32'] })
afterAll(() => client.close())

describe('a compressed reply', () => {
  const fetchEncoded = async (encoding: string, bytes: Buffer, options: Partial<HttpRequest> = {}) => {
    const { port } = await serve((_request, reply) =>
      reply.writeHead(200, { 'content-encoding': encoding }).end(bytes),
    )
    return client.fetch(`http://127.0.0.1:${port}/`, { ...requestBounds, ...options })
  }

  it.each(encodings)('is decoded: %s', async (encoding, encode) => {
    expect((await fetchEncoded(encoding, encode(plainBody))).body).toEqual(plainBody)
  })

  it.each(encodings.slice(0, 5))(
    'is limited by its decoded size, and a decompression bomb is not expanded: %s',
    async (encoding, encode) => {
      const bodyMaxBytes = plainBody.length
      expect((await fetchEncoded(encoding, encode(plainBody), { bodyMaxBytes })).body).toHaveLength(
        bodyMaxBytes,
      )
      const bomb = encode(Buffer.alloc(50_000_000))
      expect(await toOutcome(fetchEncoded(encoding, bomb, { bodyMaxBytes }))).toBe('too-large')
    },
  )

  it.each(encodings.slice(0, 4))('fails if it is cut off or broken: %s', async (encoding, encode) => {
    const bytes = encode(randomBytes(500))
    const unreachable = { kind: 'unreachable', status: 200 }
    await expect(fetchEncoded(encoding, bytes.subarray(0, -20))).rejects.toMatchObject(unreachable)
    expect(await toOutcome(fetchEncoded(encoding, Buffer.from('<html>sorry</html>')))).toBe('unreachable')
  })

  it.each(encodings)('may be empty: %s', async encoding => {
    expect((await fetchEncoded(encoding, Buffer.of())).body).toHaveLength(0)
  })

  it('is only requested if the caller sets accept-encoding', async () => {
    const requested: unknown[] = []
    const { port } = await serve((request, reply) => {
      requested.push(request.headers['accept-encoding'])
      reply.end()
    })
    for (const headers of [{}, { 'accept-encoding': 'br' }])
      await client.fetch(`http://127.0.0.1:${port}/`, { ...requestBounds, headers })
    expect(requested).toEqual([undefined, 'br'])
  })
})
