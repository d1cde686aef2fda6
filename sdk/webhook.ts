/** Verifies received webhooks by their signature (standardwebhooks.com, specification). */
import type { WebhookEvent } from './types.generated.ts'

export type WebhookErrorCode =
  | 'MISSING_HEADER'
  | 'MALFORMED_HEADER'
  | 'TIMESTAMP_OUT_OF_TOLERANCE'
  | 'WRONG_SIGNATURE'
  | 'MALFORMED_BODY'

/** The webhook is not authentic. Reply with 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code: WebhookErrorCode

  constructor(code: WebhookErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

export interface ReceivedWebhook {
  /** The secret (`whsec_…`) that `createSubscription` returned. */
  secret: string
  /** The headers of the request, from Fetch, node:http, or as a plain object. */
  headers: Headers | Record<string, string | string[] | undefined>
  /** The body as received, byte for byte: serializing parsed JSON again changes the signature. */
  body: string | Uint8Array<ArrayBuffer>
  /** Allowed difference between the timestamp and now, in both directions; 300 by default. */
  toleranceSeconds?: number
  /** The current time, for tests. */
  now?: Date
}

const encoder = new TextEncoder()

/**
 * Returns the event of a webhook that was signed with `secret` within the tolerance; throws WebhookError for any other,
 * and TypeError for a parsed body or an invalid secret. An event may arrive more than once: use `event.id` to recognize
 * it.
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookEvent> {
  const { body, headers, toleranceSeconds = 300, now = new Date() } = received
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('verifyWebhook needs the unparsed body, as a string or bytes.')
  }
  const key = await importSecret(received.secret)
  const id = getHeader(headers, 'webhook-id')
  const timestamp = getHeader(headers, 'webhook-timestamp')
  const signatures = getHeader(headers, 'webhook-signature')

  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookError('MALFORMED_HEADER', 'webhook-timestamp is not a number of seconds.')
  }
  const content = concatenate(
    encoder.encode(`${id}.${timestamp}.`),
    typeof body === 'string' ? encoder.encode(body) : body,
  )
  if (!(await isSignedBy(key, signatures, content))) {
    throw new WebhookError('WRONG_SIGNATURE', 'No signature of the webhook matches this secret.')
  }
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookError(
      'TIMESTAMP_OUT_OF_TOLERANCE',
      `The timestamp differs from now by more than ${toleranceSeconds} s: the webhook was replayed, or a clock is wrong.`,
    )
  }
  return parseBody(body)
}

function getHeader(headers: ReceivedWebhook['headers'], name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  if (typeof value === 'string' && value !== '') return value
  throw new WebhookError('MISSING_HEADER', `The webhook has no header ${name}.`)
}

function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''))
  if (!bytes?.length) throw new TypeError('The secret of a webhook must be whsec_ followed by base64.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** There are several signatures while a secret is being rotated. `subtle.verify` compares in constant time. */
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
  const joined = new Uint8Array(a.length + b.length)
  joined.set(a)
  joined.set(b, a.length)
  return joined
}

function parseBody(body: string | Uint8Array): WebhookEvent {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
  } catch {
    throw new WebhookError('MALFORMED_BODY', 'The webhook is signed, but its body is not JSON.')
  }
}
