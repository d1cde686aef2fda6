/**
 * Server-sent events (WHATWG HTML, section 9.2): turns an iterable into the text of a stream that proxies keep open.
 */

/** How soon a client reconnects after its stream broke. */
const retryMs = 2000
/** Proxies close connections that are silent for a minute, some after thirty seconds. */
const heartbeatMs = 15_000
/** A client that reads nothing for this time, not even heartbeats, is disconnected. */
const stalledMaxMs = 60_000

export const eventStreamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // Otherwise nginx holds events back until its buffer is full.
  'X-Accel-Buffering': 'no',
  // The headers are sent long before the server stops. A kept-alive connection would delay the shutdown by a minute.
  Connection: 'close',
}

export interface EventToSend {
  event: string
  data: unknown
  id?: string
}

/** The wire format of one event. JSON text has no line breaks, so the data fit on one line. */
export function toEventText({ event, data, id }: EventToSend): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
}

/**
 * Yields the text of a stream. Ends with the iterator, or at once when `signal` is aborted. If the iterator throws, the
 * stream ends with an `error` event whose data `describe` returns. `next` is the iterator's first result, which the
 * caller has already requested.
 */
export async function* streamEventText(
  events: AsyncIterator<EventToSend>,
  options: {
    next: Promise<IteratorResult<EventToSend>>
    signal: AbortSignal
    describe: (error: unknown) => Promise<unknown>
    /** Called if the client reads nothing: closes the connection, which keeps a slot. */
    onStalled: () => void
  },
): AsyncGenerator<string> {
  const texts = generateText(events, options)
  for await (const text of texts) {
    const timer = setTimeout(options.onStalled, stalledMaxMs)
    try {
      yield text
    } finally {
      clearTimeout(timer)
    }
  }
}

async function* generateText(
  events: AsyncIterator<EventToSend>,
  options: Omit<Parameters<typeof streamEventText>[1], 'onStalled'>,
): AsyncGenerator<string> {
  let { next } = options
  try {
    yield `retry: ${retryMs}\n\n`
    for (;;) {
      const result = await waitForNext(next, options.signal)
      if (result === 'silent') {
        yield ':\n\n'
        continue
      }
      if (result === 'aborted' || result.done) return
      yield toEventText(result.value)
      next = events.next()
    }
  } catch (error) {
    if (!options.signal.aborted) yield toEventText({ event: 'error', data: await options.describe(error) })
  } finally {
    closeIterator(events)
  }
}

/** Waits for an iterator's first result. Throws the signal's reason if it is aborted first. */
export async function readFirst(
  events: AsyncIterator<EventToSend>,
  signal: AbortSignal,
): Promise<IteratorResult<EventToSend>> {
  const next = events.next()
  for (;;) {
    const result = await waitForNext(next, signal)
    if (result === 'aborted') {
      closeIterator(events)
      throw signal.reason
    }
    if (result !== 'silent') return result
  }
}

/** Closes an iterator without waiting: a generator in the middle of a step ends only after that step. */
export function closeIterator(events: AsyncIterator<unknown>): void {
  void events.return?.().catch(() => {})
}

/** Returns `silent` if there is no result within `heartbeatMs`. */
function waitForNext<T>(next: Promise<T>, signal: AbortSignal): Promise<T | 'silent' | 'aborted'> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      end()
    }
    const abort = settle(() => resolve('aborted'))
    const timer = setTimeout(
      settle(() => resolve('silent')),
      heartbeatMs,
    )
    next.then(
      result => settle(() => resolve(result))(),
      error => settle(() => reject(error))(),
    )
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
