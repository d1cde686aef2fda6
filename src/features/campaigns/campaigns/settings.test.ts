/** The settings of campaigns over HTTP: what they may be, and what they refer to. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCampaignRequests, listErrors, search } from '../../../../test/campaign-requests.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { newId } from '../../../kit/id.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const { create, change, makeTemplate } = createCampaignRequests(() => tenant)

describe('settings', () => {
  test('are merged: omitted fields keep their value, lists are replaced, null ends a group', async () => {
    const [one, other] = [await makeTemplate(), await makeTemplate()]
    const { body } = await create({
      ...search,
      settings: {
        schedule: { everyMinutes: 60, endAt: '2030-01-01T01:00:00+01:00' },
        sendWindow: {
          timezone: 'europe/madrid',
          days: [5, 1],
          from: '10:00',
          holidays: ['2026-12-08', 'ES-CT'],
        },
        steps: [
          { templateId: one },
          { templateId: one, delayMinutes: 60, variants: [{ templateId: other }] },
        ],
        dailyLeadLimit: 5,
        lawfulBasis: { kind: 'consent', note: 'They ticked the box.' },
        health: { minSends: 50 },
      },
    })
    expect(body.settings).toMatchObject({
      schedule: {
        everyMinutes: 60,
        cron: null,
        timezone: expect.any(String),
        startAt: null,
        endAt: '2030-01-01T00:00:00.000Z',
      },
      sendWindow: { timezone: 'Europe/Madrid', days: [1, 5], from: '10:00', to: '20:00' },
      steps: [
        { templateId: one, delayMinutes: 0, onlyIfNoReply: false, variants: [] },
        { templateId: one, delayMinutes: 60, onlyIfNoReply: false, variants: [{ templateId: other }] },
      ],
      lawfulBasis: {
        kind: 'consent',
        attestedBy: expect.stringMatching(/^API key “.+”$/),
        attestedAt: expect.any(String),
        channels: null,
      },
      health: { minSends: 50, maxOptOutRate: 0.1 },
    })
    const changed = await change(body.id, {
      settings: {
        schedule: { cron: '30 8 * * 1-5' },
        sendWindow: { to: '19:00' },
        steps: [],
        lawfulBasis: null,
        throttlePerMinute: 2,
      },
    })
    expect(changed.body.settings).toMatchObject({
      schedule: { everyMinutes: null, cron: '30 8 * * 1-5', endAt: '2030-01-01T00:00:00.000Z' },
      sendWindow: {
        timezone: 'Europe/Madrid',
        days: [1, 5],
        from: '10:00',
        to: '19:00',
        holidays: ['2026-12-08', 'ES-CT'],
      },
      steps: [],
      lawfulBasis: null,
      dailyLeadLimit: 5,
      throttlePerMinute: 2,
    })
    const ended = await change(body.id, {
      settings: { schedule: null, sendWindow: null, dailyLeadLimit: null },
    })
    expect(ended.body.settings).toMatchObject({ schedule: null, sendWindow: null, dailyLeadLimit: null })
  })

  test('that cannot work are refused, all at once', async () => {
    const templateId = newId()
    const known = await makeTemplate()
    const sent = await create({
      name: 'n',
      platform: 'portal_a',
      accountId: newId(),
      settings: {
        schedule: {
          everyMinutes: 60,
          cron: '0 7 * * *',
          timezone: 'Mars/Olympus',
          startAt: '2026-12-02T00:00:00Z',
          endAt: '2026-12-01T00:00:00Z',
        },
        sendWindow: {
          from: '20:00',
          timezone: '+01:00',
          holidays: ['2026-02-30', 'XX', 'ES-ZZ', 'ES', '2026-12-24'],
        },
        steps: [{ templateId }, { templateId: known, variants: [{ templateId: known }, { templateId }] }],
        lawfulBasis: { kind: 'consent', attestedAt: '2099-01-01T00:00:00Z' },
        ai: {
          questions: [
            { field: 'a', question: 'A?', kind: 'boolean' },
            { field: 'a', question: 'B?', kind: 'boolean' },
          ],
          instructions: 5,
        },
      },
    })
    expect(listErrors(sent)).toEqual([
      400,
      '/accountId UNKNOWN_ACCOUNT',
      '/settings/ai/instructions WRONG_TYPE',
      '/settings/ai/questions/1/field DUPLICATE',
      '/settings/lawfulBasis/attestedAt TOO_LATE',
      '/settings/lawfulBasis/note REQUIRED',
      '/settings/schedule/cron CONTRADICTION',
      '/settings/schedule/endAt CONTRADICTION',
      '/settings/schedule/timezone UNKNOWN_TIMEZONE',
      '/settings/sendWindow/holidays/0 WRONG_FORMAT',
      '/settings/sendWindow/holidays/1 UNKNOWN_COUNTRY',
      '/settings/sendWindow/holidays/2 UNKNOWN_REGION',
      '/settings/sendWindow/timezone UNKNOWN_TIMEZONE',
      '/settings/sendWindow/to CONTRADICTION',
      '/settings/steps/0/templateId UNKNOWN_TEMPLATE',
      '/settings/steps/1/variants/0/templateId DUPLICATE',
      '/settings/steps/1/variants/1/templateId UNKNOWN_TEMPLATE',
    ])
  })

  test('a change is judged with what is stored', async () => {
    const { id } = (await create({ ...search, settings: { sendWindow: { from: '10:00', to: '12:00' } } }))
      .body
    expect(listErrors(await change(id, { settings: { sendWindow: { from: '12:00' } } }))).toEqual([
      400,
      '/settings/sendWindow/to CONTRADICTION',
    ])
    expect((await change(id, { settings: { sendWindow: { from: '12:00', to: '24:00' } } })).status).toBe(200)
  })

  test('have bounds', async () => {
    const templateId = await makeTemplate()
    const steps = (count: number) => Array.from({ length: count }, () => ({ templateId }))
    const holidays = (count: number) =>
      Array.from({ length: count }, (_, day) =>
        new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
      )
    const faq = Array.from({ length: 25 }, () => ({ question: 'q', answer: 'a'.repeat(1000) }))
    const within = await create({
      ...search,
      settings: { steps: steps(20), sendWindow: { holidays: holidays(400) } },
    })
    expect(within.status).toBe(201)
    const beyond = await create({
      ...search,
      settings: {
        steps: steps(21),
        sendWindow: { holidays: holidays(401) },
        ai: { instructions: 'i'.repeat(4001) },
      },
    })
    expect(listErrors(beyond)).toEqual([
      400,
      '/settings/ai/instructions TOO_LONG',
      '/settings/sendWindow/holidays TOO_MANY',
      '/settings/steps TOO_MANY',
    ])
    const countries = ['ES', 'FR', 'PT', 'IT', 'DE', 'GB', 'IE', 'BE', 'NL', 'PL']
    const withCountries = (names: string[]) =>
      create({ ...search, settings: { sendWindow: { holidays: names } } })
    expect((await withCountries(countries)).status).toBe(201)
    expect(listErrors(await withCountries([...countries, 'ES-CT']))).toEqual([
      400,
      '/settings/sendWindow/holidays TOO_MANY',
    ])
    expect(listErrors(await create({ ...search, settings: { ai: { faq } } }))).toEqual([
      400,
      '/settings/ai TOO_LONG',
    ])
  })
})
