/** Handles a checked request: runs one transaction and returns its reply, or sends a stream of events. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator } from '../auth.ts'
import type { Cipher } from '../crypto.ts'
import type { Database, Tx } from '../db/index.ts'
import type { IfMatch } from '../etag.ts'
import { findStoredReply, runOnce, type StoredReply } from '../idempotency.ts'
import type { JsonText } from '../json-text.ts'
import type { Problem } from '../problem.ts'
import type { EventStreamRoute, JsonRoute } from '../route.ts'
import type { Admission } from './admission.ts'
import { clearBodyDeadline } from './body-timeout.ts'
import { addFoundErrors } from './check-input.ts'
import {
  closeIterator,
  type EventToSend,
  eventStreamHeaders,
  readFirst,
  streamEventText,
} from './event-stream.ts'
import { toProblemJson } from './problems.ts'
import { readIdempotencyKey, readIfMatch } from './request-headers.ts'
import { createRequestSignal } from './request-signal.ts'
import { receiveUpload, type Upload } from './upload.ts'

/** The route of an inspected reply. For an event of a stream, `reply` is the schema of the event's data. */
export type Inspected = Pick<JsonRoute, 'method' | 'path' | 'status' | 'createdStatus' | 'reply'>

/** What handlers need besides the request. */
export interface RequestContext {
  database: Database
  cipher: Cipher
  authenticator: Authenticator
  admission: Admission
  /** Aborted when the server stops. */
  stopping: AbortSignal
  /** Turns an error into the problem to send, and logs its cause. */
  handleError(request: FastifyRequest, error: unknown): Promise<Problem>
  /**
   * Called with every reply and every event of a stream before it is sent: tests validate each against its schema.
   * `isPartial`: the caller selected `fields`, so others are missing.
   */
  inspectReply?: (route: Inspected, status: number, body: string, options?: { isPartial: boolean }) => void
}

type Values = Record<string, unknown>

/** Receives the file if the route takes one, calls the route's `prepare`, then its `handle` in one transaction. */
export async function handleRequest(
  route: JsonRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  context: RequestContext,
): Promise<StoredReply> {
  const ifMatch = readIfMatch(route, request)
  if (!route.upload) return runRoute({ body: request.body, ifMatch }, route, request, reply, context)
  const caller = request.caller!
  // An upload takes long, so a revoked key is refused before it begins.
  await context.authenticator.confirm(caller)
  clearBodyDeadline(request.raw)
  const upload = await receiveUpload(
    request.raw,
    route.upload,
    createRequestSignal(request, context.stopping),
  )
  try {
    return await runRoute({ body: upload, ifMatch }, route, request, reply, context)
  } finally {
    await upload.close()
  }
}

/** Runs the route, then its `finish`. */
async function runRoute(
  input: { body: unknown; ifMatch: IfMatch | null },
  route: JsonRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  context: RequestContext,
): Promise<StoredReply> {
  const stored = await runTransaction(input, route, request, reply, context)
  if (!route.finish) return stored
  const signal = createRequestSignal(request, context.stopping)
  const { params, query } = request as { params: Values; query: Values }
  try {
    const result = await route.finish({
      params,
      query,
      body: input.body,
      caller: request.caller!,
      database: context.database,
      signal,
      reply: JSON.parse(stored.body),
    })
    return toStoredReply(result, stored.status)
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  }
}

async function runTransaction(
  { body, ifMatch }: { body: unknown; ifMatch: IfMatch | null },
  route: JsonRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  context: RequestContext,
): Promise<StoredReply> {
  const { database, cipher } = context
  const caller = request.caller!
  const { params, query } = request as { params: Values; query: Values }
  const key = readIdempotencyKey(route, request)
  const keyedRequest = key && {
    route: `${route.method} ${route.path}`,
    key,
    payload: [params, query, route.upload ? toFileFingerprint(body as Upload) : (body ?? null)],
  }
  let prepared: unknown
  if (route.prepare) {
    if (keyedRequest) {
      const existing = await database.readTenant(caller, tx => findStoredReply(tx, cipher, keyedRequest))
      if (existing) {
        reply.header('Idempotent-Replayed', 'true')
        return existing
      }
    } else await context.authenticator.confirm(caller)
    const signal = createRequestSignal(request, context.stopping)
    try {
      prepared = await route.prepare({ params, query, body, caller, database, signal })
    } catch (error) {
      throw signal.aborted ? signal.reason : await addFoundErrors(error, route, request, context)
    }
  }
  const run = async (tx: Tx): Promise<StoredReply> => {
    return toStoredReply(
      await route.handle({ params, query, body, caller, tx, prepared, ifMatch }),
      route.status,
    )
  }
  if (route.readsSnapshot) return database.readSnapshot(caller, run)
  if (route.method === 'GET') return database.readTenant(caller, run)
  if (!keyedRequest) return database.withTenant(caller, run)
  return database.withTenant(caller, async tx => {
    const stored = await runOnce(tx, cipher, keyedRequest, () => run(tx))
    if (stored.replayed) reply.header('Idempotent-Replayed', 'true')
    return stored
  })
}

/** Identifies a file in the request hash of an idempotency key. */
function toFileFingerprint({ contentType, sha256 }: Upload): string[] {
  return [contentType, sha256]
}

/** Opens a stream and sends it. Waits for the first event, so that a refusal is sent with its own status. */
export async function sendEvents(
  route: EventStreamRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  context: RequestContext,
): Promise<FastifyReply> {
  const { authenticator, database, inspectReply } = context
  const caller = request.caller!
  const { params, query } = request as { params: Values; query: Values }
  await authenticator.confirm(caller)
  const signal = createRequestSignal(request, context.stopping)
  const header = request.headers['last-event-id']
  const lastEventId = typeof header === 'string' && header !== '' ? header : null
  const opened = route.open({ params, query, caller, database, signal, lastEventId })
  const events = inspectReply ? inspectEvents(route, opened, inspectReply) : opened[Symbol.asyncIterator]()
  const first = await readFirst(events, signal)

  reply.headers(eventStreamHeaders)
  if (request.method === 'HEAD') {
    closeIterator(events)
    return reply.send()
  }
  const next = Promise.resolve(first)
  const describe = async (error: unknown) =>
    JSON.parse(toProblemJson(await context.handleError(request, error), request.id))
  const onStalled = () => request.raw.socket.resetAndDestroy()
  return reply.send(Readable.from(streamEventText(events, { next, signal, describe, onStalled })))
}

async function* inspectEvents(
  route: EventStreamRoute,
  events: AsyncIterable<EventToSend>,
  inspect: NonNullable<RequestContext['inspectReply']>,
): AsyncGenerator<EventToSend> {
  for await (const message of events) {
    const { data: reply } = route.events[message.event]!
    inspect({ ...route, reply }, route.status, JSON.stringify(message.data))
    yield message
  }
}

function toStoredReply(result: unknown, status: number): StoredReply {
  if (!isJsonText(result)) return { status, body: JSON.stringify(result ?? null), headers: null }
  return { status: result.status ?? status, body: result.json, headers: result.headers ?? null }
}

function isJsonText(result: unknown): result is JsonText {
  return typeof result === 'object' && result !== null && 'json' in result && typeof result.json === 'string'
}
