/** A thread that reads long pages: whatever they hold, the process goes on meanwhile. */
import { answerOrders } from '../kit/thread.ts'
import type { Card } from '../plugins/portal.ts'
import { portalKit } from '../plugins/portal-kit.ts'
import { type DefinedIn, loadDefinition } from '../plugins/portal-modules.ts'
import { decodeReply } from './decode.ts'
import { type Order, type Readings, readPage } from './reading.ts'

export type ThreadOrder =
  | {
      portal: DefinedIn
      body: Uint8Array
      contentType: string | undefined
      url: string
      order: Order
    }
  | { goOn: true }

export interface ThreadAnswer {
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

answerOrders(async (order: ThreadOrder): Promise<ThreadAnswer> => {
  if ('goOn' in order) return answer(null)
  cardsLeft = []
  const { portal, body, contentType, url } = order
  // A module is loaded once, however often it is imported.
  const definition = await loadDefinition(portal, portalKit)
  const reading = readPage(
    definition,
    { text: decodeReply(Buffer.from(body.buffer), contentType), url },
    order.order,
  )
  if (!('next' in reading)) return answer(reading)
  cardsLeft = reading.cards
  const { next, goneIds = [] } = reading
  if (Math.max(next.length, goneIds.length) > listMax)
    throw new Error(`The page leads to more than ${listMax} others.`)
  return answer({ ...reading, cards: [] })
})

function answer(reading: ThreadAnswer['reading']): ThreadAnswer {
  const cards = cardsLeft.slice(0, cardsMax)
  cardsLeft = cardsLeft.slice(cardsMax)
  return { reading, cards, isLast: cardsLeft.length === 0 }
}
