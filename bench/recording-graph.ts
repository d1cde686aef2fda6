/** The Graph API in this process: accepts accounts and templates, and records each message that it was sent. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface AcceptedMessage {
  /** The number of the account. */
  from: string
  to: string
  /** The name of the template. */
  template: string
  atMs: number
}

export interface RecordingGraph {
  url: string
  accepted: AcceptedMessage[]
  /** Called with each message; null: nobody is notified. */
  onAccepted: ((message: AcceptedMessage) => void) | null
  /** How long it takes to accept a message, in ms. */
  latencyMs: number
  close(): Promise<void>
}

export async function startRecordingGraph(): Promise<RecordingGraph> {
  let templates = 0
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await readText(request)) || '{}') as Record<string, unknown>
    const [, , id = '', operation] = (request.url ?? '/').split(/[/?]/)
    let reply: unknown = { success: true }
    if (operation === 'messages' && body.type === 'template') {
      const { name } = body.template as { name: string }
      const message = { from: id, to: String(body.to).replace('+', ''), template: name, atMs: Date.now() }
      graph.accepted.push(message)
      graph.onAccepted?.(message)
      reply = { messaging_product: 'whatsapp', messages: [{ id: `wamid.out.${graph.accepted.length}` }] }
      if (graph.latencyMs > 0) await new Promise(resolve => setTimeout(resolve, graph.latencyMs))
      // The confirmation of an opt-out, for example.
    } else if (operation === 'messages') reply = { messages: [{ id: `wamid.text.${crypto.randomUUID()}` }] }
    else if (operation === 'message_templates')
      reply = { id: String(++templates), status: 'APPROVED', category: 'MARKETING' }
    else if (operation === 'phone_numbers') reply = { data: [{ id }] }
    else if (request.method === 'GET')
      reply = { id, display_phone_number: `+34${id.slice(-9)}`, status: 'CONNECTED', quality_rating: 'GREEN' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const graph: RecordingGraph = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accepted: [],
    onAccepted: null,
    latencyMs: 0,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return graph
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
