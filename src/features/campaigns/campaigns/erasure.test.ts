/** People in the texts of campaigns: found by an access request, and erased. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCampaign } from '../../../../test/campaigns.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeTenant } from '../../../../test/tenant.ts'
import type { Campaign } from './schemas.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())

test('texts with an identifier of an erased person are replaced; others stay', async () => {
  const tenant = await makeTenant(app)
  const { body: lead } = await tenant.call<{ id: string }>('POST', '/leads', {
    body: { contact: { name: 'Marta Soler', phone: '+34612345678', email: 'marta@example.com' } },
  })
  const note = 'Form of 612 34 56 78.'
  const answer = 'Write to <marta@example.com>.'
  const settings = {
    lawfulBasis: { kind: 'consent' as const, attestedBy: 'Ana', note },
    ai: { instructions: 'Ask Marta.', faq: [{ question: 'Who?', answer }], handoffKeywords: ['612345678'] },
  }
  const message = 'The account "+34 612 345 678" is BANNED.'
  const [named, written, other] = await tenant.inTenant(async tx => [
    await makeCampaign(tx, { name: 'For marta@example.com' }),
    await makeCampaign(tx, {
      name: 'Written',
      settings,
      status: 'paused',
      pauseReason: { code: 'ACCOUNT_NOT_CONNECTED', message },
    }),
    await makeCampaign(tx, { name: 'Marta Soler', settings: { ai: { instructions: 'Marta Soler' } } }),
  ])
  const { body: data } = await tenant.call<{ campaignTexts: { id: string; texts: string[] }[] }>(
    'GET',
    `/leads/${lead.id}/data`,
  )
  expect(data.campaignTexts.map(({ id, texts }) => [id, texts.sort()])).toEqual([
    [named, []],
    [written, ['612345678', note, answer].sort()],
  ])
  expect((await tenant.call('DELETE', `/leads/${lead.id}?erase=true`)).status).toBe(204)
  const get = async (id: string) => (await tenant.call<Campaign>('GET', `/campaigns/${id}`)).body
  expect((await get(named)).name).toBe('Erased')
  expect(await get(written)).toMatchObject({
    name: 'Written',
    pauseReason: { code: 'ACCOUNT_NOT_CONNECTED', message: 'Erased' },
    settings: {
      lawfulBasis: { kind: 'consent', attestedBy: 'Ana', note: 'Erased' },
      ai: {
        instructions: 'Ask Marta.',
        faq: [{ question: 'Who?', answer: 'Erased' }],
        handoffKeywords: ['Erased'],
      },
    },
  })
  expect(await get(other)).toMatchObject({
    name: 'Marta Soler',
    settings: { ai: { instructions: 'Marta Soler' } },
  })
})
