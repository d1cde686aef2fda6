/** Server-sent events (WHATWG HTML, section 9.2): from an iterable to the text of a stream that proxies keep open. */

/** How soon a client whose stream broke off asks again. */
const retryMs = 2000
/** Proxies close what has been silent for a minute, some after thirty seconds. */
const heartbeatMs = 15_000

export const eventStreamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // nginx would otherwise gather events until its buffer is full.
  'X-Accel-Buffering': 'no',
  // Its head is long gone when the server stops: kept alive, the connection would hold the server up for a minute more.
  Connection: 'close',
}

export interface EventToSend {
  event: string
  data: unknown
  id?: string
}

/** One event as it is sent. JSON has no line breaks, so its data are one line. */
export function toEventText({ event, data, id }: EventToSend): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
}

/**
 * The text of a stream, piece by piece. Ends with the iterator, or at once when `signal` is aborted; `describe` gives the
 * data of the `error` event that ends a stream whose iterator threw. `next` is the iterator's first result, whoever
 * waited for it.
 */
export async function* streamEventText(
  events: AsyncIterator<EventToSend>,
  options: {
    next: Promise<IteratorResult<EventToSend>>
    signal: AbortSignal
    describe: (error: unknown) => Promise<unknown>
  },
): AsyncGenerator<string> {
  let { next } = options
  try {
    yield `retry: ${retryMs}\n\n`
    for (;;) {
      const result = await nextOrSilent(next, options.signal)
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
    close(events)
  }
}

/** Waits for an iterator's first result, but no longer than anybody wants it. Throws the signal's reason. */
export async function readFirst(
  events: AsyncIterator<EventToSend>,
  signal: AbortSignal,
): Promise<IteratorResult<EventToSend>> {
  const next = events.next()
  for (;;) {
    const result = await nextOrSilent(next, signal)
    if (result === 'aborted') {
      close(events)
      throw signal.reason
    }
    if (result !== 'silent') return result
  }
}

/** Not waited for: a generator in the middle of a step ends only after it. */
export function close(events: AsyncIterator<unknown>): void {
  void events.return?.().catch(() => {})
}

function nextOrSilent<T>(next: Promise<T>, signal: AbortSignal): Promise<T | 'silent' | 'aborted'> {
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
