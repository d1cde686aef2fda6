/** Every ad network fulfils the contract; what breaks it is named. */
import { expect, onTestFinished, test } from 'vitest'
import { startAdsTrial } from '../../test/ads-trial.ts'
import { strictObject, Type } from '../kit/schema.ts'
import { adNetworks } from './ads/index.ts'
import { AdError, type AdNetwork } from './ads.ts'
import { checkAds } from './check-ads.ts'

const leadgen = (value: object) =>
  Buffer.from(
    JSON.stringify({
      object: 'page',
      entry: [{ id: '138124712925158', time: 1630087927, changes: [{ field: 'leadgen', value }] }],
    }),
  )
const value = {
  form_id: '172036835026334',
  leadgen_id: '233370042045345',
  created_time: 1630087926,
  page_id: '138124712925158',
}

async function openTrial() {
  const trial = await startAdsTrial([leadgen(value), leadgen({ ...value, ad_id: '1', adgroup_id: '1' })])
  onTestFinished(() => trial.close())
  return trial
}

test.each(adNetworks.map(network => [network.id, network] as const))(
  '%s fulfils the contract',
  async (_id, network) => {
    expect(await checkAds(network, { trial: await openTrial() })).toEqual([])
  },
)

const failing = async (): Promise<never> => {
  throw new AdError('UNAVAILABLE', 'It does not answer. It is tried again later.')
}
/** The smallest network that fulfils the contract. */
const small: AdNetwork = {
  id: 'small',
  label: 'Small',
  baseUrl: 'https://small.example',
  credentials: strictObject({ token: Type.String({ title: 'Token', examples: ['a'] }) }),
  keptDays: 90,
  connect: failing,
  disconnect: failing,
  listForms: failing,
  readLead: failing,
  listLeads: failing,
  webhook: { challenge: () => null, verify: () => false, parse: () => null },
}

test('the smallest network has no problems', async () => {
  expect(await checkAds(small)).toEqual([])
  expect(await checkAds(null as never)).toEqual(['the network must be an object'])
})

test.each<[name: string, change: object]>([
  ['id', { id: 'My-Ads' }],
  ['label', { label: '' }],
  ['baseUrl', { baseUrl: 'https://small.example/' }],
  ['keptDays', { keptDays: 0 }],
  ['connect', { connect: undefined }],
  ['webhook', { webhook: { challenge: () => null } }],
  ['credentials', { credentials: Type.Object({}) }],
])('`%s` is refused, with its name', async (name, change) => {
  const problems = await checkAds({ ...small, ...change })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(`\`${name}\``)
})

test.each<[what: string, change: object, problem: RegExp]>([
  ['accept every signature', { verify: () => true }, /^`webhook.verify` must refuse a request without/],
  ['return every challenge', { challenge: () => '1' }, /^`webhook.challenge` must be null for a wrong/],
  [
    'throw at bodies',
    { parse: (body: Buffer) => JSON.parse(body.toString()) },
    /^`webhook.parse` must return/,
  ],
])('webhooks that %s are refused', async (_what, change, problem) => {
  const problems = await checkAds({ ...small, webhook: { ...small.webhook, ...change } })
  expect(
    problems.some(one => problem.test(one)),
    problems.join('\n'),
  ).toBe(true)
})

test.each<[what: string, change: object, problem: RegExp]>([
  [
    'take every reply for an empty list',
    { listForms: async () => [] },
    /^`listForms` with no JSON must fail, and not/,
  ],
  ['throw other errors', { connect: () => Promise.reject(new Error('no luck')) }, /must throw an AdError/],
  [
    'wait for years',
    { readLead: () => Promise.reject(new AdError('RATE_LIMITED', 'Wait.', { retryAfterMs: 1e12 })) },
    /a wait of at most a day/,
  ],
])('calls that %s are refused', async (_what, change, problem) => {
  const problems = await checkAds({ ...small, ...change })
  expect(
    problems.some(one => problem.test(one)),
    problems.join('\n'),
  ).toBe(true)
})

test('a network that loses leads, or the boxes that were not ticked, is refused on a trial', async () => {
  const [meta] = adNetworks
  const broken: AdNetwork = {
    ...meta!,
    async listLeads(...args) {
      const { leads } = await meta!.listLeads(...args)
      return {
        leads: leads.slice(1).map(lead => ({ ...lead, boxes: [{ key: 'a', isTicked: true }] })),
        cursor: null,
      }
    },
  }
  const problems = await checkAds(broken, { trial: await openTrial() })
  expect(problems).toContainEqual(expect.stringMatching(/^`listLeads` must return every lead/))
  expect(problems).toContainEqual(expect.stringMatching(/^`listLeads` must know which boxes are not ticked/))
})
