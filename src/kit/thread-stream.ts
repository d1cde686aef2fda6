/** Streams a file to a thread that parses it: pieces of bytes go to the thread, small batches of results come back. */
import { handleTasks } from './thread.ts'
import type { Client, ThreadPool } from './thread-pool.ts'

/** A step of reading. `start`: the options. `piece`: sent when the thread needs one; null marks the end. */
export type StreamTask<Start> = { start: Start } | { piece: Uint8Array | null } | { resume: true }

export interface StreamReply<Batch> {
  /** Null: no batch is complete yet. */
  batch: Batch | null
  /** What the thread needs next: `piece`: another piece; `resume`: permission to read on; `nothing`: it is done. */
  needs: 'piece' | 'resume' | 'nothing'
}

export type StreamPool<Start, Batch> = ThreadPool<StreamTask<Start>, StreamReply<Batch>>

/** Reads a file. A batch is plain data. Keep it small, because receiving it blocks the event loop. */
export type ReadStream<Start, Batch> = (
  start: Start,
  pieces: AsyncIterable<Uint8Array>,
) => AsyncIterable<Batch>

/** Reads files with `read`. Call it once in the module of a thread. */
export function handleStreams<Start, Batch>(read: ReadStream<Start, Batch>): void {
  let reading: Reading<Batch> | null = null
  handleTasks((task: StreamTask<Start>): Promise<StreamReply<Batch>> => {
    // A new file replaces one that was not read to its end.
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
      // The reader may need several pieces for one batch.
      const reply = await Promise.race([pendingBatch, pieceRequest.promise])
      if (reply.needs !== 'piece') pendingBatch = null
      return reply
    },
  }
}

/** Reads `pieces` on a thread, and yields the batches. Throws the errors of `ThreadSession.run` and of `pieces`. */
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
  // Copy it: the source may reuse its buffer, and a transferred buffer is detached.
  const piece = new Uint8Array(value)
  return session.run({ piece }, [piece.buffer])
}
