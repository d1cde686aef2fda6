/** Event streams (WHATWG HTML, section 9.2) with reconnects. */
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { AldabaError } from './error.ts'
import { backoffMs, type Connection, type OutgoingRequest, openBody, sleep } from './request.ts'
import type { Problem } from './types.generated.ts'

export interface StreamedEvent {
  event: string
  data: unknown
  id?: string
}

/** The last event of a complete stream. */
const endEvent = 'end'

/**
 * Yields the events of a stream up to and including `end`. If the stream breaks off, it is resumed after the last
 * received event. Throws AldabaError if the API refuses it, ends it with an error, or cannot be reached any more.
 */
export async function* streamEvents(
  connection: Connection,
  outgoing: OutgoingRequest,
): AsyncGenerator<StreamedEvent, void> {
  let lastEventId: string | undefined
  for (let tries = 1; ; tries++) {
    try {
      for await (const event of readConnection(connection, outgoing, lastEventId)) {
        tries = 0
        lastEventId = event.id ?? lastEventId
        yield event
        if (event.event === endEvent) return
      }
    } catch (error) {
      if (!(error instanceof AldabaError) || error.code !== 'CONNECTION_FAILED') throw error
      if (tries > connection.retriesMax) throw error
    }
    await sleep(backoffMs(Math.max(1, tries)), outgoing.signal)
  }
}

async function* readConnection(
  connection: Connection,
  outgoing: OutgoingRequest,
  lastEventId: string | undefined,
): AsyncGenerator<StreamedEvent, void> {
  const bytes = await openBody(connection, {
    ...outgoing,
    accept: 'text/event-stream',
    ...(lastEventId === undefined ? {} : { headers: { 'last-event-id': lastEventId } }),
  })
  const events = bytes
    .pipeThrough(new TextDecoderStream() as ByteTransform)
    .pipeThrough(new EventSourceParserStream())
  try {
    for await (const { event = 'message', data, id } of events) {
      const parsed = JSON.parse(data)
      if (event === 'error') throw toStreamError(parsed)
      yield { event, data: parsed, ...(id === undefined ? {} : { id }) }
    }
  } catch (cause) {
    if (cause instanceof AldabaError) throw cause
    outgoing.signal?.throwIfAborted()
    throw new AldabaError('CONNECTION_FAILED', 'The stream broke off.', { cause })
  }
}

type ByteTransform = ReadableWritablePair<string, Uint8Array>

function toStreamError({ code, message, statusCode, requestId }: Problem): AldabaError {
  return new AldabaError(code, message, { status: statusCode, requestId })
}
