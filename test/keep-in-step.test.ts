/** Runs the program of docs/guides/keep-your-crm-in-step.md: after any events, both sides have the same leads. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { Crm, keepInStep, readChanges } from '../docs/examples/keep-in-step.ts'
import { type Client, createClient, type WebhookEvent } from '../sdk/index.ts'
import { sql } from '../src/kit/db/index.ts'
import { createPositionCodec } from '../src/kit/page.ts'
import { eventually, startTestApp, type TestApp } from './harness.ts'
import { startReceiverForTest, subscribe, waitForDeliveries } from './receiver.ts'
import { makeTenant, seedListings, type TestTenant } from './tenant.ts'

const program = new URL('../docs/examples/keep-in-step.ts', import.meta.url).pathname

let app: TestApp
let tenant: TestTenant
let aldaba: Client
let folder: string
let file: string
let crm: Crm
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
  aldaba = createClient({ baseUrl: app.url, apiKey: tenant.key })
  folder = mkdtempSync(join(tmpdir(), 'aldaba-crm-'))
  file = join(folder, 'crm.sqlite')
  crm = new Crm(file)
})
afterEach(() => {
  crm.close()
  rmSync(folder, { recursive: true })
})

/** The leads that the CRM should have. */
const listExpectedLeads = async () =>
  (await tenant.listAllLeads())
    .map(({ id, externalId, contact, status, property, tags }) => ({
      id,
      external_id: externalId,
      name: contact.name,
      phone: contact.phone,
      status,
      title: property.title,
      price: property.price,
      tags: JSON.stringify(tags),
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))

/** Waits until both sides agree; throws an error with their differences. */
async function expectInSync(timeoutMs = 150_000): Promise<void> {
  const findDifferences = async () => {
    const [ours, theirs] = [await listExpectedLeads(), crm.leads().map(row => ({ ...row }))]
    return JSON.stringify(ours) === JSON.stringify(theirs) ? null : { ours, theirs }
  }
  const differences = await eventually(findDifferences, found => found === null, timeoutMs).catch(
    findDifferences,
  )
  if (differences) expect(differences.theirs).toEqual(differences.ours)
}

function startProgram(): ChildProcess {
  const { url } = app
  const env = { PATH: process.env.PATH, ALDABA_URL: url, KEY: tenant.key, POLL_MS: '20' }
  const child = spawn(process.execPath, [program, file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function killProgram(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const toPhone = (index: number) => `6${String(10_000_000 + index)}`
async function makeLead(index: number): Promise<string> {
  const body = {
    contact: { name: `Person ${index}`, phone: toPhone(index) },
    property: { title: `Piso ${index}` },
  }
  const { status, body: lead } = await tenant.call<{ id: string }>('POST', '/leads', { body })
  expect(status).toBe(201)
  return lead.id
}
const patchLead = (id: string, body: object) => tenant.call('PATCH', `/leads/${id}`, { body })

/** Causes all kinds of changes: an imported file, listings of an extraction, and single leads. */
async function makeChanges(from: number): Promise<void> {
  const ids: string[] = []
  for (let index = from; index < from + 12; index += 1) ids.push(await makeLead(index))
  await patchLead(ids[0]!, { status: 'contacted', property: { price: 250_000 } })
  await tenant.call('PATCH', '/leads', { body: { ids: ids.slice(0, 6), changes: { addTags: [`t${from}`] } } })
  await tenant.call('DELETE', `/leads/${ids[1]}`)
  await tenant.call('DELETE', `/leads/${ids[2]}?erase=true`)
  for (const [kept, absorbed, isUndone] of [
    [ids[3], ids[4], false],
    [ids[5], ids[6], true],
  ] as const) {
    const merge = await tenant.call<{ mergeId: string }>('POST', `/leads/${kept}/merge`, {
      body: { leadId: absorbed },
    })
    expect(merge.status).toBeLessThan(300)
    if (isUndone) {
      const undone = await tenant.call('POST', `/leads/${kept}/merges/${merge.body.mergeId}/undo`)
      expect(undone.status).toBeLessThan(300)
    }
  }
  await tenant.call('POST', '/leads/imports', {
    rawBody: `name;phone;price\nImported ${from};${toPhone(from + 500)};200000\nOther ${from};${toPhone(from + 501)};\n`,
    contentType: 'text/csv',
  })
}

test('the CRM has the same leads, even if the program is killed in the middle', async () => {
  await makeChanges(0)
  let child = startProgram()
  await once(child.stdout!, 'data')
  const concurrentChanges = makeChanges(100)
  for (let kills = 0; kills < 3; kills += 1) {
    await once(child.stdout!, 'data')
    await killProgram(child)
    child = startProgram()
  }
  await concurrentChanges
  await makeChanges(200)
  await expectInSync()
  await killProgram(child)
  expect(crm.leads().length).toBeGreaterThan(20)
})

test('an expired cursor starts a new copy, which removes deleted leads', async () => {
  const ids = [await makeLead(1), await makeLead(2), await makeLead(3)]
  await keepInStep(aldaba, crm)
  await expectInSync()
  await tenant.call('DELETE', `/leads/${ids[0]}`)
  await tenant.inTenant(tx => sql`delete from events`.execute(tx))
  const old = createPositionCodec('events', tenant.tenantId).encode([
    '1',
    String(Date.now() - 31 * 86_400_000),
  ])
  crm.store(new Map(), old)
  await keepInStep(aldaba, crm)
  expect(crm.leads().map(({ id }) => id)).toEqual(ids.slice(1))
  await patchLead(ids[1]!, { status: 'won' })
  await keepInStep(aldaba, crm)
  await expectInSync()
})

test('changes that are too large for a message, and hundreds of leads at once, are read by their ids', async () => {
  const id = await makeLead(1)
  await keepInStep(aldaba, crm)
  await patchLead(id, {
    status: 'won',
    customFields: { text: 'x'.repeat(9000) },
    property: { description: 'y'.repeat(9000) },
  })
  const rows = Array.from({ length: 460 }, (_, index) => `Row ${index};${toPhone(index + 1000)}`)
  await tenant.call('POST', '/leads/imports', {
    rawBody: `name;phone\n${rows.join('\n')}\n`,
    contentType: 'text/csv',
  })
  await eventually(
    () => tenant.call<{ count: { value: number } }>('GET', '/leads?limit=1&count=true'),
    ({ body }) => body.count.value === 461,
    20_000,
  )
  await keepInStep(aldaba, crm)
  await eventually(
    async () => {
      await keepInStep(aldaba, crm)
      return crm.leads().length
    },
    count => count === 461,
    20_000,
  )
  await expectInSync()
})

test('webhooks deliver the same messages one by one', async () => {
  const receiver = await startReceiverForTest()
  await subscribe(tenant, receiver)
  const ids = [await makeLead(1), await makeLead(2), await makeLead(3)]
  await patchLead(ids[0]!, { status: 'contacted' })
  await tenant.call('DELETE', `/leads/${ids[1]}`)
  await seedListings(tenant, { 1: { price: 250_000 } })
  await seedListings(tenant, { 1: { price: 240_000 } })
  for (const { event } of await waitForDeliveries(receiver, 6))
    crm.store(await readChanges([event as unknown as WebhookEvent], aldaba), null)
  await expectInSync()
})
