/** A file that a thread reads as it comes: pieces of bytes go there, and what was read of them comes back in small batches. */
import { answerOrders } from './thread.ts'
import type { Client, ThreadPool } from './thread-pool.ts'

/** `begin` says what is read, and how; then pieces follow, null behind the last, each when it is wanted. */
export type StreamOrder<Begin> = { begin: Begin } | { piece: Uint8Array | null } | { goOn: true }

export interface StreamReply<Batch> {
  /** Null: nothing is whole yet. */
  batch: Batch | null
  wants: 'piece' | 'goOn' | 'nothing'
}

export type StreamPool<Begin, Batch> = ThreadPool<StreamOrder<Begin>, StreamReply<Batch>>

/** Reads a file. A batch may be of any plain data, and is small: whoever takes it does nothing else meanwhile. */
export type ReadStream<Begin, Batch> = (
  begin: Begin,
  pieces: AsyncIterable<Uint8Array>,
) => AsyncIterable<Batch>

/** Called by the module of a thread that reads files with `read`. */
export function answerStreams<Begin, Batch>(read: ReadStream<Begin, Batch>): void {
  let reading: Reading<Batch> | null = null
  answerOrders((order: StreamOrder<Begin>): Promise<StreamReply<Batch>> => {
    // One that was left before its end is forgotten with the next.
    if ('begin' in order) reading = startReading(read, order.begin)
    else if ('piece' in order) reading!.give(order.piece)
    return reading!.next()
  })
}

interface Reading<Batch> {
  give(piece: Uint8Array | null): void
  next(): Promise<StreamReply<Batch>>
}

function startReading<Begin, Batch>(read: ReadStream<Begin, Batch>, begin: Begin): Reading<Batch> {
  let wanted = Promise.withResolvers<StreamReply<Batch>>()
  let given = Promise.withResolvers<Uint8Array | null>()
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (;;) {
      wanted.resolve({ batch: null, wants: 'piece' })
      const piece = await given.promise
      if (piece === null) return
      yield piece
    }
  }
  const batches = read(begin, pieces())[Symbol.asyncIterator]()
  let underWay: Promise<StreamReply<Batch>> | null = null
  const readOn = async (): Promise<StreamReply<Batch>> => {
    const { done, value } = await batches.next()
    return done ? { batch: null, wants: 'nothing' } : { batch: value, wants: 'goOn' }
  }
  return {
    give(piece) {
      wanted = Promise.withResolvers()
      const { resolve } = given
      given = Promise.withResolvers()
      resolve(piece)
    },
    async next() {
      underWay ??= readOn()
      // A reader may want a piece before it has made a batch of the last one.
      const reply = await Promise.race([underWay, wanted.promise])
      if (reply.wants !== 'piece') underWay = null
      return reply
    },
  }
}

/** Has a thread read `pieces`. Throws as a session does, and what `pieces` throws. */
export async function* readOnThread<Begin, Batch>(
  pool: StreamPool<Begin, Batch>,
  client: Client,
  begin: Begin,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Batch, void> {
  const source = pieces[Symbol.asyncIterator]()
  const session = await pool.open(client)
  try {
    let reply = await session.run({ begin })
    while (reply.wants !== 'nothing') {
      if (reply.batch !== null) yield reply.batch
      reply =
        reply.wants === 'piece' ? await give(session, await source.next()) : await session.run({ goOn: true })
    }
  } finally {
    session.end()
    await source.return?.()
  }
}

function give<Begin, Batch>(
  session: Awaited<ReturnType<StreamPool<Begin, Batch>['open']>>,
  { done, value }: IteratorResult<Uint8Array>,
): Promise<StreamReply<Batch>> {
  if (done) return session.run({ piece: null })
  // Whoever made it may use it again.
  const piece = new Uint8Array(value)
  return session.run({ piece }, [piece.buffer])
}
