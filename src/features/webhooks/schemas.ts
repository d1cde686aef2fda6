/** What a webhook subscription looks like from outside. */
import { closed, id, nullable, oneOf, type Static, Type, time } from '../../kit/schema.ts'
import { eventTypes } from './events.ts'

const events = Type.Array(oneOf(['*', ...eventTypes]), {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description: 'Kinds of events to be told of; `*` is all of them.',
})
const url = Type.String({ format: 'uri', maxLength: 2000, description: 'Where to send them.' })
const description = nullable(Type.String({ maxLength: 500, description: 'For people.' }))

export const NewWebhook = closed(
  { url, events: Type.Optional({ ...events, default: ['*'] }), description: Type.Optional(description) },
  { title: 'NewWebhook' },
)

const fields = {
  id: id('The subscription.'),
  url: Type.String(),
  events: Type.Array(Type.String()),
  description,
  status: oneOf(['enabled', 'disabled']),
  disabledReason: nullable(Type.String()),
  createdAt: time('Created.'),
  updatedAt: time('Last changed.'),
}

export const Webhook = closed(fields, { title: 'Webhook' })
export const CreatedWebhook = closed(
  { ...fields, secret: Type.String({ description: 'Verifies signatures. Shown this once.' }) },
  { title: 'CreatedWebhook' },
)

export const webhookExample: Static<typeof Webhook> = {
  id: '01980a4e-2222-7c3e-9d7a-2f6b1c0d9e8f',
  url: 'https://crm.example/hooks/aldaba',
  events: ['extraction.completed', 'leads.imported'],
  description: 'CRM',
  status: 'enabled',
  disabledReason: null,
  createdAt: '2026-11-02T10:00:00.000Z',
  updatedAt: '2026-11-02T10:00:00.000Z',
}
