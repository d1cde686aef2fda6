/** Webhooks signed by others: one by the official library, and the example of the specification. */
import { Webhook } from 'standardwebhooks'
import { readShared } from './shared.ts'

export interface SignedWebhook {
  secret: string
  id: string
  timestampSeconds: number
  body: string
  signature: string
}

export const signedWebhook: SignedWebhook = signWithLibrary({
  secret: `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`,
  id: 'msg_2nY3kQ8',
  timestampSeconds: 1_780_000_000,
  body: '{"type":"lead.created","data":{"title":"Piso en Gr\u00e0cia","price":250000}}',
})

function signWithLibrary(message: Omit<SignedWebhook, 'signature'>): SignedWebhook {
  const sentAt = new Date(message.timestampSeconds * 1000)
  return { ...message, signature: new Webhook(message.secret).sign(message.id, sentAt, message.body) }
}

/** Needs `../shared`. */
export function readPublishedWebhook(): SignedWebhook {
  const vector = JSON.parse(readShared('fixtures/webhook-signatures/standard-webhooks-vector.json'))
  return {
    secret: vector.secret,
    id: vector['webhook-id'],
    timestampSeconds: vector['webhook-timestamp'],
    body: vector.payload,
    signature: vector['webhook-signature'],
  }
}
