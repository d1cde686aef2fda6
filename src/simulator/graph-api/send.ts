/** Sends replies of the simulated Graph API, and its faults. */
import type { ServerResponse } from 'node:http'
import type { GraphFault } from './faults.ts'
import { GraphError } from './graph-error.ts'

export interface GraphReply {
  status: number
  body: object | Buffer
  headers?: Record<string, string>
}

export function toReply(error: unknown): GraphReply {
  if (error instanceof GraphError) return { status: error.status, body: error.body }
  throw error
}

export function sendReply(response: ServerResponse, { status, body, headers = {} }: GraphReply): void {
  const isBytes = Buffer.isBuffer(body)
  const content = isBytes ? body : Buffer.from(JSON.stringify(body))
  const type = isBytes ? {} : { 'content-type': 'application/json; charset=UTF-8' }
  response.writeHead(status, { ...type, 'content-length': String(content.length), ...headers })
  response.end(content)
}

export function sendFault(fault: GraphFault, response: ServerResponse, reply: GraphReply | null): void {
  const { kind, code = 2, latencyMs = 1000, retryAfterSeconds } = fault
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  if (kind === 'hang') return
  if (kind === 'cut') response.destroy()
  else if (kind === 'slow') setTimeout(() => sendReply(response, reply!), latencyMs)
  else if (kind === 'page') {
    const page = Buffer.from('<html><title>Error</title><h1>Sorry, something went wrong.</h1></html>')
    sendReply(response, {
      status: fault.status ?? 502,
      body: page,
      headers: { ...headers, 'content-type': 'text/html' },
    })
  } else {
    const error = new GraphError(fault.status ?? 400, code, 'Simulated error').body as { error: object }
    const body = {
      error: { ...error.error, ...(fault.isTransient !== undefined && { is_transient: fault.isTransient }) },
    }
    sendReply(response, { status: fault.status ?? 400, body, headers })
  }
}
