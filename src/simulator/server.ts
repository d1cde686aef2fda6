// Carries one portal over HTTP: counts, conditional requests, latency, and the faults that are set.
import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { spoil } from './fault-replies.ts'
import type { Faults } from './faults.ts'
import type { Portal, RequestKind } from './portal.ts'
import { send } from './send.ts'

/** How often a portal was asked for what. */
export interface RequestCounts extends Record<RequestKind, number> {
  /** By path and query; addresses past the first 50,000 different ones are only in the counts by kind. */
  byPath: Map<string, number>
}

const PATHS_COUNTED = 50_000

export function createCounts(): RequestCounts {
  return { search: 0, detail: 0, photo: 0, robots: 0, disallowed: 0, other: 0, byPath: new Map() }
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

/** Stops a server at once, hung and dripping requests included. */
export async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

export interface PortalServing {
  portal: Portal
  origin: string
  faults: Faults
  counts: RequestCounts
  /** Wait before every answer. */
  latencyMs: number
}

export function portalListener({
  portal,
  origin,
  faults,
  counts,
  latencyMs,
}: PortalServing): RequestListener {
  return (request, response) => {
    const path = request.url ?? '/'
    const url = URL.parse(path, origin)
    if (!url) return plain(response, 400, 'Bad request')
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return plain(response, 405, 'Method not allowed', { allow: 'GET, HEAD' })
    }
    const fault = faults.take(portal.id, path)
    const variant = fault?.kind === 'empty' || fault?.kind === 'layout' ? fault.kind : 'true'
    const reply = portal.answer(url, variant)
    count(counts, reply.kind, path)
    const waitMs = latencyMs + (fault?.latencyMs ?? (fault?.kind === 'latency' ? 1000 : 0))
    const answer = () => {
      if (fault) spoil({ fault, reply, request, response })
      else send(reply, request, response)
    }
    if (waitMs === 0) return answer()
    const timer = setTimeout(answer, waitMs)
    response.once('close', () => clearTimeout(timer))
  }
}

function count(counts: RequestCounts, kind: RequestKind, path: string): void {
  counts[kind] += 1
  const before = counts.byPath.get(path)
  if (before !== undefined || counts.byPath.size < PATHS_COUNTED) counts.byPath.set(path, (before ?? 0) + 1)
}

function plain(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers })
  response.end(`${text}\n`)
}
