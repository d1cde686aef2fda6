/** A thread that reads long pages, so that long or malicious pages do not block the process. */
import { handleTasks } from '../kit/thread.ts'
import type { Card } from '../plugins/portal.ts'
import { portalKit } from '../plugins/portal-kit.ts'
import { loadDefinition, type ModuleReference } from '../plugins/portal-modules.ts'
import { decodeReply } from './decode.ts'
import { type Readings, type ReadTask, readPage } from './read-page.ts'

export type ThreadTask =
  | {
      portal: ModuleReference
      body: Uint8Array
      contentType: string | undefined
      url: string
      task: ReadTask
    }
  | { resume: true }

export interface ThreadReply {
  /** The reading, for a search page without its cards. Null in further replies, which have only cards. */
  reading: Readings[keyof Readings] | null
  /** The next cards of the page. */
  cards: Card[]
  isLast: boolean
}

/** Passing this many cards between threads takes a few milliseconds. */
const cardsMax = 1000
/** The limit for the other lists: a sitemap may contain at most 50,000 URLs. */
const listMax = 50_000

let cardsLeft: Card[] = []

handleTasks(async (task: ThreadTask): Promise<ThreadReply> => {
  if ('resume' in task) return createReply(null)
  cardsLeft = []
  const { portal, body, contentType, url } = task
  // Node caches the module after the first import.
  const definition = await loadDefinition(portal, portalKit)
  const reading = readPage(
    definition,
    { text: decodeReply(Buffer.from(body.buffer), contentType), url },
    task.task,
  )
  if (!('next' in reading)) return createReply(reading)
  cardsLeft = reading.cards
  const { next, withdrawnIds = [] } = reading
  if (Math.max(next.length, withdrawnIds.length) > listMax)
    throw new Error(`The page links to more than ${listMax} others.`)
  return createReply({ ...reading, cards: [] })
})

function createReply(reading: ThreadReply['reading']): ThreadReply {
  const cards = cardsLeft.slice(0, cardsMax)
  cardsLeft = cardsLeft.slice(cardsMax)
  return { reading, cards, isLast: cardsLeft.length === 0 }
}
