/**
 * The limit of inbound webhooks, in a separate process: node:http verifies the signature, inserts the body as a row, and
 * answers 200. Its pool is as large as that of the program.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import pg from 'pg'

const [port, databaseUrl, secret] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: databaseUrl!, max: 10 })
await pool.query('create table if not exists bench_bodies (id uuid primary key, account text, body bytea)')

const server = createServer(async (request, response) => {
  if (request.method === 'GET') return response.end()
  const body = await buffer(request)
  const expected = createHmac('sha256', secret!).update(body).digest('hex')
  const received = String(request.headers['x-hub-signature-256']).slice('sha256='.length)
  if (received.length !== expected.length || !timingSafeEqual(Buffer.from(received), Buffer.from(expected)))
    return response.writeHead(401).end()
  await pool.query({
    name: 'insert',
    text: 'insert into bench_bodies (id, account, body) values ($1, $2, $3)',
    values: [randomUUID(), request.url, body],
  })
  response.writeHead(200).end()
})
server.listen(Number(port), '127.0.0.1')
