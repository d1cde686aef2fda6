/** Reads the listings of a feed, on a thread unless the feed is short. */
import { isGzip } from '../kit/gzip.ts'
import { HttpFailure } from '../kit/http/client.ts'
import { RequeueJob } from '../kit/jobs/job.ts'
import { type Client, createThreadPool, inlineMaxBytes, ThreadFailed } from '../kit/thread-pool.ts'
import { readOnThread, type StreamPool } from '../kit/thread-stream.ts'
import type { FeedSearch } from '../plugins/portal.ts'
import type { ModuleReference } from '../plugins/portal-modules.ts'
import { CrawlFailure, unreadableFailure } from './failure.ts'
import { bufferStart } from './feed-body.ts'
import type { FeedBegin } from './feed-thread.ts'
import { type FeedBatch, type FeedEntry, type FeedSearchContext, readFeed } from './read-feed.ts'

export type FeedThreads = StreamPool<FeedBegin, FeedBatch>

const feedThreads: FeedThreads = createThreadPool({
  name: 'feeds',
  module: new URL('./feed-thread.ts', import.meta.url),
  // Twice the concurrency of the `long` worker pool: an extraction already has a worker and should not wait again.
  size: 32,
  memoryMaxMb: 384,
})

export interface FeedSource {
  search: FeedSearch<object>
  searchContext: FeedSearchContext
  body: AsyncIterable<Uint8Array>
  /** Null if a thread cannot load the portal's definition: the feed is then read on the main thread. */
  threadOptions: { portal: ModuleReference; client: Client } | null
}

/**
 * Yields every listing of a feed, in order. Throws HttpFailure if the body breaks off, CrawlFailure if it is not a feed
 * or takes too much time or memory, and RequeueJob if the process stops.
 */
export async function* readEntries(feed: FeedSource, threads = feedThreads): AsyncGenerator<FeedEntry, void> {
  try {
    for await (const { entries, problem, failure } of readBatches(feed, threads)) {
      yield* entries
      if (problem) throw unreadableFailure(problem)
      if (failure) throw new HttpFailure(failure.kind, failure.message)
    }
  } catch (error) {
    if (feed.threadOptions?.client.signal.aborted) throw new RequeueJob()
    if (!(error instanceof ThreadFailed)) throw error
    throw new CrawlFailure('LAYOUT_CHANGED', `The feed can't be read: ${error.message}.`, error)
  }
}

async function* readBatches(
  { search, searchContext, body, threadOptions }: FeedSource,
  threads: FeedThreads,
): AsyncGenerator<FeedBatch, void> {
  if (!threadOptions) return yield* readFeed(search, searchContext, body)
  const chunks = bufferStart(body, inlineMaxBytes + 1)
  try {
    const { value: start } = await chunks.next()
    if (!start) return yield* readFeed(search, searchContext, chunks)
    async function* fullBody() {
      yield start!
      yield* chunks
    }
    if (start.length <= inlineMaxBytes && !isGzip(start)) yield* readFeed(search, searchContext, fullBody())
    else
      yield* readOnThread(
        threads,
        threadOptions.client,
        { ...searchContext, portal: threadOptions.portal },
        fullBody(),
      )
  } finally {
    await chunks.return()
  }
}
