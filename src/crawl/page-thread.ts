/** A thread that reads long pages: whatever they hold, the process goes on meanwhile. */
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
  /** Of a page of a search without its cards. Null: only cards are left. */
  reading: Readings[keyof Readings] | null
  /** The next ones of the page. */
  cards: Card[]
  isLast: boolean
}

/** Handing so many cards from thread to thread takes a few milliseconds. */
const cardsMax = 1000
/** Of the lists beside the cards: a sitemap may lead to 50,000 others, and to no more. */
const listMax = 50_000

let cardsLeft: Card[] = []

handleTasks(async (task: ThreadTask): Promise<ThreadReply> => {
  if ('resume' in task) return answer(null)
  cardsLeft = []
  const { portal, body, contentType, url } = task
  // A module is loaded once, however often it is imported.
  const definition = await loadDefinition(portal, portalKit)
  const reading = readPage(
    definition,
    { text: decodeReply(Buffer.from(body.buffer), contentType), url },
    task.task,
  )
  if (!('next' in reading)) return answer(reading)
  cardsLeft = reading.cards
  const { next, withdrawnIds = [] } = reading
  if (Math.max(next.length, withdrawnIds.length) > listMax)
    throw new Error(`The page leads to more than ${listMax} others.`)
  return answer({ ...reading, cards: [] })
})

function answer(reading: ThreadReply['reading']): ThreadReply {
  const cards = cardsLeft.slice(0, cardsMax)
  cardsLeft = cardsLeft.slice(cardsMax)
  return { reading, cards, isLast: cardsLeft.length === 0 }
}
