/** The control server of the simulator: request counts and faults over HTTP. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FaultControl } from './faults.ts'
import { parseFault } from './faults.ts'
import { readBody } from './read-body.ts'

const bodyMaxBytes = 100_000

/**
 * `GET /__simulator` → the value of `status`; `POST /__simulator/faults` (a fault as JSON) → 201; `DELETE
 * /__simulator/faults` → 204.
 */
export function createControlListener(
  faults: FaultControl,
  portals: readonly string[],
  status: () => unknown,
): RequestListener {
  return (request, response) => {
    answer(request, response).catch((error: Error) => sendJson(response, 400, { error: error.message }))
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    if (request.method === 'GET' && (path === '/__simulator' || path === '/'))
      return sendJson(response, 200, status())
    if (path !== '/__simulator/faults') return sendJson(response, 404, { error: 'Try GET /__simulator.' })
    if (request.method === 'DELETE') {
      faults.clear()
      response.writeHead(204).end()
      return
    }
    if (request.method !== 'POST')
      return sendJson(response, 405, { error: 'POST a fault, or DELETE them all.' })
    const fault = parseFault((await readBody(request, bodyMaxBytes)).toString(), portals)
    faults.add(fault)
    sendJson(response, 201, fault)
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(`${JSON.stringify(value, null, 2)}\n`)
}
