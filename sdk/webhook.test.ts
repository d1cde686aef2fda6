/** `verifyWebhook` accepts signed webhooks and rejects all others. */
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testShared } from '../test/shared-tests.ts'
import { readPublishedWebhook, type SignedWebhook, signedWebhook } from '../test/signed-webhooks.ts'
import { type ReceivedWebhook, verifyWebhook } from './webhook.ts'

const toReceived = ({ secret, id, timestampSeconds, body, signature }: SignedWebhook) => ({
  secret,
  headers: {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signature,
  },
  body,
  now: new Date(timestampSeconds * 1000),
})
const { secret, id, timestampSeconds, signature } = signedWebhook
const sentAtMs = timestampSeconds * 1000
const received: ReceivedWebhook & { body: string; headers: Record<string, string> } =
  toReceived(signedWebhook)
const event = JSON.parse(signedWebhook.body)

const withHeaders = (headers: Record<string, string | string[] | undefined>): ReceivedWebhook => ({
  ...received,
  headers: { ...received.headers, ...headers },
})

describe('a webhook is accepted', () => {
  const cases: [name: string, webhook: ReceivedWebhook][] = [
    ['signed by the official library', received],
    ['with its body as bytes', { ...received, body: new TextEncoder().encode(received.body) }],
    ['with the headers of a Fetch request', { ...received, headers: new Headers(received.headers) }],
    [
      'with header names in any case',
      {
        ...received,
        headers: Object.fromEntries(
          Object.entries(received.headers).map(([name, value]) => [name.toUpperCase(), value]),
        ),
      },
    ],
    ['with a secret without its prefix', { ...received, secret: secret.replace('whsec_', '') }],
    ['with one matching signature of several', withHeaders({ 'webhook-signature': `v1,AAAA ${signature}` })],
    [
      'with additional signatures of other kinds',
      withHeaders({ 'webhook-signature': `v1a,hnO3f9T8 ${signature} v9,?` }),
    ],
    ['at the end of the tolerance', { ...received, now: new Date(sentAtMs + 300_000) }],
    ['from a clock that is ahead', { ...received, now: new Date(sentAtMs - 300_000) }],
    ['later, with a longer tolerance', { ...received, now: new Date(sentAtMs + 3e6), toleranceSeconds: 3e3 }],
  ]
  test.each(cases)('%s', async (_name, webhook) => {
    expect(await verifyWebhook(webhook)).toEqual(event)
  })

  testShared('from the published example', async () => {
    const published = readPublishedWebhook()
    expect(await verifyWebhook(toReceived(published))).toEqual(JSON.parse(published.body))
  })
})

describe('a webhook is rejected', () => {
  const otherSecret = `whsec_${Buffer.from('another secret, another key').toString('base64')}`
  const cases: [name: string, code: string, webhook: ReceivedWebhook][] = [
    ['with a changed byte in its body', 'WRONG_SIGNATURE', { ...received, body: `${received.body} ` }],
    ['signed with another secret', 'WRONG_SIGNATURE', { ...received, secret: otherSecret }],
    ['with another id', 'WRONG_SIGNATURE', withHeaders({ 'webhook-id': 'msg_other' })],
    [
      'with a timestamp that was not signed',
      'WRONG_SIGNATURE',
      withHeaders({ 'webhook-timestamp': String(timestampSeconds + 1) }),
    ],
    [
      'with only a signature of another kind',
      'WRONG_SIGNATURE',
      withHeaders({ 'webhook-signature': signature.replace('v1,', 'v2,') }),
    ],
    [
      'with half a signature',
      'WRONG_SIGNATURE',
      withHeaders({ 'webhook-signature': signature.slice(0, 20) }),
    ],
    [
      'with a signature that is not base64',
      'WRONG_SIGNATURE',
      withHeaders({ 'webhook-signature': 'v1,%%%' }),
    ],
    ['without an id', 'MISSING_HEADER', withHeaders({ 'webhook-id': undefined })],
    ['with an empty signature', 'MISSING_HEADER', withHeaders({ 'webhook-signature': '' })],
    [
      'with a repeated header',
      'MISSING_HEADER',
      withHeaders({ 'webhook-signature': [signature, signature] }),
    ],
    ['without a timestamp', 'MISSING_HEADER', withHeaders({ 'webhook-timestamp': undefined })],
    [
      'with a date as timestamp',
      'MALFORMED_HEADER',
      withHeaders({ 'webhook-timestamp': '2021-02-25T15:02:10Z' }),
    ],
    ['with a fractional timestamp', 'MALFORMED_HEADER', withHeaders({ 'webhook-timestamp': '1614265330.5' })],
    [
      'a second after the tolerance',
      'TIMESTAMP_OUT_OF_TOLERANCE',
      { ...received, now: new Date(sentAtMs + 301_000) },
    ],
    [
      'a second before the tolerance',
      'TIMESTAMP_OUT_OF_TOLERANCE',
      { ...received, now: new Date(sentAtMs - 301_000) },
    ],
    ['that is old, with the default clock', 'TIMESTAMP_OUT_OF_TOLERANCE', without(received, 'now')],
    ['with a signed body that is not JSON', 'MALFORMED_BODY', signed('not JSON')],
  ]
  test.each(cases)('%s: %s', async (_name, code, webhook) => {
    await expect(verifyWebhook(webhook)).rejects.toMatchObject({ name: 'WebhookError', code })
  })
})

test('a parsed body is an error of the caller', async () => {
  await expect(verifyWebhook({ ...received, body: event })).rejects.toThrow(TypeError)
})

test.each(['', 'whsec_', 'whsec_%%%'])('the secret %j is an error of the caller', async secret => {
  await expect(verifyWebhook({ ...received, secret })).rejects.toThrow(TypeError)
})

function signed(body: string): ReceivedWebhook {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')
  return { ...withHeaders({ 'webhook-signature': `v1,${mac}` }), body }
}

function without<T extends object, K extends keyof T>(object: T, key: K): Omit<T, K> {
  const { [key]: _omitted, ...rest } = object
  return rest
}
