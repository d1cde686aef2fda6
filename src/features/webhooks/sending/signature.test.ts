/** Signatures against the example that the Standard Webhooks specification publishes, and its own library. */
import { readFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { isSignedWith } from '../../../../test/receiver.ts'
import { newSecret, sign } from './signature.ts'

const file = new URL(
  '../../../../../shared/fixtures/webhook-signatures/standard-webhooks-vector.json',
  import.meta.url,
)
const vector = JSON.parse(readFileSync(file, 'utf8'))
const message = {
  id: vector['webhook-id'],
  timestampSeconds: vector['webhook-timestamp'],
  body: vector.payload,
}

test('the published example is signed as published', () => {
  expect(sign([vector.secret], message)).toBe(vector['webhook-signature'])
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

test('the official library verifies what is signed with any of several secrets, letters outside ASCII included', () => {
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
