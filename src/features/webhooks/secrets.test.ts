/** Rotated secrets: each message is signed with all valid secrets, and with no expired one. */
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { verifyWebhook } from '../../../sdk/webhook.ts'
import { shareTestApp, type TestApp, testEncryptionKey } from '../../../test/harness.ts'
import {
  type Delivery,
  type Receiver,
  startReceiverForTest,
  subscribe,
  waitForDeliveries,
} from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { createCipher } from '../../kit/crypto.ts'
import { emit } from '../../kit/events/emit.ts'
import { deriveKeyring } from '../../kit/keyring.ts'
import type { Static } from '../../kit/schema.ts'
import { leadsImported } from '../leads/events.ts'
import type { RotatedSecret } from './schemas.ts'
import { addPreviousSecret, decryptPreviousSecrets } from './secrets.ts'

type Rotated = Static<typeof RotatedSecret>

const hourMs = 3_600_000
let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())

/** A receiver with its subscription, in a new workspace. */
async function makeSubscription(): Promise<{ receiver: Receiver; id: string; secret: string }> {
  tenant = await makeTenant(app)
  const receiver = await startReceiverForTest()
  return { receiver, ...(await subscribe(tenant, receiver)) }
}

async function rotate(id: string, body: { overlapHours?: number } = {}): Promise<Rotated> {
  const reply = await tenant.call<Rotated>('POST', `/webhooks/${id}/rotate-secret`, { body })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

/** Emits an event and returns its delivery. */
async function emitAndReceive(receiver: Receiver): Promise<Delivery> {
  const before = receiver.deliveries.length
  await tenant.inTenant(tx => emit(tx, leadsImported, leadsImported.example))
  return (await waitForDeliveries(receiver, before + 1)).at(-1)!
}

/** Returns for each secret if it verifies the signature. The official library and ours must agree. */
async function verifyWith({ headers, body }: Delivery, secrets: string[]): Promise<boolean[]> {
  const accepted: boolean[] = []
  for (const secret of secrets) {
    const official = isAccepted(() => new Verifier(secret).verify(body, headers as Record<string, string>))
    const ours = await verifyWebhook({ secret, headers, body }).then(
      () => true,
      () => false,
    )
    expect(ours).toBe(official)
    accepted.push(ours)
  }
  return accepted
}

function isAccepted(verify: () => unknown): boolean {
  try {
    verify()
    return true
  } catch {
    return false
  }
}

describe('after a rotation', () => {
  test('the new and the previous secret sign, by default for a day', async () => {
    const { receiver, id, secret } = await makeSubscription()
    const rotated = await rotate(id)
    expect(rotated.secret).toMatch(/^whsec_/)
    expect(rotated.secret).not.toBe(secret)
    const untilMs = Date.parse(rotated.previousSecretExpiresAt!) - Date.now()
    expect(Math.abs(untilMs - 24 * hourMs)).toBeLessThan(60_000)
    const delivery = await emitAndReceive(receiver)
    expect(String(delivery.headers['webhook-signature']).split(' ')).toHaveLength(2)
    expect(await verifyWith(delivery, [rotated.secret, secret])).toEqual([true, true])
  })

  test('and a second one within the overlap, all three sign, newest first', async () => {
    const { receiver, id, secret } = await makeSubscription()
    const [second, third] = [await rotate(id, { overlapHours: 1 }), await rotate(id, { overlapHours: 168 })]
    const delivery = await emitAndReceive(receiver)
    expect(await verifyWith(delivery, [third.secret, second.secret, secret])).toEqual([true, true, true])
    const [first] = String(delivery.headers['webhook-signature']).split(' ')
    const withFirstAlone = { ...delivery, headers: { ...delivery.headers, 'webhook-signature': first } }
    expect(await verifyWith(withFirstAlone, [third.secret, second.secret])).toEqual([true, false])
  })

  test('without overlap only the new secret signs, not even those of earlier rotations', async () => {
    const { receiver, id, secret } = await makeSubscription()
    const [second, third] = [await rotate(id), await rotate(id, { overlapHours: 0 })]
    expect(third.previousSecretExpiresAt).toBeNull()
    const delivery = await emitAndReceive(receiver)
    expect(await verifyWith(delivery, [third.secret, second.secret, secret])).toEqual([true, false, false])
  })

  test('no secret is returned again or stored in plain text', async () => {
    const { id, secret } = await makeSubscription()
    const rotated = await rotate(id)
    const shown = await tenant.call('GET', `/webhooks/${id}`)
    const stored = await tenant.inTenant(tx =>
      tx.selectFrom('webhook_subscriptions').selectAll().executeTakeFirstOrThrow(),
    )
    for (const each of [secret, rotated.secret]) {
      expect(shown.text).not.toContain(each)
      expect([stored.secret, stored.previous_secrets!].map(bytes => bytes.includes(each))).toEqual([
        false,
        false,
      ])
    }
  })
})

test.each([-1, 169, 0.5, '24'])('an overlap of %j hours is refused', async overlapHours => {
  const { id } = await makeSubscription()
  const reply = await tenant.call<{ errors: { path: string }[] }>('POST', `/webhooks/${id}/rotate-secret`, {
    body: { overlapHours },
  })
  expect([reply.status, reply.body.errors[0]!.path]).toEqual([400, '/overlapHours'])
})

test("another workspace's secret cannot be rotated", async () => {
  const { receiver, id, secret } = await makeSubscription()
  const other = await makeTenant(app)
  expect((await other.call('POST', `/webhooks/${id}/rotate-secret`, { body: {} })).status).toBe(404)
  expect(await verifyWith(await emitAndReceive(receiver), [secret])).toEqual([true])
})

test('each previous secret signs until its own expiry, and is deleted by the next rotation', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const cipher = createCipher(deriveKeyring(testEncryptionKey))
  const inHours = (hours: number) => new Date(Date.now() + hours * hourMs)
  const once = await addPreviousSecret(cipher, null, {
    secret: 'first',
    expiresAt: inHours(2),
    now: new Date(),
  })
  const twice = await addPreviousSecret(cipher, once, {
    secret: 'second',
    expiresAt: inHours(1),
    now: new Date(),
  })
  expect(await decryptPreviousSecrets(cipher, twice, new Date())).toEqual(['second', 'first'])
  vi.setSystemTime(Date.now() + hourMs - 1)
  expect(await decryptPreviousSecrets(cipher, twice, new Date())).toEqual(['second', 'first'])
  vi.setSystemTime(Date.now() + 1)
  expect(await decryptPreviousSecrets(cipher, twice, new Date())).toEqual(['first'])
  const thrice = await addPreviousSecret(cipher, twice, {
    secret: 'third',
    expiresAt: inHours(24),
    now: new Date(),
  })
  expect(await cipher.decrypt(thrice!)).not.toContain('second')
  vi.setSystemTime(Date.now() + hourMs)
  expect([
    await decryptPreviousSecrets(cipher, twice, new Date()),
    await decryptPreviousSecrets(cipher, thrice, new Date()),
  ]).toEqual([[], ['third']])
})

test('only the newest five previous secrets sign', async () => {
  const cipher = createCipher(deriveKeyring(testEncryptionKey))
  const expiresAt = new Date(Date.now() + hourMs)
  let stored: Buffer | null = null
  for (let n = 1; n <= 7; n++)
    stored = await addPreviousSecret(cipher, stored, { secret: `secret ${n}`, expiresAt, now: new Date() })
  expect(await decryptPreviousSecrets(cipher, stored, new Date())).toEqual(
    [7, 6, 5, 4, 3].map(n => `secret ${n}`),
  )
})
