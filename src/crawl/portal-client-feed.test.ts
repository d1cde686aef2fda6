/** A document that is read as it comes: opened patiently, read until we are to stop, and let go of when it is of no use. */
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../test/harness.ts'
import { firstly, servePortals, status } from '../../test/portal.ts'
import { HttpFailure } from '../kit/http/client.ts'
import { HandBack } from '../kit/jobs/job.ts'
import type { FeedReply } from './portal-client.ts'

const { opened } = servePortals()

type Feed = Extract<FeedReply, { kind: 'feed' }>

async function textOf({ body }: Feed): Promise<string> {
  return Buffer.concat(await Array.fromAsync(body)).toString()
}

/** Writes for ever. */
function flood(response: ServerResponse): void {
  const write = () => {
    if (response.destroyed) return
    if (response.write(Buffer.alloc(16 * 1024))) setImmediate(write)
    else response.once('drain', write)
  }
  write()
}

describe('a feed', () => {
  test('comes with what it is, and where it is', async () => {
    const { asked, baseUrl, client } = await opened((_asked, response) =>
      response
        .writeHead(200, { 'content-type': 'application/xml; charset=utf-8', etag: '"7"' })
        .end('<root/>'),
    )
    const feed = (await client.openFeed({ path: '/feed.xml', accept: 'application/xml' })) as Feed
    expect(feed).toMatchObject({
      ...{ kind: 'feed', contentType: 'application/xml; charset=utf-8', url: `${baseUrl}/feed.xml` },
      validators: { etag: '"7"', lastModified: null },
    })
    expect(await textOf(feed)).toBe('<root/>')
    expect(asked[0]!.headers).toMatchObject({
      ...{ accept: 'application/xml', 'user-agent': 'AldabaBot/1.0 (+https://agency.example)' },
    })
  })

  test('that is a gzip file comes as one', async () => {
    const bytes = gzipSync('<root/>')
    const { client } = await opened((_asked, response) => response.end(bytes))
    const { body } = (await client.openFeed({ path: '/feed.xml.gz' })) as Feed
    expect(Buffer.concat(await Array.fromAsync(body))).toEqual(bytes)
  })

  test('is asked for only if it has changed', async () => {
    const { asked, client } = await opened(status(304))
    const known = { etag: '"7"', lastModified: null }
    expect(await client.openFeed({ path: '/feed.xml' }, known)).toEqual({ kind: 'unchanged' })
    expect(asked[0]!.headers['if-none-match']).toBe('"7"')
  })

  test.each([
    [404, { kind: 'gone' }],
    [302, { kind: 'moved', to: '/login' }],
  ])('that is answered with %i is none', async (code, reply) => {
    const { client } = await opened(status(code, { location: '/login' }))
    expect(await client.openFeed({ path: '/feed.xml' })).toEqual(reply)
  })

  test('that can not be had for a moment is asked for again', async () => {
    const { asked, client } = await opened(firstly(status(503), status(429, { 'retry-after': '1' })))
    expect(await textOf((await client.openFeed({ path: '/feed.xml' })) as Feed)).toBe('ok')
    expect(asked).toHaveLength(3)
  })

  test('that is refused is a failure', async () => {
    const { client } = await opened(status(403))
    await expect(client.openFeed({ path: '/feed.xml' })).rejects.toMatchObject({ code: 'BLOCKED' })
  })

  test.each([
    ['breaks off', (response: ServerResponse) => response.destroy(), 'unreachable'],
    ['falls silent', () => {}, 'timeout'],
  ])('that %s says so to whoever reads it', async (_how, end, kind) => {
    const { client } = await opened((_asked, response) => {
      response.write('<root>', () => end(response))
    })
    const { body } = (await client.openFeed({ path: '/feed.xml' })) as Feed
    const read = Array.fromAsync(body)
    await expect(read).rejects.toBeInstanceOf(HttpFailure)
    await expect(read).rejects.toMatchObject({ kind })
  })

  test('is handed back by a process that stops while it reads', async () => {
    const stopping = new AbortController()
    const { client } = await opened((_asked, response) => flood(response), { signal: stopping.signal })
    const { body } = (await client.openFeed({ path: '/feed.xml' })) as Feed
    const pieces = body[Symbol.asyncIterator]()
    await pieces.next()
    stopping.abort()
    const readOn = async () => {
      for (;;) if ((await pieces.next()).done) return
    }
    await expect(readOn()).rejects.toBeInstanceOf(HandBack)
  })

  test('of which nothing is wanted keeps no connection', async () => {
    const { client, server, asked } = await opened((_asked, response) => {
      response.writeHead(403)
      flood(response)
    })
    for (const _time of [1, 2, 3])
      await expect(client.openFeed({ path: '/feed.xml' })).rejects.toMatchObject({ code: 'BLOCKED' })
    expect(asked).toHaveLength(3)
    const connections = () =>
      new Promise<number>((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      )
    // One may be kept for the next request: that of robots.txt.
    await eventually(connections, count => count <= 1, 5000)
  })
})
