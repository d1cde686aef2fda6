/** Serves one portal over HTTP, with counts, conditional requests, latency and faults. */
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { applyFault } from './fault-replies.ts'
import type { FaultKind, Faults } from './faults.ts'
import type { Portal, RequestKind } from './portal.ts'
import { readBody } from './read-body.ts'
import { sendReply } from './send.ts'

/** Request counts of a portal. */
export interface RequestCounts extends Record<RequestKind, number> {
  /** By path and query, for the first 50,000 different addresses; the others are only in the counts by kind. */
  byPath: Map<string, number>
}

const countedPathsMax = 50_000

export function createCounts(): RequestCounts {
  return {
    search: 0,
    detail: 0,
    contact: 0,
    photo: 0,
    token: 0,
    robots: 0,
    disallowed: 0,
    other: 0,
    byPath: new Map(),
  }
}

/** Listens on 127.0.0.1, on `port` if it is free and on any free port otherwise. */
export async function listen(port: number): Promise<{ server: Server; origin: string }> {
  const server = createServer({ keepAliveTimeout: 65_000 })
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    await once(server.listen(0, '127.0.0.1'), 'listening')
  }
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Stops a server at once, including hanging and dripping requests. */
export async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

export interface PortalServing {
  id: string
  portal: Portal
  origin: string
  faults: Faults
  counts: RequestCounts
  /** Delay of every answer, in milliseconds. */
  latencyMs: number
}

const bodyMaxBytes = 100_000

export function createPortalListener({
  id,
  portal,
  origin,
  faults,
  counts,
  latencyMs,
}: PortalServing): RequestListener {
  const respond = (request: IncomingMessage, response: ServerResponse, body: string) => {
    const path = request.url ?? '/'
    const url = URL.parse(path, origin)
    if (!url) return sendText(response, 400, 'Bad request')
    const { method = 'GET', headers } = request
    if (!isMethod(method)) return sendText(response, 405, 'Method not allowed', { allow: methods.join(', ') })
    const fault = faults.consume(id, path)
    const variant = isVariant(fault?.kind) ? fault.kind : 'normal'
    const reply = portal.answer({ url, method, headers, body, variant })
    countRequest(counts, reply.kind, path)
    const waitMs = latencyMs + (fault?.latencyMs ?? (fault?.kind === 'latency' ? 1000 : 0))
    const answer = () => {
      if (fault) applyFault({ fault, reply, request, response })
      else sendReply(reply, request, response)
    }
    if (fault?.until) return void fault.until.then(answer)
    if (waitMs === 0) return answer()
    const timer = setTimeout(answer, waitMs)
    response.once('close', () => clearTimeout(timer))
  }
  return (request, response) => {
    if (request.method !== 'POST') return respond(request, response, '')
    readBody(request, bodyMaxBytes).then(
      body => respond(request, response, body.toString()),
      () => response.destroy(),
    )
  }
}

const methods = ['GET', 'HEAD', 'POST'] as const

function isMethod(method: string): method is (typeof methods)[number] {
  return (methods as readonly string[]).includes(method)
}

function isVariant(kind: FaultKind | undefined): kind is 'empty' | 'layout' | 'loop' {
  return kind === 'empty' || kind === 'layout' || kind === 'loop'
}

function countRequest(counts: RequestCounts, kind: RequestKind, path: string): void {
  counts[kind] += 1
  const before = counts.byPath.get(path)
  if (before !== undefined || counts.byPath.size < countedPathsMax) counts.byPath.set(path, (before ?? 0) + 1)
}

function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers })
  response.end(`${text}\n`)
}
