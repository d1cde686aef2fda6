/** Replies to requests that are not HTTP or too large, sent over a raw socket, have the form of the contract. */
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { problemSchema } from '../problem-schema.ts'
import { compile } from '../schema.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => app.stop())

/** Sends raw bytes, and returns everything that the server sends before it closes the connection. */
async function send(text: string): Promise<{ head: string; body: string }> {
  const { hostname, port } = new URL(app.url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.write(text)
  const reply = Buffer.concat(await socket.toArray()).toString()
  const [head = '', body = ''] = reply.split('\r\n\r\n')
  return { head, body }
}

const get = 'GET /public/v1/me HTTP/1.1\r\nHost: x\r\n'

it.each([
  ['nonsense', 'hello\r\n\r\n', 400],
  ['a method that HTTP does not know', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a header without a name', `${get}: value\r\n\r\n`, 400],
  ['a header that holds a line break', `${get}A: b\rc\r\n\r\n`, 400],
  ['two lengths', `${get}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`, 400],
  ['headers larger than 16 KiB', `${get}Idempotency-Key: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])('is refused: %s', async (_what, text, status) => {
  const { head, body } = await send(text)
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  const problem = JSON.parse(body)
  expect(compile(problemSchema({}))(problem)).toEqual([])
  expect(problem).toMatchObject({ statusCode: status })
  expect(head).toContain(`X-Request-Id: ${problem.requestId}`)
  expect(head).toContain(`Content-Length: ${body.length}`)
  expect((await app.call('GET', '/me')).status).toBe(200)
})
