/** Reads long pages on threads, because they would block the event loop. */
import { RequeueJob } from '../kit/jobs/job.ts'
import {
  type Client,
  createThreadPool,
  ThreadFailed,
  type ThreadPool,
  type ThreadSession,
} from '../kit/thread-pool.ts'
import type { PortalDocument } from '../plugins/portal.ts'
import type { ModuleReference } from '../plugins/portal-modules.ts'
import { CrawlFailure } from './failure.ts'
import type { ThreadReply, ThreadTask } from './page-thread.ts'
import type { Readings, ReadTask, ReadTasks } from './read-page.ts'

/** Up to this length no built-in reader takes longer than 50 ms, whatever the page contains. */
export const shortMaxBytes = 256 * 1024

/** The limit for portals whose readers are slow, see `isSlow`. */
export const slowReaderMaxBytes = 16 * 1024

export interface LongPage {
  url: string
  /**
   * Reads the page on a thread. Call it only once, because the body may have been transferred. Throws CrawlFailure if
   * it takes too much time or memory, RequeueJob if the process stops.
   */
  read<Kind extends keyof ReadTasks>(task: ReadTask<Kind>): Promise<Readings[Kind]>
}

export function isLongPage(page: PortalDocument | LongPage): page is LongPage {
  return 'read' in page
}

export type ReadingThreads = ThreadPool<ThreadTask, ThreadReply>

export const readingThreads: ReadingThreads = createThreadPool({
  name: 'pages',
  module: new URL('./page-thread.ts', import.meta.url),
  size: 2,
  memoryMaxMb: 384,
})

export interface LongPageBody {
  body: Buffer
  /** True if the page cache holds the same body, so that it must be copied. */
  isShared: boolean
  portal: ModuleReference
  contentType: string | undefined
  url: string
}

/** Wraps a long page. Its body stays bytes, because decoding takes long too and is left to the thread. */
export function createLongPage(
  { body, isShared, portal, contentType, url }: LongPageBody,
  client: Client,
  threads: ReadingThreads = readingThreads,
): LongPage {
  return {
    url,
    async read<Kind extends keyof ReadTasks>(task: ReadTask<Kind>) {
      // Transferring the buffer avoids copying megabytes, which would cost garbage collection.
      const isTransferable = !isShared && body.length === body.buffer.byteLength
      const transferred = isTransferable ? (body as Uint8Array<ArrayBuffer>) : new Uint8Array(body)
      const threadTask = { portal, body: transferred, contentType, url, task }
      try {
        const session = await threads.open(client)
        try {
          return (await readAll(session, threadTask, transferred.buffer)) as Readings[Kind]
        } finally {
          session.end()
        }
      } catch (error) {
        if (client.signal.aborted) throw new RequeueJob()
        if (!(error instanceof ThreadFailed)) throw error
        throw new CrawlFailure('LAYOUT_CHANGED', `The page can't be read: ${error.message}.`, error)
      }
    },
  }
}

async function readAll(
  session: ThreadSession<ThreadTask, ThreadReply>,
  task: ThreadTask,
  transferred: ArrayBuffer,
): Promise<Readings[keyof Readings]> {
  let { reading, cards, isLast } = await session.run(task, [transferred])
  const all = [cards]
  while (!isLast) {
    ;({ cards, isLast } = await session.run({ resume: true }))
    all.push(cards)
  }
  return 'next' in reading! ? { ...reading, cards: all.flat() } : reading!
}
