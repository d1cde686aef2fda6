/**
 * The Graph API at no delay, in a separate process: accepts accounts with any number, any template and any message. `GET /` returns
 * how many messages it accepted, and `/clear` forgets them.
 */
import { createServer, type IncomingMessage } from 'node:http'

let accepted = 0
let templates = 0

function answer({ method, url = '/' }: IncomingMessage): unknown {
  const [, version, id, operation] = url.split(/[/?]/)
  if (version === 'clear') accepted = 0
  if (id === undefined) return accepted
  if (method === 'POST' && operation === 'messages')
    return { messaging_product: 'whatsapp', messages: [{ id: `wamid.${process.pid}.${accepted++}` }] }
  if (method === 'POST' && operation === 'message_templates')
    return { id: String(++templates), status: 'APPROVED', category: 'MARKETING' }
  if (method === 'POST') return { success: true }
  // The account of a number has its id.
  if (operation === 'phone_numbers') return { data: [{ id }] }
  return { id, display_phone_number: `+34${id.slice(-9)}`, status: 'CONNECTED', quality_rating: 'GREEN' }
}

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    const body = JSON.stringify(answer(request))
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
})
server.listen(Number(process.argv[2]), '127.0.0.1')
