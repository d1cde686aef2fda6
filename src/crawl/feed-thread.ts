/** A thread that reads feeds, so that long or malicious feeds do not block the process. */
import { handleStreams } from '../kit/thread-stream.ts'
import { portalKit } from '../plugins/portal-kit.ts'
import { loadDefinition, type ModuleReference } from '../plugins/portal-modules.ts'
import { type FeedBatch, type FeedSearchContext, readFeed } from './read-feed.ts'

export interface FeedBegin extends FeedSearchContext {
  portal: ModuleReference
}

handleStreams<FeedBegin, FeedBatch>(async function* (begin, chunks) {
  const { search } = await loadDefinition(begin.portal, portalKit)
  if (search.kind !== 'feed') throw new Error(`${begin.portal.id} has no feed.`)
  yield* readFeed(search, begin, chunks)
})
