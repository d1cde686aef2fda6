/** The JSON body in which the sandbox receives what a person does: events of the contract, with times as text. */
import { parseJson } from '../../kit/json-limits.ts'
import {
  compile,
  nullable,
  oneOf,
  type Static,
  strictObject,
  type TSchema,
  Type,
  time,
} from '../../kit/schema.ts'
import {
  accountStatuses,
  chatFailureCodes,
  type InboundEvent,
  identityKinds,
  mediaKinds,
  templateApprovals,
  templateCategories,
} from '../chat.ts'

const eventsMax = 100
const bodyMaxBytes = 4_000_000
const textMax = 65_536
/** A medium may be a `data:` URL. */
const mediaIdMax = 2_000_000

const text = (maxLength = textMax) => Type.String({ maxLength })
const name = text(1000)
const list = <T extends TSchema>(items: T, maxItems = 20) => Type.Array(items, { maxItems })
const identities = list(
  strictObject({ kind: oneOf(identityKinds), value: Type.String({ minLength: 1, maxLength: 1000 }) }),
)
const place = {
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
}

const Content = Type.Union([
  strictObject({ kind: Type.Literal('text'), text: text() }),
  strictObject({
    kind: Type.Literal('media'),
    media: list(
      strictObject({
        kind: oneOf(mediaKinds),
        providerMediaId: text(mediaIdMax),
        mediaType: nullable(name),
        fileName: nullable(name),
        bytes: nullable(Type.Integer({ minimum: 0 })),
      }),
    ),
    caption: nullable(text()),
  }),
  strictObject({ kind: Type.Literal('location'), ...place, name: nullable(name), address: nullable(name) }),
  strictObject({
    kind: Type.Literal('contacts'),
    contacts: list(strictObject({ name, phones: list(name), emails: list(name) })),
  }),
  strictObject({ kind: Type.Literal('choice'), id: name, title: name }),
  strictObject({ kind: Type.Literal('unsupported'), description: name }),
])

const Email = strictObject({
  subject: nullable(name),
  references: list(name, 100),
  fullText: text(),
  authentication: strictObject({ spf: nullable(name), dkim: nullable(name), dmarc: nullable(name) }),
})

const Failure = strictObject({
  code: oneOf(chatFailureCodes),
  providerCode: nullable(name),
  message: name,
  retryable: Type.Boolean(),
  retryAfterMs: Type.Integer({ minimum: 0 }),
  scope: oneOf(['message', 'recipient', 'template', 'account']),
})

const base = { externalId: nullable(name), at: time('When it happened.') }
const fromPerson = { ...base, from: identities, providerMessageId: name }

const Event = Type.Union([
  strictObject({
    type: Type.Literal('message'),
    ...fromPerson,
    profileName: nullable(name),
    content: Content,
    replyTo: nullable(name),
    email: nullable(Email),
    referral: nullable(strictObject({ source: name, url: nullable(name), headline: nullable(name) })),
    nature: oneOf(['person', 'auto_reply']),
    isEcho: Type.Boolean(),
  }),
  strictObject({ type: Type.Literal('reaction'), ...fromPerson, emoji: nullable(name) }),
  strictObject({ type: Type.Literal('edited'), ...fromPerson, content: Content }),
  strictObject({ type: Type.Literal('deleted'), ...fromPerson }),
  strictObject({
    type: Type.Literal('marketing_preference'),
    ...base,
    from: identities,
    accepts: Type.Boolean(),
  }),
  strictObject({
    type: Type.Literal('identity_changed'),
    ...base,
    former: identities,
    current: identities,
  }),
  strictObject({
    type: Type.Literal('status'),
    ...base,
    providerMessageId: name,
    messageId: nullable(name),
    to: identities,
    status: oneOf(['sent', 'delivered', 'read', 'failed']),
    failure: nullable(Failure),
  }),
  strictObject({
    type: Type.Literal('template_status'),
    ...base,
    providerTemplateId: nullable(name),
    providerName: name,
    language: nullable(name),
    status: nullable(oneOf(templateApprovals)),
    category: nullable(oneOf(templateCategories)),
    reason: nullable(name),
  }),
  strictObject({
    type: Type.Literal('account_status'),
    ...base,
    health: Type.Partial(
      strictObject({
        status: oneOf(accountStatuses),
        reason: nullable(name),
        quality: nullable(oneOf(['high', 'medium', 'low'])),
        dailyLimit: nullable(Type.Integer({ minimum: 0 })),
        tier: nullable(name),
      }),
      { additionalProperties: false },
    ),
  }),
  strictObject({ type: Type.Literal('ignored'), ...base, what: name }),
  strictObject({ type: Type.Literal('unreadable'), ...base, reason: name }),
])
const Body = strictObject({ events: Type.Array(Event, { maxItems: eventsMax }) })
const findErrors = compile(Body)

/** The body that `parseSandboxBody` reads; at most 100 events. */
export function toSandboxBody(...events: InboundEvent[]): Buffer {
  return Buffer.from(JSON.stringify({ events }))
}

/** Reads a body of `toSandboxBody`. Never throws: any other one is one event, `unreadable`. */
export function parseSandboxBody(body: Buffer, receivedAt: Temporal.Instant): InboundEvent[] {
  const parsed = body.length <= bodyMaxBytes ? readJson(body) : undefined
  if (parsed === undefined)
    return [toUnreadable('it is not JSON, nested too deep, or larger than 4 MB', receivedAt)]
  const [error] = findErrors(parsed)
  if (error) return [toUnreadable(`${error.path} ${error.message}`, receivedAt)]
  return (parsed as Static<typeof Body>).events.map(
    event => ({ ...event, at: Temporal.Instant.from(event.at) }) as InboundEvent,
  )
}

function readJson(body: Buffer): unknown {
  try {
    return parseJson(body.toString())
  } catch {
    return undefined
  }
}

function toUnreadable(reason: string, at: Temporal.Instant): InboundEvent {
  return {
    type: 'unreadable',
    externalId: null,
    at,
    reason: `The body is not in the format of the sandbox: ${reason}`,
  }
}
