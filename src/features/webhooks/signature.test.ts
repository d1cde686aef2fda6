/** Signatures against the example that the Standard Webhooks specification publishes. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isSignedWith } from '../../../test/receiver.ts'
import { newSecret, sign } from './signature.ts'

const file = new URL(
  '../../../../shared/fixtures/webhook-signatures/standard-webhooks-vector.json',
  import.meta.url,
)
const vector = JSON.parse(readFileSync(file, 'utf8'))
const message = {
  id: vector['webhook-id'],
  timestampSeconds: vector['webhook-timestamp'],
  body: vector.payload,
}

test('the published example is signed as published', () => {
  expect(sign(vector.secret, message)).toBe(vector['webhook-signature'])
})

test("the tests' own verification accepts the published example, and nothing that was altered", () => {
  const published = {
    id: message.id,
    timestamp: message.timestampSeconds,
    body: message.body,
    signatures: vector['webhook-signature'],
  }
  expect(isSignedWith(vector.secret, published)).toBe(true)
  for (const altered of [{ id: 'msg_x' }, { timestamp: 1 }, { body: '{}' }, { signatures: 'v1,AAAA' }])
    expect(isSignedWith(vector.secret, { ...published, ...altered })).toBe(false)
  expect(isSignedWith(newSecret(), published)).toBe(false)
})

test('a body with letters outside ASCII is signed as the bytes that are sent', () => {
  const secret = newSecret()
  const body = '{"name":"Íñigo 🏠"}'
  const signatures = sign(secret, { id: 'msg_1', timestampSeconds: 1, body })
  expect(isSignedWith(secret, { id: 'msg_1', timestamp: 1, signatures, body })).toBe(true)
})
