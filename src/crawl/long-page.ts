/** Pages that take too long to be read between other work: threads read them. */
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

/** The longest text that no reader takes longer than 50 ms for, whatever is in it. */
export const shortMaxBytes = 256 * 1024

/** The same of a portal whose pages take long for their length. */
export const slowReaderMaxBytes = 16 * 1024

export interface LongPage {
  url: string
  /**
   * Reads it, once: after that the body may be gone. Throws CrawlFailure if it takes too much time or memory, RequeueJob when
   * we are to stop.
   */
  read<Kind extends keyof ReadTasks>(task: ReadTask<Kind>): Promise<Readings[Kind]>
}

export function isLong(page: PortalDocument | LongPage): page is LongPage {
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
  /** Somebody else has the body as well: it is copied. */
  isShared: boolean
  portal: ModuleReference
  contentType: string | undefined
  url: string
}

/** A page whose text is still bytes: to make a text of many takes its time as well. */
export function longPage(
  { body, isShared, portal, contentType, url }: LongPageBody,
  client: Client,
  threads: ReadingThreads = readingThreads,
): LongPage {
  return {
    url,
    async read<Kind extends keyof ReadTasks>(task: ReadTask<Kind>) {
      // Megabytes that are copied make the collector of garbage stop the process more often.
      const isWhole = !isShared && body.length === body.buffer.byteLength
      const moved = isWhole ? (body as Uint8Array<ArrayBuffer>) : new Uint8Array(body)
      const sent = { portal, body: moved, contentType, url, task }
      try {
        const session = await threads.open(client)
        try {
          return (await readAll(session, sent, moved.buffer)) as Readings[Kind]
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
  moved: ArrayBuffer,
): Promise<Readings[keyof Readings]> {
  let { reading, cards, isLast } = await session.run(task, [moved])
  const all = [cards]
  while (!isLast) {
    ;({ cards, isLast } = await session.run({ resume: true }))
    all.push(cards)
  }
  return 'next' in reading! ? { ...reading, cards: all.flat() } : reading!
}
