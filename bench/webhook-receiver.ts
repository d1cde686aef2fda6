/**
 * A webhook receiver in a separate process: answers 204 and records the time of each delivery. `GET /` returns the number
 * of deliveries, `/receipts` lists them, and `/clear` forgets them.
 */
import { createServer } from 'node:http'

const receipts: [id: string, atMs: number][] = []
const now = () => performance.timeOrigin + performance.now()

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    const body = JSON.stringify(request.url === '/receipts' ? receipts : receipts.length)
    if (request.url === '/clear') receipts.length = 0
    response.end(body)
    return
  }
  request.resume().once('end', () => {
    receipts.push([request.headers['webhook-id'] as string, now()])
    response.writeHead(204).end()
  })
})
server.listen(Number(process.argv[2]), '127.0.0.1')
