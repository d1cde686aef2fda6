/** A file that a thread reads as it comes: pieces of bytes go there, and what was read of them comes back in small batches. */
import { handleTasks } from './thread.ts'
import type { Client, ThreadPool } from './thread-pool.ts'

/** `start` says what is read, and how; then pieces follow, null behind the last, each when it is wanted. */
export type StreamTask<Start> = { start: Start } | { piece: Uint8Array | null } | { resume: true }

export interface StreamReply<Batch> {
  /** Null: nothing is whole yet. */
  batch: Batch | null
  needs: 'piece' | 'resume' | 'nothing'
}

export type StreamPool<Start, Batch> = ThreadPool<StreamTask<Start>, StreamReply<Batch>>

/** Reads a file. A batch may be of any plain data, and is small: whoever takes it does nothing else meanwhile. */
export type ReadStream<Start, Batch> = (
  start: Start,
  pieces: AsyncIterable<Uint8Array>,
) => AsyncIterable<Batch>

/** Called by the module of a thread that reads files with `read`. */
export function handleStreams<Start, Batch>(read: ReadStream<Start, Batch>): void {
  let reading: Reading<Batch> | null = null
  handleTasks((task: StreamTask<Start>): Promise<StreamReply<Batch>> => {
    // One that was left before its end is forgotten with the next.
    if ('start' in task) reading = startReading(read, task.start)
    else if ('piece' in task) reading!.push(task.piece)
    return reading!.next()
  })
}

interface Reading<Batch> {
  push(piece: Uint8Array | null): void
  next(): Promise<StreamReply<Batch>>
}

function startReading<Start, Batch>(read: ReadStream<Start, Batch>, start: Start): Reading<Batch> {
  let pieceRequest = Promise.withResolvers<StreamReply<Batch>>()
  let nextPiece = Promise.withResolvers<Uint8Array | null>()
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (;;) {
      pieceRequest.resolve({ batch: null, needs: 'piece' })
      const piece = await nextPiece.promise
      if (piece === null) return
      yield piece
    }
  }
  const batches = read(start, pieces())[Symbol.asyncIterator]()
  let pendingBatch: Promise<StreamReply<Batch>> | null = null
  const readNextBatch = async (): Promise<StreamReply<Batch>> => {
    const { done, value } = await batches.next()
    return done ? { batch: null, needs: 'nothing' } : { batch: value, needs: 'resume' }
  }
  return {
    push(piece) {
      pieceRequest = Promise.withResolvers()
      const { resolve } = nextPiece
      nextPiece = Promise.withResolvers()
      resolve(piece)
    },
    async next() {
      pendingBatch ??= readNextBatch()
      // A reader may want a piece before it has made a batch of the last one.
      const reply = await Promise.race([pendingBatch, pieceRequest.promise])
      if (reply.needs !== 'piece') pendingBatch = null
      return reply
    },
  }
}

/** Has a thread read `pieces`. Throws as a session does, and what `pieces` throws. */
export async function* readOnThread<Start, Batch>(
  pool: StreamPool<Start, Batch>,
  client: Client,
  start: Start,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Batch, void> {
  const source = pieces[Symbol.asyncIterator]()
  const session = await pool.open(client)
  try {
    let reply = await session.run({ start })
    while (reply.needs !== 'nothing') {
      if (reply.batch !== null) yield reply.batch
      reply =
        reply.needs === 'piece'
          ? await push(session, await source.next())
          : await session.run({ resume: true })
    }
  } finally {
    session.end()
    await source.return?.()
  }
}

function push<Start, Batch>(
  session: Awaited<ReturnType<StreamPool<Start, Batch>['open']>>,
  { done, value }: IteratorResult<Uint8Array>,
): Promise<StreamReply<Batch>> {
  if (done) return session.run({ piece: null })
  // Whoever made it may use it again.
  const piece = new Uint8Array(value)
  return session.run({ piece }, [piece.buffer])
}
