/** A server on loopback for tests: it sends scripted replies and records the requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface RecordedRequest {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
  atMs: number
}

export type ScriptedReply = (response: ServerResponse) => void

export interface ScriptedServer {
  address: string
  requests: RecordedRequest[]
  /** The replies to the next requests, in order; the last one is repeated. */
  replies: ScriptedReply[]
  close(): void
}

export async function startScriptedServer(): Promise<ScriptedServer> {
  const requests: RecordedRequest[] = []
  const http = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    requests.push({ method, url, headers, body: await text(request), atMs: performance.now() })
    const { replies } = server
    ;(replies.length > 1 ? replies.shift() : replies[0])?.(response)
  })
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  const server: ScriptedServer = {
    address: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    replies: [],
    close() {
      http.closeAllConnections()
      http.close()
    },
  }
  return server
}

export function reply(
  status: number,
  body: unknown = {},
  headers: Record<string, string> = {},
): ScriptedReply {
  return response =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
}

export function problem(
  statusCode: number,
  code: string,
  headers: Record<string, string> = {},
): ScriptedReply {
  return reply(
    statusCode,
    { statusCode, code, message: 'A message for users.', requestId: 'r-1' },
    { 'x-request-id': 'r-1', ...headers },
  )
}

export const noReply: ScriptedReply = () => {}
export const hangUp: ScriptedReply = response => response.destroy()
