/** A thread that reads long pages: whatever they hold, the process goes on meanwhile. */
import { parentPort } from 'node:worker_threads'
import { portalKit } from '../../../plugins/portal-kit.ts'
import { type DefinedIn, loadDefinition } from '../../../plugins/portal-modules.ts'
import { decodeText } from './decode.ts'
import { type Order, readPage } from './reading.ts'

export interface ThreadOrder {
  portal: DefinedIn
  body: Uint8Array
  contentType: string | undefined
  url: string
  order: Order
}

parentPort!.on('message', async (order: ThreadOrder) => {
  try {
    parentPort!.postMessage({ result: await read(order) })
  } catch (error) {
    parentPort!.postMessage({ error: error instanceof Error ? error.message : String(error) })
  }
})

async function read({ portal, body, contentType, url, order }: ThreadOrder) {
  // A module is loaded once, however often it is imported.
  const definition = await loadDefinition(portal, portalKit)
  return readPage(definition, { text: decodeText(Buffer.from(body.buffer), contentType), url }, order)
}
