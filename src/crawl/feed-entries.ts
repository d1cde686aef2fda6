/** The adverts of a feed: a thread reads it, unless it is short. */
import { isGzip } from '../kit/gzip.ts'
import { HttpFailure } from '../kit/http/client.ts'
import { HandBack } from '../kit/jobs/job.ts'
import { type Client, createThreadPool, inPlaceMaxBytes, ThreadFailed } from '../kit/thread-pool.ts'
import { readOnThread, type StreamPool } from '../kit/thread-stream.ts'
import type { FeedSearch } from '../plugins/portal.ts'
import type { DefinedIn } from '../plugins/portal-modules.ts'
import { CrawlFailure, unreadable } from './failure.ts'
import { withStart } from './feed-body.ts'
import { type FeedBatch, type FeedEntry, type FeedSearched, readFeed } from './feed-reading.ts'
import type { FeedBegin } from './feed-thread.ts'

export type FeedThreads = StreamPool<FeedBegin, FeedBatch>

const feedThreads: FeedThreads = createThreadPool({
  of: 'feeds',
  module: new URL('./feed-thread.ts', import.meta.url),
  // Twice as many as jobs of any length run at once: an extraction has a worker of the queue, and does not wait once more.
  places: 32,
  memoryMaxMb: 384,
})

export interface FeedToRead {
  search: FeedSearch<object>
  searched: FeedSearched
  body: AsyncIterable<Uint8Array>
  /** Null: it is read in place, as a thread does not find its definition. */
  onThread: { portal: DefinedIn; client: Client } | null
}

/**
 * Every advert of a feed, in order. Throws HttpFailure where its bytes break, CrawlFailure if it is none, or takes too much
 * time or memory, HandBack when we are to stop.
 */
export async function* readEntries(feed: FeedToRead, threads = feedThreads): AsyncGenerator<FeedEntry, void> {
  try {
    for await (const { entries, problem, failure } of readBatches(feed, threads)) {
      yield* entries
      if (problem) throw unreadable(problem)
      if (failure) throw new HttpFailure(failure.kind, failure.message)
    }
  } catch (error) {
    if (feed.onThread?.client.signal.aborted) throw new HandBack()
    if (!(error instanceof ThreadFailed)) throw error
    throw new CrawlFailure('LAYOUT_CHANGED', `The feed can't be read: ${error.message}.`, error)
  }
}

async function* readBatches(
  { search, searched, body, onThread }: FeedToRead,
  threads: FeedThreads,
): AsyncGenerator<FeedBatch, void> {
  if (!onThread) return yield* readFeed(search, searched, body)
  const pieces = withStart(body, inPlaceMaxBytes + 1)
  try {
    const { value: start } = await pieces.next()
    if (!start) return yield* readFeed(search, searched, pieces)
    async function* whole() {
      yield start!
      yield* pieces
    }
    if (start.length <= inPlaceMaxBytes && !isGzip(start)) yield* readFeed(search, searched, whole())
    else yield* readOnThread(threads, onThread.client, { ...searched, portal: onThread.portal }, whole())
  } finally {
    await pieces.return()
  }
}
