/** Daily budgets: the smallest limit counts, per local day, and concurrent processes never exceed it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeFailure } from '../../../test/chat-provider.ts'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { readLocalDay, releaseBudget, reserveBudget, toDailyBudget, toLocalDay } from './budgets.ts'
import { findAccounts } from './queries.ts'
import type { Account } from './schemas.ts'
import { recordHealth, recordSendFailure, recordSendSuccess } from './status.ts'
import { toWarmUpBudget } from './warm-up.ts'

const zone = 'Europe/Madrid'
const noLimits = { ownDailyLimit: null, providerDailyLimit: null, warmUpStartedAt: null }

test('the smallest of all limits counts; without any there is none', () => {
  expect(toDailyBudget(noLimits, '2026-11-02', zone)).toBeNull()
  expect(toDailyBudget({ ...noLimits, providerDailyLimit: 250 }, '2026-11-02', zone)).toBe(250)
  const all = {
    ownDailyLimit: 100,
    providerDailyLimit: 250,
    warmUpStartedAt: new Date('2026-11-02T10:00:00Z'),
  }
  expect(toDailyBudget(all, '2026-11-02', zone)).toBe(20)
  expect(toDailyBudget(all, '2026-11-06', zone)).toBe(100)
})

test.each([
  ['2026-11-02T23:30:00Z', '2026-11-03', 20],
  ['2026-11-02T22:30:00Z', '2026-11-03', 40],
  ['2026-10-24T10:00:00Z', '2026-11-02', 10_240],
  ['2026-10-23T10:00:00Z', '2026-11-02', null],
  // The clock was behind when it started.
  ['2026-11-05T10:00:00Z', '2026-11-02', 20],
])('a warm-up started at %s allows %s the budget %s', (startedAt, day, budget) => {
  expect(toWarmUpBudget(new Date(startedAt), day, zone)).toBe(budget)
})

test('a day ends at midnight of the workspace, also when the clocks change', () => {
  expect(toLocalDay(Temporal.Instant.from('2026-10-25T12:00:00Z'), zone)).toEqual({
    day: '2026-10-25',
    endsAt: new Date('2026-10-25T23:00:00Z'),
    timezone: zone,
  })
})

describe('with a database', () => {
  let app: TestApp
  let tenant: TestTenant
  beforeAll(async () => {
    app = await shareTestApp('api')
    tenant = await makeTenant(app)
  })
  afterAll(() => app.stop())

  const connect = async (dailyLimit: number | null) =>
    (
      await tenant.call<Account>('POST', '/accounts', {
        body: { provider: 'sandbox', mode: 'chat', displayName: 'Sandbox', dailyLimit },
      })
    ).body
  const reserve = (id: string, count = 1) =>
    tenant.inTenant(async tx => {
      const [account] = await findAccounts(tx, [id])
      return reserveBudget(tx, account!, { count, today: await readLocalDay(tx) })
    })
  const get = async (id: string) => (await tenant.call<Account>('GET', `/accounts/${id}`)).body

  test('concurrent processes get as much as the budget has; a released one can be used again', async () => {
    const { id } = await connect(7)
    const results = await Promise.all(Array.from({ length: 12 }, () => reserve(id)))
    expect(results.sort()).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1])
    const { day } = await tenant.inTenant(readLocalDay)
    expect(await get(id)).toMatchObject({ dailyBudget: 7, usedToday: 7 })
    await tenant.inTenant(tx => releaseBudget(tx, [{ accountId: id, day }]))
    expect(await get(id)).toMatchObject({ usedToday: 6 })
    expect(await reserve(id, 3)).toBe(1)
  })

  test('without a limit every person is counted; with the limit 0 none is sent', async () => {
    const { id } = await connect(null)
    expect(await reserve(id)).toBe(1)
    expect(await get(id)).toMatchObject({ dailyBudget: null, usedToday: 1 })
    const none = await connect(0)
    expect(await reserve(none.id)).toBe(0)
  })

  test.each([
    ['INVALID_CREDENTIALS', 'LOGGED_OUT'],
    ['ACCOUNT_RESTRICTED', 'RESTRICTED'],
    ['ACCOUNT_BANNED', 'BANNED'],
    ['PAYMENT_REQUIRED', 'RESTRICTED'],
  ] as const)('a failed message with %s makes the account %s, with the reason', async (code, status) => {
    const { id } = await connect(null)
    const failure = makeFailure(code)
    await tenant.inTenant(tx => recordSendFailure(tx, id, failure))
    expect(await get(id)).toMatchObject({ status, health: { reason: failure.message, isFailing: true } })
  })

  test('a refused rate pauses the account for the time of the provider; a failure of one person does nothing', async () => {
    const { id } = await connect(null)
    await tenant.inTenant(tx =>
      recordSendFailure(tx, id, makeFailure('RECIPIENT_BLOCKED', { scope: 'recipient' })),
    )
    expect(await get(id)).toMatchObject({ pausedUntil: null, health: { isFailing: false } })
    const rate = makeFailure('RATE_LIMITED', { retryAfterMs: 120_000, retryable: true })
    await tenant.inTenant(tx => recordSendFailure(tx, id, rate))
    const paused = await get(id)
    expect(paused).toMatchObject({ status: 'CONNECTED', health: { isFailing: true } })
    expect(Date.parse(paused.pausedUntil!) - Date.now()).toBeGreaterThan(110_000)
    await tenant.inTenant(tx => recordSendSuccess(tx, id))
    expect(await get(id)).toMatchObject({ health: { isFailing: false } })
  })

  test.each([
    [250, 1000, true],
    [250, null, true],
    [1000, 250, false],
    [null, 250, false],
  ])(
    'a limit of the provider that goes from %s to %s ends the pause for a used up limit: %s',
    async (before, after, ends) => {
      const { id } = await connect(null)
      const report = (dailyLimit: number | null) =>
        tenant.inTenant(tx => recordHealth(tx, id, { dailyLimit }))
      await report(before)
      await tenant.inTenant(tx => recordSendFailure(tx, id, makeFailure('ACCOUNT_LIMIT')))
      expect((await get(id)).pausedUntil).not.toBeNull()
      await report(after)
      expect((await get(id)).pausedUntil === null).toBe(ends)
    },
  )

  test('a higher limit of the provider does not end a pause that the provider requested', async () => {
    const { id } = await connect(null)
    await tenant.inTenant(tx => recordHealth(tx, id, { dailyLimit: 250 }))
    const rate = makeFailure('RATE_LIMITED', { retryAfterMs: 120_000, retryable: true })
    await tenant.inTenant(tx => recordSendFailure(tx, id, rate))
    await tenant.inTenant(tx => recordHealth(tx, id, { dailyLimit: 1000 }))
    expect((await get(id)).pausedUntil).not.toBeNull()
  })

  test.each([
    [{ dailyLimit: 10 }, 0],
    [{ warmUp: false }, 0],
    [{ dailyLimit: 20 }, 1],
    [{ dailyLimit: null }, 1],
    [{ warmUp: true }, 1],
  ])('the change %j of an account with the limit 10 makes waiting messages due: %s', async (body, count) => {
    const { id } = await connect(10)
    expect((await tenant.call('PATCH', `/accounts/${id}`, { body })).status).toBe(200)
    const { rows } = await app.database.ownerPool.query(
      `select from graphile_worker._private_jobs where payload->'data'->>'accountId' = $1 and key like '%send-waiting-messages%'`,
      [id],
    )
    expect(rows).toHaveLength(count)
  })
})
