/** What the simulated ad network does on request over HTTP: people submit forms, and faults. */
import { oneOf, type Static, strictObject, Type } from '../../kit/schema.ts'
import { type ControlReply, createControlRoutes, read, refuse, shownMax } from '../control-routes.ts'
import type { CallbackFaults, Callbacks } from '../graph-api/callbacks.ts'
import { type GraphFaults, graphFaultKinds } from '../graph-api/faults.ts'
import type { AdsGraph } from './graph.ts'
import type { AdsState, NewLead, SimulatedLead } from './state.ts'

const share = Type.Optional(Type.Number({ minimum: 0, maximum: 1 }))
const duration = Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 }))
const texts = (maxLength: number) =>
  Type.Record(Type.String({ pattern: '^[^]{1,200}$' }), Type.String({ maxLength }), { maxProperties: 100 })

const Fault = strictObject({
  kind: oneOf(graphFaultKinds),
  path: Type.Optional(Type.String({ maxLength: 200 })),
  times: Type.Optional(Type.Integer({ minimum: 1 })),
  status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
  code: Type.Optional(Type.Integer({ minimum: 0 })),
  retryAfterSeconds: Type.Optional(Type.Integer({ minimum: 0 })),
  latencyMs: duration,
})
const WebhookFaults = strictObject({
  late: share,
  repeated: share,
  reordered: share,
  lost: share,
  lateMs: duration,
})
const Lead = strictObject({
  formId: Type.Optional(Type.String({ maxLength: 30 })),
  answers: Type.Optional(texts(5000)),
  boxes: Type.Optional(
    Type.Record(Type.String({ pattern: '^[^]{1,200}$' }), Type.Boolean(), { maxProperties: 50 }),
  ),
})
const Webhook = strictObject({
  url: Type.String({ maxLength: 500 }),
  verifyToken: Type.String({ maxLength: 200 }),
})
const Token = strictObject({ accessToken: Type.String({ minLength: 1, maxLength: 1000 }) })

interface Parts {
  state: AdsState
  graph: AdsGraph
  faults: GraphFaults
  callbacks: Callbacks
  submit(lead: NewLead): SimulatedLead | undefined
  /** Verifies the address as the app's dashboard does; false: it did not answer with the challenge. */
  verifyWebhook(webhook: Static<typeof Webhook>): Promise<boolean>
}

/** Answers requests to paths below `controlPath`. */
export function createAdsControl({ state, graph, faults, callbacks, submit, verifyWebhook }: Parts) {
  const done: ControlReply = { status: 200, body: {} }
  return createControlRoutes({
    'GET ': () => ({
      status: 200,
      body: {
        subscribedFields: graph.subscribedFields,
        forms: state.forms,
        leads: state.leads.slice(-shownMax),
        faults: faults.list(),
        posted: callbacks.posted.slice(-shownMax),
      },
    }),
    'POST /webhook': read(Webhook, async webhook =>
      (await verifyWebhook(webhook))
        ? done
        : refuse(400, 'The address did not answer with the challenge. Check it and its verify token.'),
    ),
    'POST /leads': read(Lead, lead => {
      const submitted = submit(lead)
      return submitted ? { status: 201, body: submitted } : refuse(404, 'No active form has this id.')
    }),
    'POST /webhooks': read(WebhookFaults, changed => {
      callbacks.setFaults(changed as CallbackFaults)
      return { status: 201, body: changed }
    }),
    'POST /faults': read(Fault, fault => {
      faults.add(fault)
      return { status: 201, body: fault }
    }),
    'DELETE /faults'() {
      faults.clear()
      callbacks.setFaults({})
      return done
    },
    'POST /token': read(Token, ({ accessToken }) => {
      graph.setAccessToken(accessToken)
      return done
    }),
  })
}
