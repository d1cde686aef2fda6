/** Signatures of inbound webhooks. The test vector is from GitHub's documentation ("Validating webhook deliveries"). */
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { isSignatureValid } from './hub-signature.ts'

const secret = "It's a Secret to Everybody"
const body = Buffer.from('Hello, World!')
const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'

it('accepts the signature of exactly these bytes with this secret', () => {
  expect(isSignatureValid(body, signature, secret)).toBe(true)
})

it.each([
  ['other bytes', Buffer.from('Hello, World! '), signature, secret],
  ['another secret', body, signature, `${secret}!`],
  ['another signature', body, signature.replace('7571', '7572'), secret],
  ['one cut off', body, signature.slice(0, -2), secret],
  ['another algorithm', body, 'sha1=01dc10d0c83e72ed246219cdd91669667fe2ca59', secret],
  ['no signature', body, undefined, secret],
  ['an empty secret', body, `sha256=${createHmac('sha256', '').update(body).digest('hex')}`, ''],
  ['two signatures', body, [signature, signature], secret],
])('refuses %s', (_what, bytes, header, key) => {
  expect(isSignatureValid(bytes, header, key)).toBe(false)
})
