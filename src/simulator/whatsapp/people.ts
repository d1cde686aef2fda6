/** People with a phone at the simulated WhatsApp: they receive, read, write and answer. */
import type { Callbacks } from '../graph-api/callbacks.ts'
import type { AcceptedMessage, Graph } from './graph.ts'
import type { MessageBody } from './message-values.ts'

export interface SimulatedPerson {
  name: string
  /** E.164; null: the person shows only a user id. */
  phone: string | null
  /** The business-scoped user id. */
  userId: string
  /** False: messages fail with 131026. */
  isReachable?: boolean
  /** The window of 24 hours is closed until the person writes. Default: open. */
  isWindowClosed?: boolean
  /** What the person answers to a message; null: nothing. */
  answer?(body: MessageBody): string | null
}

export interface Person {
  /** Messages that reached the person, the oldest first. */
  received: AcceptedMessage[]
  /** Writes to the account: a text, or any message object with its type. Returns the message id. */
  write(message: string | object, options?: { replyTo?: string }): string
  /** Sends a file. Returns the message id. */
  sendFile(kind: string, bytes: Buffer, mediaType: string, fields?: object): string
}

export interface People {
  addPerson(person: SimulatedPerson): Person
}

export function createPeople(options: {
  graph: Graph
  callbacks: Callbacks
  now: () => number
  statuses: readonly string[]
  hasReplyWindow: boolean
  stepMs: number
}): People {
  const { graph, callbacks, now, statuses, hasReplyWindow, stepMs } = options
  /** By address, when the person wrote last. */
  const wroteMs = new Map<string, number>()
  const byAddress = new Map<string, { settings: SimulatedPerson; person: Person }>()
  const metadata = {
    display_phone_number: String(graph.number.display_phone_number).replace(/\D/g, ''),
    phone_number_id: graph.number.id,
  }
  const toSeconds = () => String(Math.floor(now() / 1000))
  const base = { messaging_product: 'whatsapp', metadata }

  const post = (value: object, delayMs: number) => callbacks.post('messages', { ...base, ...value }, delayMs)

  graph.onAccepted(message => {
    const { body } = message
    const address = String(body.to ?? body.recipient)
    const known = byAddress.get(address)
    const isWindowClosed = hasReplyWindow && now() - (wroteMs.get(address) ?? 0) > replyWindowMs
    const failure = findFailure(known?.settings, { body, isWindowClosed })
    const recipient =
      typeof body.to === 'string'
        ? { recipient_id: address.replace('+', '') }
        : { recipient_user_id: address }
    const common = {
      id: message.id,
      ...recipient,
      ...(body.biz_opaque_callback_data !== undefined && {
        biz_opaque_callback_data: body.biz_opaque_callback_data,
      }),
    }
    const outcomes = failure ? ['failed'] : statuses
    outcomes.forEach((status, index) => {
      const errors = failure ? { errors: [{ code: failure, title: 'Message undeliverable' }] } : {}
      post({ statuses: [{ ...common, status, timestamp: toSeconds(), ...errors }] }, (index + 1) * stepMs)
    })
    if (failure || !known) return
    known.person.received.push(message)
    const text = known.settings.answer?.(body)
    if (text) known.person.write(text)
  })

  return {
    addPerson(settings) {
      const { phone, userId, name } = settings
      const send = (message: object, replyTo: string | undefined): string => {
        const id = graph.createId()
        const from =
          phone === null ? { from_user_id: userId } : { from: phone.replace('+', ''), from_user_id: userId }
        const contact = {
          profile: { name },
          ...(phone !== null && { wa_id: phone.replace('+', '') }),
          user_id: userId,
        }
        const context = replyTo === undefined ? {} : { context: { id: replyTo } }
        const full = { ...from, id, timestamp: toSeconds(), ...context, ...message }
        settings.isWindowClosed = false
        for (const address of [phone, userId]) if (address !== null) wroteMs.set(address, now())
        post({ contacts: [contact], messages: [full] }, 4 * stepMs)
        return id
      }
      const person: Person = {
        received: [],
        write: (message, { replyTo } = {}) =>
          send(typeof message === 'string' ? { type: 'text', text: { body: message } } : message, replyTo),
        sendFile(kind, bytes, mediaType, fields = {}) {
          const id = graph.addMedia(bytes, mediaType)
          return send({ type: kind, [kind]: { id, mime_type: mediaType, ...fields } }, undefined)
        },
      }
      for (const address of [phone, userId])
        if (address !== null) byAddress.set(address, { settings, person })
      return person
    },
  }
}

const replyWindowMs = 24 * 3_600_000

/** The code with which WhatsApp reports later that an accepted message failed; null: it arrives. */
function findFailure(
  person: SimulatedPerson | undefined,
  { body, isWindowClosed }: { body: MessageBody; isWindowClosed: boolean },
): number | null {
  if (person?.isReachable === false) return 131_026
  if ((isWindowClosed || person?.isWindowClosed) && body.type !== 'template') return 131_047
  return null
}
