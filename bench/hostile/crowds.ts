/** Many requests at once, each of which holds a shared resource. */
import { createKeyValue } from '../../src/kit/key.ts'
import {
  type Attacker,
  addCounts,
  countStatuses,
  defineCase,
  subject,
  waitForBackground,
} from './attacker.ts'

const search = { operation: 'sale', location: { id: 'barcelona', label: 'Barcelona' } }

async function startExtraction({ send }: Attacker): Promise<string> {
  const body = { platform: 'portal_a', filters: search, maxResults: 500 }
  const reply = await send('POST', '/extractions', { body })
  return (JSON.parse(reply.body) as { extractionId: string }).extractionId
}

async function createValuation({ send }: Attacker): Promise<string> {
  const { status, body } = await send('POST', '/valuations', { body: subject })
  if (status !== '201') throw new Error(body)
  return (JSON.parse(body) as { id: string }).id
}

/** A closed port: each delivery fails at once. */
const receiver = (n: number) => ({ url: `http://127.0.0.1:9/${n}`, events: ['*'] })

export const crowdCases = [
  defineCase({
    name: '120 bulk changes of 1,000 leads',
    prepare: ({ createLeads }) => createLeads(1000),
    attack: ({ flood }, ids) =>
      flood(120, n => ['PATCH', '/leads', { body: { ids, changes: { addTags: [`t${n}`] } } }]),
  }),
  defineCase({
    name: '100 subscriptions × 1,000 leads changed',
    async prepare(attacker) {
      for (let n = 0; n < 100; n++) await attacker.send('POST', '/webhooks', { body: receiver(n) })
      return attacker.createLeads(1000)
    },
    async attack({ flood }, ids) {
      const body = { ids, changes: { addTags: ['autumn'] } }
      return waitForBackground(await flood(1, () => ['PATCH', '/leads', { body }]), 5000)
    },
  }),
  defineCase({
    name: '500 long polls',
    prepare: startExtraction,
    attack: ({ flood }, id) =>
      flood(500, () => ['GET', `/extractions/${id}?waitSeconds=60`, { abortAfterMs: 3000 }]),
  }),
  defineCase({
    name: '500 event streams',
    prepare: startExtraction,
    attack: ({ flood }, id) => flood(500, () => ['GET', `/extractions/${id}/events`, { abortAfterMs: 3000 }]),
  }),
  defineCase({
    name: '100 exports of 2,000 leads',
    prepare: ({ createLeads }) => createLeads(2000),
    attack: ({ flood }) => flood(100, () => ['GET', '/leads/export?format=csv']),
  }),
  defineCase({
    name: '150 PDFs, each aborted after 300 ms',
    prepare: createValuation,
    attack: async ({ flood }, id) =>
      waitForBackground(
        await flood(150, () => ['GET', `/valuations/${id}/report.pdf`, { abortAfterMs: 300 }]),
        3000,
      ),
  }),
  defineCase({
    name: '150 reports as pages',
    prepare: createValuation,
    attack: ({ flood }, id) => flood(150, () => ['GET', `/valuations/${id}/report`]),
  }),
  defineCase({
    name: '1,000 extractions',
    async attack(attacker) {
      const body = { platform: 'portal_a', filters: search, maxResults: 50 }
      const answers: Record<string, number> = {}
      for (let n = 0; n < 20; n++)
        addCounts(answers, await attacker.flood(50, () => ['POST', '/extractions', { body }]))
      return waitForBackground(answers, 5000)
    },
  }),
  defineCase({
    name: '200 imports of 500 rows',
    async attack(attacker) {
      const rows = Array.from({ length: 500 }, (_, n) => `Ana ${n},6${String(10_000_000 + n)},Piso ${n}`)
      const body = `name,phone,title\n${rows.join('\n')}`
      const answers: Record<string, number> = {}
      for (let n = 0; n < 50; n++)
        addCounts(
          answers,
          await attacker.flood(4, () => ['POST', '/leads/imports', { body, type: 'text/csv' }]),
        )
      return waitForBackground(answers, 5000)
    },
  }),
  defineCase({
    name: '1,000 unknown keys',
    attack: async ({ url }) => {
      const replies = await Promise.all(
        Array.from({ length: 1000 }, () =>
          fetch(`${url}/public/v1/me`, { headers: { 'x-api-key': createKeyValue('live') } }),
        ),
      )
      await Promise.all(replies.map(reply => reply.arrayBuffer()))
      return countStatuses(replies.map(({ status }) => String(status)))
    },
  }),
  defineCase({
    name: '500 requests of /readyz, 500 of /metrics',
    attack: ({ url }) => getPaths(url, ['/readyz', '/metrics'], 1000),
  }),
  defineCase({
    name: '200 requests of /openapi.json',
    attack: ({ url }) => getPaths(url, ['/openapi.json'], 200),
  }),
]

/** Requests the paths in turn, without a key. */
async function getPaths(url: string, paths: string[], times: number) {
  const replies = await Promise.all(
    Array.from({ length: times }, (_, n) => fetch(url + paths[n % paths.length])),
  )
  await Promise.all(replies.map(reply => reply.arrayBuffer()))
  return countStatuses(replies.map(({ status }) => String(status)))
}

export const searchCases = [
  defineCase({
    name: 'a search for 200 characters, 60 times',
    prepare: ({ createLeads }) => createLeads(2000),
    attack: ({ flood }) =>
      flood(60, n => [
        'GET',
        `/leads?limit=200&q=${encodeURIComponent(`${'piso ana en '.repeat(16)}${n}`.slice(-200))}`,
      ]),
  }),
  defineCase({
    name: 'a search for 200 wildcards of LIKE, 60 times',
    prepare: ({ createLeads }) => createLeads(1000),
    attack: ({ flood }) =>
      flood(60, () => ['GET', `/leads?limit=200&q=${encodeURIComponent('%_'.repeat(100))}`]),
  }),
  defineCase({
    name: 'a location of 100 characters, 200 times',
    attack: ({ flood }) =>
      flood(200, n => [
        'GET',
        `/platforms/portal_a/locations?q=${encodeURIComponent(`${n} ${'san maria de '.repeat(8)}`.slice(0, 100))}`,
      ]),
  }),
  defineCase({
    name: 'lists of 200 leads, 100 times',
    prepare: ({ createLeads }) => createLeads(1000),
    attack: ({ flood }) => flood(100, () => ['GET', '/leads?limit=200']),
  }),
  defineCase({
    name: '10,000 ids in one bulk change, 10 times',
    prepare: ({ createLeads }) => createLeads(500),
    attack: ({ flood }, ids) => {
      const many = Array.from({ length: 20 }, () => ids).flat()
      return flood(10, () => ['PATCH', '/leads', { body: { ids: many, changes: { addTags: ['t'] } } }])
    },
  }),
  defineCase({
    name: '100 merges of the same two leads',
    prepare: ({ createLeads }) => createLeads(2),
    attack: ({ flood }, [one, two]) =>
      flood(100, () => ['POST', `/leads/${one}/merge`, { body: { leadId: two } }]),
  }),
]
