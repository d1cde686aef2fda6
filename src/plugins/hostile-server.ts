/** A server on loopback that answers badly in one way, for checks of providers. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

const reply =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  }

/** Each waits for the whole request, so that the provider may have acted on it. */
const afterRequest =
  (answer: RequestListener): RequestListener =>
  (request, response) => {
    request.on('error', () => {}).resume()
    request.on('end', () => answer(request, response))
  }

const large = Buffer.alloc(65_536, ' ')

export const hostileAnswers = {
  cut: afterRequest(request => request.socket.destroy()),
  'cut in the reply': afterRequest((_request, response) => {
    response.writeHead(200, { 'content-length': 1000 })
    response.write('{"ok":true,', () => response.destroy())
  }),
  'an endless reply': afterRequest((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const fill = () => {
      while (!response.destroyed && response.write(large));
    }
    response.on('drain', fill)
    fill()
  }),
  'no JSON': reply(200, '<html>Bienvenido</html>'),
  'an empty reply': reply(200, ''),
  null: reply(200, 'null'),
  'an empty list': reply(200, '[]'),
  'an empty object': reply(200, '{}'),
  'wrong types': reply(
    200,
    '{"ok":true,"result":7,"messages":[null],"data":{"a":1},"error":null,"id":{},"url":[]}',
  ),
  'a redirect': reply(302, '', { location: 'http://127.0.0.1:1/' }),
  'an error without a body': reply(400, ''),
  'an error of wrong types': reply(
    400,
    '{"ok":false,"error_code":[],"description":{},"parameters":"x","error":7}',
  ),
  'no permission': reply(401, '{"error":null}'),
  'an absurd wait': reply(429, '{"ok":false,"error_code":429,"parameters":{"retry_after":1e300}}', {
    'retry-after': '99999999999',
  }),
  'a negative wait': reply(429, '{"ok":false,"error_code":429,"parameters":{"retry_after":-5}}', {
    'retry-after': '-5',
  }),
  'an error of the server': reply(503, '<html>Service Unavailable</html>'),
} satisfies Record<string, RequestListener>

/** Serves until `close`. */
export async function serveHostile(listener: RequestListener) {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
