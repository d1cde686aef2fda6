/** Receiving webhooks: nothing in one is to be believed before its signature is (standardwebhooks.com, specification). */
import type { WebhookEvent } from './types.generated.ts'

export type WebhookErrorCode =
  | 'MISSING_HEADER'
  | 'MALFORMED_HEADER'
  | 'TIMESTAMP_OUT_OF_TOLERANCE'
  | 'WRONG_SIGNATURE'
  | 'MALFORMED_BODY'

/** A webhook that is not to be believed. Answer it with 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code: WebhookErrorCode

  constructor(code: WebhookErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

export interface ReceivedWebhook {
  /** The `whsec_…` that `createWebhook` answered with. */
  secret: string
  /** As the request has them: of Fetch, of node:http, or plain. */
  headers: Headers | Record<string, string | string[] | undefined>
  /** As it came, byte for byte: JSON that was parsed and written again has another signature. */
  body: string | Uint8Array<ArrayBuffer>
  /** How far the sender's clock and the way may differ from now, before and after. */
  toleranceSeconds?: number
  now?: Date
}

const encoder = new TextEncoder()

/**
 * The event of a webhook that is signed with `secret` and was sent just now; throws WebhookError for any other.
 * An event can come more than once: `event.id` tells.
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookEvent> {
  const { body, headers, toleranceSeconds = 300, now = new Date() } = received
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('verifyWebhook needs the body as it came, a string or bytes, before any parsing.')
  }
  const key = await importSecret(received.secret)
  const id = readHeader(headers, 'webhook-id')
  const timestamp = readHeader(headers, 'webhook-timestamp')
  const signatures = readHeader(headers, 'webhook-signature')

  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookError('MALFORMED_HEADER', 'webhook-timestamp is not a number of seconds.')
  }
  const content = concatenate(
    encoder.encode(`${id}.${timestamp}.`),
    typeof body === 'string' ? encoder.encode(body) : body,
  )
  if (!(await isSignedBy(key, signatures, content))) {
    throw new WebhookError('WRONG_SIGNATURE', 'No signature of the webhook was made with this secret.')
  }
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookError(
      'TIMESTAMP_OUT_OF_TOLERANCE',
      `The webhook was sent more than ${toleranceSeconds} s from now: a repetition, or a clock is wrong.`,
    )
  }
  return parse(body)
}

function readHeader(headers: ReceivedWebhook['headers'], name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  if (typeof value === 'string' && value !== '') return value
  throw new WebhookError('MISSING_HEADER', `The webhook has no header ${name}.`)
}

function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''))
  if (!bytes?.length) throw new TypeError('The secret of a webhook is whsec_ and base64.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** While a secret is being replaced there are several signatures. `subtle.verify` compares in constant time. */
async function isSignedBy(
  key: CryptoKey,
  signatures: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  for (const signature of signatures.split(' ')) {
    const bytes = signature.startsWith('v1,') ? decodeBase64(signature.slice(3)) : null
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, content))) return true
  }
  return false
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), character => character.charCodeAt(0))
  } catch {
    return null
  }
}

function concatenate(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const expectedMac = new Uint8Array(a.length + b.length)
  expectedMac.set(a)
  expectedMac.set(b, a.length)
  return expectedMac
}

function parse(body: string | Uint8Array): WebhookEvent {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
  } catch {
    throw new WebhookError('MALFORMED_BODY', 'The webhook is signed, but its body is not JSON.')
  }
}
