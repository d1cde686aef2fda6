/**
 * WhatsApp on loopback: answers as the Graph API does, posts callbacks to the webhook, and has people who answer.
 * The same seed gives the same outcomes.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { controlPath } from '../control-routes.ts'
import { type Callbacks, callbackStepMs, createCallbacks } from '../graph-api/callbacks.ts'
import { createFaults, type GraphFaults } from '../graph-api/faults.ts'
import { sendFault, sendReply, toReply } from '../graph-api/send.ts'
import { readBody } from '../read-body.ts'
import { createControl } from './control.ts'
import { createGraph, type Graph, type GraphState } from './graph.ts'
import { createPeople, type People, type Person } from './people.ts'

export type { Person }

export interface WhatsappSimulatorOptions {
  /** Decides which callbacks are late, repeated, reordered and lost; default 1. */
  seed?: number
  /** Any free one by default or if it is in use. */
  port?: number
  /** The present, in milliseconds; default: the machine's time. */
  now?: () => number
  /** Which callbacks of a message follow; default: all. */
  statuses?: readonly ('sent' | 'delivered' | 'read')[]
  /** Messages that are no templates fail with 131047 if the person has not written for 24 hours. Default: for nobody. */
  hasReplyWindow?: boolean
}

export interface WhatsappSimulator
  extends Pick<Callbacks, 'setWebhook' | 'settle' | 'posted'>,
    Pick<People, 'addPerson'> {
  /** The base URL, with the version of Graph. */
  url: string
  /** Credentials that it accepts. */
  credentials: GraphState['credentials']
  /** Messages that it accepted, the oldest first. */
  accepted: Graph['accepted']
  /** The phone number as Graph shows it. Tests change its fields. */
  number: Record<string, unknown>
  /** The webhook address that was verified; null: none. */
  readonly callbackUrl: string | null
  /** The app receives the events of the business account, at that address or at its own. */
  readonly isSubscribed: boolean
  templates: GraphState['templates']
  faults: Pick<GraphFaults, 'add' | 'clear'>
  setCallbackFaults: Callbacks['setFaults']
  /** Posts any change, such as `account_update`. */
  notify(field: string, value: object): void
  /** Every call is refused with code 190 until another token is set. */
  setAccessToken(token: string): void
  /** False: connections are refused. */
  setReachable(isReachable: boolean): Promise<void>
  close(): Promise<void>
}

const bodyMaxBytes = 110 * 1024 * 1024
const version = 'v23.0'

export async function startWhatsapp(options: WhatsappSimulatorOptions = {}): Promise<WhatsappSimulator> {
  const { seed = 1, port = 0, now = Date.now, statuses = ['sent', 'delivered', 'read'] } = options
  const { hasReplyWindow = false } = options
  const credentials = {
    phoneNumberId: '106540352242922',
    businessAccountId: '102290129340398',
    accessToken: 'simulated-whatsapp-access-token',
    appSecret: '0123456789abcdef0123456789abcdef',
  }
  const faults = createFaults()
  const callbacks = createCallbacks({
    seed,
    now,
    appSecret: credentials.appSecret,
    object: 'whatsapp_business_account',
    entryId: credentials.businessAccountId,
  })
  const graph: Graph = createGraph({ credentials: { ...credentials }, now, callbacks, seed })
  const people = createPeople({ graph, callbacks, now, statuses, hasReplyWindow, stepMs: callbackStepMs })
  const control = createControl({ graph, faults, callbacks, people })
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { port: ownPort } = server.address() as AddressInfo
    const url = new URL(request.url ?? '/', `http://127.0.0.1:${ownPort}`)
    if (url.pathname.startsWith(controlPath)) return control(request, response)
    const fault = faults.consume(url.pathname)
    const body = await readBody(request, bodyMaxBytes)
    const isRefused = fault && fault.kind !== 'slow' && !fault.isAccepted
    const reply = isRefused ? null : await graph.answer(request, url, body).catch(toReply)
    if (!fault) return sendReply(response, reply!)
    sendFault(fault, response, reply)
  }

  const listen = async (wanted: number) => {
    await once(server.listen(wanted, '127.0.0.1'), 'listening')
    return (server.address() as AddressInfo).port
  }
  const stop = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  const ownPort = await listen(port).catch(() => listen(0))
  return {
    url: `http://127.0.0.1:${ownPort}/${version}`,
    credentials,
    accepted: graph.accepted,
    number: graph.number,
    get callbackUrl() {
      return graph.callbackUrl
    },
    get isSubscribed() {
      return graph.isSubscribed
    },
    templates: graph.templates,
    addPerson: people.addPerson,
    faults,
    posted: callbacks.posted,
    setWebhook: callbacks.setWebhook,
    setCallbackFaults: callbacks.setFaults,
    settle: callbacks.settle,
    notify: (field, value) => callbacks.post(field, value),
    setAccessToken: graph.setAccessToken,
    setReachable: async isReachable => {
      if (isReachable) await listen(ownPort)
      else await stop()
    },
    async close() {
      callbacks.close()
      await stop()
    },
  }
}
