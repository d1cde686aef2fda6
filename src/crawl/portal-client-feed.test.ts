/** Feeds: opened with retries, read until the process stops, and closed if they are not needed. */
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../test/harness.ts'
import { answerInSequence, answerWithStatus, servePortals } from '../../test/portal.ts'
import { HttpFailure } from '../kit/http/client.ts'
import { RequeueJob } from '../kit/jobs/job.ts'
import type { FeedReply } from './portal-client.ts'

const { startAndOpen } = servePortals({ timeoutMs: 2000 })

type Feed = Extract<FeedReply, { kind: 'feed' }>

async function readText({ body }: Feed): Promise<string> {
  return Buffer.concat(await Array.fromAsync(body)).toString()
}

/** Writes without end. */
function flood(response: ServerResponse): void {
  const write = () => {
    if (response.destroyed) return
    if (response.write(Buffer.alloc(16 * 1024))) setImmediate(write)
    else response.once('drain', write)
  }
  write()
}

describe('a feed', () => {
  test('is returned with its content type, URL and validators', async () => {
    const { requests, baseUrl, client } = await startAndOpen((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/xml; charset=utf-8', etag: '"7"' })
        .end('<root/>'),
    )
    const feed = (await client.openFeed({ path: '/feed.xml', accept: 'application/xml' })) as Feed
    expect(feed).toMatchObject({
      kind: 'feed',
      contentType: 'application/xml; charset=utf-8',
      url: `${baseUrl}/feed.xml`,
      validators: { etag: '"7"', lastModified: null },
    })
    expect(await readText(feed)).toBe('<root/>')
    expect(requests[0]!.headers).toMatchObject({
      accept: 'application/xml',
      'user-agent': 'AldabaBot/1.0 (+https://agency.example)',
    })
  })

  test('that is a gzip file is not unpacked', async () => {
    const bytes = gzipSync('<root/>')
    const { client } = await startAndOpen((_request, response) => response.end(bytes))
    const { body } = (await client.openFeed({ path: '/feed.xml.gz' })) as Feed
    expect(Buffer.concat(await Array.fromAsync(body))).toEqual(bytes)
  })

  test('is requested conditionally if its validators are known', async () => {
    const { requests, client } = await startAndOpen(answerWithStatus(304))
    const known = { etag: '"7"', lastModified: null }
    expect(await client.openFeed({ path: '/feed.xml' }, known)).toEqual({ kind: 'unchanged' })
    expect(requests[0]!.headers['if-none-match']).toBe('"7"')
  })

  test.each([
    [404, { kind: 'gone' }],
    [302, { kind: 'moved', to: '/login' }],
  ])('that is answered with %i has no body', async (code, reply) => {
    const { client } = await startAndOpen(answerWithStatus(code, { location: '/login' }))
    expect(await client.openFeed({ path: '/feed.xml' })).toEqual(reply)
  })

  test('that is temporarily unavailable is requested again', async () => {
    const { requests, client } = await startAndOpen(
      answerInSequence(answerWithStatus(503), answerWithStatus(429, { 'retry-after': '1' })),
    )
    expect(await readText((await client.openFeed({ path: '/feed.xml' })) as Feed)).toBe('ok')
    expect(requests).toHaveLength(3)
  })

  test('that is refused throws CrawlFailure', async () => {
    const { client } = await startAndOpen(answerWithStatus(403))
    await expect(client.openFeed({ path: '/feed.xml' })).rejects.toMatchObject({ code: 'BLOCKED' })
  })

  test.each([
    ['breaks off', (response: ServerResponse) => response.destroy(), 'unreachable'],
    ['stalls', () => {}, 'timeout'],
  ])('that %s throws HttpFailure to its reader', async (_how, end, kind) => {
    const { client } = await startAndOpen((_request, response) => {
      response.write('<root>', () => end(response))
    })
    const { body } = (await client.openFeed({ path: '/feed.xml' })) as Feed
    const read = Array.fromAsync(body)
    await expect(read).rejects.toBeInstanceOf(HttpFailure)
    await expect(read).rejects.toMatchObject({ kind })
  })

  test('throws RequeueJob to its reader when the process stops', async () => {
    const stopping = new AbortController()
    const { client } = await startAndOpen((_request, response) => flood(response), {
      signal: stopping.signal,
    })
    const { body } = (await client.openFeed({ path: '/feed.xml' })) as Feed
    const chunks = body[Symbol.asyncIterator]()
    await chunks.next()
    stopping.abort()
    const readRemaining = async () => {
      for (;;) if ((await chunks.next()).done) return
    }
    await expect(readRemaining()).rejects.toBeInstanceOf(RequeueJob)
  })

  test('that is not needed keeps no connection', async () => {
    const { client, server, requests } = await startAndOpen((_request, response) => {
      response.writeHead(403)
      flood(response)
    })
    for (const _time of [1, 2, 3])
      await expect(client.openFeed({ path: '/feed.xml' })).rejects.toMatchObject({ code: 'BLOCKED' })
    expect(requests).toHaveLength(3)
    const connections = () =>
      new Promise<number>((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      )
    // The connection of robots.txt may be kept for the next request.
    await eventually(connections, count => count <= 1, 5000)
  })
})
