/** Signatures checked against the example of the Standard Webhooks specification and its official library. */
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { isSignedWith } from '../../../../test/receiver.ts'
import { testShared } from '../../../../test/shared-tests.ts'
import { readPublishedWebhook, type SignedWebhook, signedWebhook } from '../../../../test/signed-webhooks.ts'
import { newSecret, sign } from './signature.ts'

function expectSame({ secret, id, timestampSeconds, body, signature }: SignedWebhook): void {
  expect(sign([secret], { id, timestampSeconds, body })).toBe(signature)
  const received = { id, timestamp: timestampSeconds, body, signatures: signature }
  expect(isSignedWith(secret, received)).toBe(true)
  for (const altered of [{ id: 'msg_x' }, { timestamp: 1 }, { body: '{}' }, { signatures: 'v1,AAAA' }])
    expect(isSignedWith(secret, { ...received, ...altered })).toBe(false)
  expect(isSignedWith(newSecret(), received)).toBe(false)
}

test("the signature equals the official library's, and our test helper rejects altered messages", () =>
  expectSame(signedWebhook))

testShared('the example of the specification is signed as published', () =>
  expectSame(readPublishedWebhook()),
)

test('the official library verifies signatures of several secrets, also with non-ASCII text', () => {
  const secrets = [newSecret(), newSecret()]
  const timestampSeconds = Math.floor(Date.now() / 1000)
  const body = '{"name":"Íñigo 🏠"}'
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': sign(secrets, { id: 'msg_1', timestampSeconds, body }),
  }
  for (const secret of secrets)
    expect(new Webhook(secret).verify(body, headers)).toEqual({ name: 'Íñigo 🏠' })
  expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow('No matching signature found')
  expect(() => new Webhook(secrets[0]!).verify(`${body} `, headers)).toThrow('No matching signature found')
})
