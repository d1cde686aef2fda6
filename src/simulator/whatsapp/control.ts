/** What the simulated WhatsApp does on request over HTTP. */
import { oneOf, type Static, strictObject, Type } from '../../kit/schema.ts'
import { type ControlReply, createControlRoutes, read, refuse, shownMax } from '../control-routes.ts'
import type { Callbacks } from '../graph-api/callbacks.ts'
import { type GraphFaults, graphFaultKinds } from '../graph-api/faults.ts'
import type { Graph } from './graph.ts'
import type { People, Person } from './people.ts'

const share = Type.Optional(Type.Number({ minimum: 0, maximum: 1 }))
const duration = Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 }))
const text = Type.String({ minLength: 1, maxLength: 65_536 })
const address = Type.String({ pattern: '^(?:\\+[1-9][0-9]{6,14}|[A-Z]{2}\\.[A-Za-z0-9]{1,128})$' })

const Fault = strictObject({
  kind: oneOf(graphFaultKinds),
  path: Type.Optional(Type.String({ maxLength: 200 })),
  times: Type.Optional(Type.Integer({ minimum: 1 })),
  status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
  code: Type.Optional(Type.Integer({ minimum: 0 })),
  isTransient: Type.Optional(Type.Boolean()),
  retryAfterSeconds: Type.Optional(Type.Integer({ minimum: 0 })),
  latencyMs: duration,
  isAccepted: Type.Optional(Type.Boolean()),
})
const CallbackFaults = strictObject({
  late: share,
  repeated: share,
  reordered: share,
  lost: share,
  lateMs: duration,
})
const Message = strictObject({
  from: address,
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  text,
  answer: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
})

const Review = strictObject({
  name: Type.String({ maxLength: 512 }),
  language: Type.String({ maxLength: 20 }),
  status: oneOf(['APPROVED', 'REJECTED', 'PAUSED', 'DISABLED']),
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
})

const peopleMax = 10_000

interface Parts {
  graph: Graph
  faults: GraphFaults
  callbacks: Callbacks
  people: People
}

/** Answers requests to paths below `controlPath`. */
export function createControl({ graph, faults, callbacks, people }: Parts) {
  const known = new Map<string, { person: Person; answer: string | null }>()

  function write({ from, name, text: body, answer }: Static<typeof Message>): ControlReply {
    if (!known.has(from) && known.size >= peopleMax)
      return refuse(400, `There are ${peopleMax} people already. Let one of them write.`)
    const isPhone = from.startsWith('+')
    const { person } = known.get(from) ?? {
      person: people.addPerson({
        name: name ?? from,
        phone: isPhone ? from : null,
        userId: isPhone ? `ES.${from.slice(1)}` : from,
        answer: () => known.get(from)!.answer,
      }),
    }
    known.set(from, { person, answer: answer ?? null })
    return { status: 201, body: { id: person.write(body) } }
  }

  function review({ name, language, status, reason }: Static<typeof Review>): ControlReply {
    const template = graph.templates.find(known => known.name === name && known.language === language)
    if (!template) return refuse(404, `There is no template ${name} in ${language}.`)
    template.status = status
    callbacks.post('message_template_status_update', {
      event: status,
      message_template_id: template.id,
      message_template_name: name,
      message_template_language: language,
      reason: reason ?? 'NONE',
    })
    return { status: 200, body: template }
  }

  return createControlRoutes({
    'GET ': () => ({
      status: 200,
      body: {
        callbackUrl: graph.callbackUrl,
        faults: faults.list(),
        accepted: graph.accepted.slice(-shownMax),
        templates: graph.templates.slice(-shownMax),
      },
    }),
    'POST /faults': read(Fault, fault => {
      faults.add(fault)
      return { status: 201, body: fault }
    }),
    'DELETE /faults'() {
      faults.clear()
      callbacks.setFaults({})
      return { status: 200, body: {} }
    },
    'POST /callbacks': read(CallbackFaults, changed => {
      callbacks.setFaults(changed)
      return { status: 201, body: changed }
    }),
    'POST /messages': read(Message, write),
    'POST /templates': read(Review, review),
  })
}
