/** Pages that take too long to be read between other work: threads read them. */
import { HandBack } from '../../../kit/job.ts'
import { type Client, createThreadPool, ThreadFailed, type ThreadPool } from '../../../kit/thread-pool.ts'
import type { PortalDocument } from '../../../plugins/portal.ts'
import type { DefinedIn } from '../../../plugins/portal-modules.ts'
import { ExtractionFailure } from './failure.ts'
import type { Order, Orders, Readings } from './reading.ts'
import type { ThreadOrder } from './reading-thread.ts'

/** The longest text that no reader takes longer than 50 ms for, whatever is in it. */
export const shortMaxBytes = 256 * 1024

export interface LongPage {
  url: string
  /** Throws ExtractionFailure if it takes too much time or memory, HandBack when we are to stop. */
  read<Kind extends keyof Orders>(order: Order<Kind>): Promise<Readings[Kind]>
}

export function isLong(page: PortalDocument | LongPage): page is LongPage {
  return 'read' in page
}

export type ReadingThreads = ThreadPool<ThreadOrder, Readings[keyof Readings]>

export const readingThreads: ReadingThreads = createThreadPool({
  of: 'pages',
  module: new URL('./reading-thread.ts', import.meta.url),
  places: 2,
  workMaxMs: 10_000,
  memoryMaxMb: 384,
  idleMs: 30_000,
})

export interface LongBody extends Pick<ThreadOrder, 'contentType' | 'url'> {
  body: Buffer
  portal: DefinedIn
}

/** A page whose text is still bytes: to make a text of many takes its time as well. */
export function longPage(
  { body, portal, contentType, url }: LongBody,
  client: Client,
  threads: ReadingThreads = readingThreads,
): LongPage {
  return {
    url,
    async read<Kind extends keyof Orders>(order: Order<Kind>) {
      // The body itself may be kept for others.
      const copy = new Uint8Array(body)
      try {
        const reading = await threads.run(client, { portal, body: copy, contentType, url, order }, [
          copy.buffer,
        ])
        return reading as Readings[Kind]
      } catch (error) {
        if (client.signal.aborted) throw new HandBack()
        if (!(error instanceof ThreadFailed)) throw error
        throw new ExtractionFailure('LAYOUT_CHANGED', `The page can't be read: ${error.message}.`, error)
      }
    },
  }
}
