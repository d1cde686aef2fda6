/** A thread that reads feeds: they are long, and whatever they hold, the process goes on meanwhile. */
import { answerStreams } from '../kit/thread-stream.ts'
import { portalKit } from '../plugins/portal-kit.ts'
import { type DefinedIn, loadDefinition } from '../plugins/portal-modules.ts'
import { type FeedBatch, type FeedSearched, readFeed } from './feed-reading.ts'

export interface FeedBegin extends FeedSearched {
  portal: DefinedIn
}

answerStreams<FeedBegin, FeedBatch>(async function* (begin, pieces) {
  const { search } = await loadDefinition(begin.portal, portalKit)
  if (search.kind !== 'feed') throw new Error(`${begin.portal.id} has no feed.`)
  yield* readFeed(search, begin, pieces)
})
