/** Serves one simulated provider: its control, its OAuth pages, faults on request, and its API. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { controlPath } from '../control-routes.ts'
import { readBody } from '../read-body.ts'
import { listen, stop } from '../server.ts'
import { type CalendarFault, createCalendarControl } from './control.ts'
import type { SimulatedOAuth } from './oauth.ts'
import { type CalendarStore, createStore } from './store.ts'

export interface ApiRequest {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: string
}

export interface ApiAnswer {
  status: number
  headers?: Record<string, string>
  /** An object is sent as JSON. */
  body?: object | string
}

export interface CalendarSimulator {
  /** The base URL of the provider. */
  url: string
  store: CalendarStore
  /** Requests to the API, the oldest first, such as `GET /calendar/v3/…`. */
  requests: string[]
  /** Applies to the next requests of the API, in the order in which they were added. */
  addFault(fault: CalendarFault): void
  /** Sync tokens expire. */
  expireCursors(): void
  close(): Promise<void>
}

export type CalendarApi = (request: ApiRequest, store: CalendarStore, origin: string) => ApiAnswer

const bodyMaxBytes = 1_000_000

export async function startCalendarServer({
  port = 0,
  api,
  oauth,
  isAuthorized,
  formatError,
}: {
  port?: number
  api: CalendarApi
  oauth?: SimulatedOAuth
  isAuthorized(authorization: string | undefined): boolean
  /** The body of an error in the form of the provider. */
  formatError(status: number): object | string
}): Promise<CalendarSimulator> {
  const store = createStore()
  const faults: CalendarFault[] = []
  const requests: string[] = []
  const { server, origin } = await listen(port)
  const expireCursors = () => {
    store.epoch += 1
  }
  const control = createCalendarControl({ store, faults, oauth, expireCursors })

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url!.startsWith(controlPath)) return control(request, response)
    if (await oauth?.answer(request, response)) return
    const body = (await readBody(request, bodyMaxBytes)).toString()
    const { method = 'GET', headers } = request
    requests.push(`${method} ${request.url}`)
    const fault = takeFault(faults)
    if (fault?.latencyMs) await sleep(fault.latencyMs)
    if (fault?.kind === 'hang') return
    if (fault?.kind === 'close') return void response.destroy()
    if (fault?.status) {
      const { status, retryAfterSeconds } = fault
      const retry = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
      return send(response, { status, headers: retry, body: formatError(status) })
    }
    if (!isAuthorized(headers.authorization)) return send(response, { status: 401, body: formatError(401) })
    send(response, api({ method, url: new URL(request.url!, origin), headers, body }, store, origin))
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    respond(request, response).catch(() => response.destroy())
  })
  return {
    url: origin,
    store,
    requests,
    addFault: fault => faults.push({ ...fault }),
    expireCursors,
    close: () => stop(server),
  }
}

function takeFault(faults: CalendarFault[]): CalendarFault | undefined {
  const [fault] = faults
  if (fault) fault.times = (fault.times ?? 1) - 1
  if (fault?.times === 0) faults.shift()
  return fault
}

function send(response: ServerResponse, { status, headers = {}, body = '' }: ApiAnswer): void {
  const isText = typeof body === 'string'
  response
    .writeHead(status, { ...(isText ? {} : { 'content-type': 'application/json' }), ...headers })
    .end(isText ? body : JSON.stringify(body))
}
