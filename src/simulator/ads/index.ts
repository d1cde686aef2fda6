/**
 * Lead ads of Meta on loopback: answers as the Graph API does, and posts a webhook when somebody submits a form. The same seed
 * gives the same people and faults.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { controlPath } from '../control-routes.ts'
import { type Callbacks, createCallbacks } from '../graph-api/callbacks.ts'
import { createFaults, type GraphFaults } from '../graph-api/faults.ts'
import { sendFault, sendReply, toReply } from '../graph-api/send.ts'
import { listen, stop } from '../server.ts'
import { createAdsControl } from './control.ts'
import { type AdsCredentials, createAdsGraph } from './graph.ts'
import { createState, type NewLead, type SimulatedForm, type SimulatedLead } from './state.ts'

export interface AdsSimulator extends Pick<Callbacks, 'settle' | 'posted'> {
  /** The base URL, with the version of Graph. */
  url: string
  /** Credentials that it accepts. */
  credentials: AdsCredentials
  forms: SimulatedForm[]
  /** What people have submitted, the oldest first. Tests empty it. */
  leads: SimulatedLead[]
  /** Somebody submits a form: its webhook is posted, if the app receives the leads of the page. */
  submit(lead?: NewLead): SimulatedLead
  /** Sets the address of webhooks after a challenge, as the app's dashboard does. False: it was not answered. */
  verifyWebhook(webhook: { url: string; verifyToken: string }): Promise<boolean>
  readonly subscribedFields: string[]
  setAccessToken(token: string): void
  faults: Pick<GraphFaults, 'add' | 'clear'>
  setWebhookFaults: Callbacks['setFaults']
  /** Requests to the API, the oldest first, such as `GET /v23.0/…`. */
  requests: string[]
  close(): Promise<void>
}

const requestsMax = 100_000

export async function startAds({
  port = 0,
  seed = 1,
  now = Date.now,
}: {
  port?: number
  seed?: number
  now?: () => number
} = {}): Promise<AdsSimulator> {
  const state = createState({ seed, now })
  const credentials = {
    pageId: state.pageId,
    accessToken: 'simulated-page-access-token',
    appSecret: '0123456789abcdef0123456789abcdef',
  }
  const { appSecret } = credentials
  const callbacks = createCallbacks({ seed, appSecret, object: 'page', entryId: state.pageId, now })
  const faults = createFaults()
  const graph = createAdsGraph({ state, credentials })
  const requests: string[] = []

  const submit = (lead: NewLead) => {
    const submitted = state.submit(lead)
    if (submitted && graph.subscribedFields.includes('leadgen'))
      callbacks.post('leadgen', toChange(submitted))
    return submitted
  }
  const toChange = ({ id, formId, submittedAt }: SimulatedLead) => ({
    leadgen_id: id,
    form_id: formId,
    page_id: state.pageId,
    created_time: Math.floor(submittedAt / 1000),
  })
  const verifyWebhook = async ({ url, verifyToken }: { url: string; verifyToken: string }) => {
    const challenge = randomUUID()
    const query = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.verify_token': verifyToken,
      'hub.challenge': challenge,
    })
    const reply = await fetch(`${url}?${query}`, { signal: AbortSignal.timeout(10_000) }).catch(() => null)
    const isVerified = reply?.status === 200 && (await reply.text()) === challenge
    if (isVerified) callbacks.setWebhook(url)
    return isVerified
  }
  const control = createAdsControl({ state, graph, faults, callbacks, submit, verifyWebhook })
  const { server, origin } = await listen(port)

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', origin)
    if (url.pathname.startsWith(controlPath)) return control(request, response)
    request.resume()
    requests.push(`${request.method} ${url.pathname}`)
    if (requests.length > requestsMax) requests.shift()
    const fault = faults.consume(url.pathname)
    const isRefused = fault && fault.kind !== 'slow' && !fault.isAccepted
    const reply = isRefused ? null : await (async () => graph.answer(request, url))().catch(toReply)
    if (fault) sendFault(fault, response, reply)
    else sendReply(response, reply!)
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch(() => response.destroy())
  })
  return {
    url: `${origin}/v23.0`,
    credentials,
    forms: state.forms,
    leads: state.leads,
    submit(lead = {}) {
      const submitted = submit(lead)
      if (!submitted) throw new Error('no active form has this id')
      return submitted
    },
    verifyWebhook,
    get subscribedFields() {
      return graph.subscribedFields
    },
    setAccessToken: graph.setAccessToken,
    faults,
    setWebhookFaults: callbacks.setFaults,
    settle: callbacks.settle,
    posted: callbacks.posted,
    requests,
    async close() {
      callbacks.close()
      await stop(server)
    },
  }
}
