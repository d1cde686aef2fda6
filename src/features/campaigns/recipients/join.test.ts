/** Leads join campaigns: once, one campaign at a time, and again if the campaign allows it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDatabase, testIdentifierKey } from '../../../../test/harness.ts'
import { insertLeadRows, makeWorkspace } from '../../../../test/make.ts'
import { getNow, setClock } from '../../../kit/clock/clock.ts'
import { type Database, openDatabase, sql, type Tx } from '../../../kit/db/index.ts'
import { bindFeatures } from '../../../kit/feature.ts'
import { newId } from '../../../kit/id.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { countPeople } from '../numbers/queries.ts'
import { joinRecipients } from './join.ts'
import { retryRecipients } from './retry.ts'

let database: Database
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { identifierKey: testIdentifierKey, onError: () => {} })
  bindFeatures(database, [])
})
afterAll(() => database.close())

type JoinedCampaign = Pick<CampaignRow, 'id'>
type Settings = Pick<CampaignRow['settings'], 'lawfulBasis' | 'reentryAfterDays'> & {
  steps: { delayMinutes: number }[]
}

async function setUp() {
  const { testTenantId: tenantId } = await makeWorkspace(database)
  const run = <T>(work: (tx: Tx) => Promise<T>) => database.withTenant({ tenantId }, work)
  return {
    run,
    makeLeads: (count: number, columns: object = {}) =>
      run(tx =>
        insertLeadRows(
          tx,
          Array.from({ length: count }, () => columns),
        ),
      ),
    async makeCampaign(settings: Partial<Settings> = {}): Promise<JoinedCampaign> {
      const id = newId()
      const stored = { steps: [{ delayMinutes: 90 }], reentryAfterDays: null, lawfulBasis: null, ...settings }
      await run(tx =>
        sql`insert into campaigns (tenant_id, id, name, mode, platform, settings, seed, created_at, updated_at, status)
          values (${tenantId}, ${id}, 'Sellers', 'extract_and_contact', 'csv_import', ${JSON.stringify(stored)}::jsonb, 1, now(), now(), 'running')`.execute(
          tx,
        ),
      )
      return { id }
    },
    join: (campaign: JoinedCampaign, leadIds: string[]) => run(tx => joinRecipients(tx, campaign, leadIds)),
    async read(campaign: JoinedCampaign) {
      const { rows } = await run(tx =>
        sql<{ status: string; round: number; delay: number | null; code: string | null }>`
          select status, round, reason ->> 'code' as code, extract(epoch from due_at - joined_at)::int / 60 as delay
          from campaign_recipients where campaign_id = ${campaign.id} and tenant_id = ${tenantId} order by id`.execute(
          tx,
        ),
      )
      return rows
    },
    end: (leadId: string) =>
      run(tx =>
        sql`update campaign_recipients set status = 'completed', ended_at = ${getNow(tx)}
          where tenant_id = ${tenantId} and lead_id = ${leadId} and status = 'waiting'`.execute(tx),
      ),
    moveDays: (days: number) => run(tx => setClock(tx, new Date(getNow(tx).getTime() + days * 86_400_000))),
  }
}

test('leads join once, are due after the delay of the first step, and wake the engine', async () => {
  const { run, makeLeads, makeCampaign, join, read } = await setUp()
  const campaign = await makeCampaign()
  const [known, other] = await makeLeads(2)
  const unknown = newId()
  expect(await join(campaign, [known!, known!, unknown])).toMatchObject({
    joined: 1,
    skipped: [{ leadId: unknown, reason: expect.objectContaining({ code: 'UNKNOWN_LEAD' }) }],
  })
  expect(await join(campaign, [known!, other!])).toMatchObject({
    joined: 1,
    skipped: [{ leadId: known, reason: { code: 'ALREADY_JOINED' } }],
  })
  const row = { status: 'waiting', round: 1, delay: 90, code: null }
  expect(await read(campaign)).toEqual([row, row])
  const { rows } = await run(tx =>
    sql<{ delay: number }>`
      select extract(epoch from plan_at - ${getNow(tx)})::int / 60 as delay from campaigns where id = ${campaign.id}`.execute(
      tx,
    ),
  )
  expect(rows[0]!.delay).toBeGreaterThanOrEqual(89)
})

test('a lead that another campaign writes to is skipped, until that one has ended for it', async () => {
  const { makeLeads, makeCampaign, join, read, end } = await setUp()
  const [first, second] = [await makeCampaign(), await makeCampaign()]
  const [leadId] = await makeLeads(1)
  await join(first, [leadId!])
  expect(await join(second, [leadId!])).toMatchObject({
    joined: 0,
    skipped: [{ leadId, reason: { code: 'IN_ANOTHER_CAMPAIGN' } }],
  })
  expect(await read(second)).toMatchObject([{ status: 'skipped', code: 'IN_ANOTHER_CAMPAIGN' }])
  await end(leadId!)
  expect(await join(second, [leadId!])).toMatchObject({ joined: 1, skipped: [] })
  expect(await read(second)).toEqual([{ status: 'waiting', round: 1, delay: 90, code: null }])
})

test('a person with several leads joins once, in all campaigns', async () => {
  const { run, makeLeads, makeCampaign, join, read, end } = await setUp()
  const [first, second] = [await makeCampaign(), await makeCampaign()]
  const [one, another] = await makeLeads(2, { phone: '+34655900001' })
  const [later] = await makeLeads(1, { phone: '+34655900001', email: 'paco@example.org' })
  const [byMail] = await makeLeads(1, { email: 'paco@example.org' })
  const [family] = await makeLeads(1, { phone: '+34655900002', email: 'paco@example.org' })
  const skipped = (leadId: string | undefined, code: string) => ({
    joined: 0,
    skipped: [{ leadId, reason: { code } }],
  })
  expect(await join(first, [one!, another!])).toMatchObject({
    joined: 1,
    skipped: [{ leadId: another, reason: { code: 'SAME_PERSON' } }],
  })
  expect(await join(first, [later!])).toMatchObject(skipped(later, 'SAME_PERSON'))
  expect(await join(second, [another!])).toMatchObject(skipped(another, 'IN_ANOTHER_CAMPAIGN'))
  await end(one!)
  // Nobody has written yet.
  expect(await join(first, [another!])).toMatchObject({ joined: 1 })
  await run(tx =>
    sql`update campaign_recipients set last_sent_at = now() where lead_id = ${another} and campaign_id = ${first.id}`.execute(
      tx,
    ),
  )
  await end(another!)
  expect(await join(first, [later!])).toMatchObject(skipped(later, 'SAME_PERSON'))
  expect(await join(second, [later!, byMail!, family!])).toMatchObject({
    joined: 2,
    skipped: [{ leadId: byMail, reason: { code: 'SAME_PERSON' } }],
  })
  expect((await read(first)).map(({ status }) => status)).toEqual(['completed', 'completed', 'skipped'])
  expect(await run(tx => countPeople(tx, first.id))).toMatchObject({ recipients: 3, contactable: 2 })
})

test('of several leads of a person a retry takes one', async () => {
  const { run, makeLeads, makeCampaign, join, read } = await setUp()
  const campaign = await makeCampaign()
  const leadIds = await makeLeads(3, { phone: '+34655900003' })
  await join(campaign, leadIds)
  await run(tx =>
    sql`update campaign_recipients set status = 'skipped', reason = '{"code":"NO_IDENTITY"}'`.execute(tx),
  )
  const retry = () =>
    run(tx => retryRecipients(tx, { id: campaign.id, status: 'running' }, { status: 'skipped' }))
  expect(await retry()).toMatchObject({ retried: 1 })
  expect(await retry()).toMatchObject({ retried: 0 })
  expect((await read(campaign)).filter(({ status }) => status === 'waiting')).toHaveLength(1)
})

test('a retry of many takes each one once, also those that are refused again', async () => {
  const { run, makeLeads, makeCampaign, join } = await setUp()
  const campaign = await makeCampaign()
  await join(campaign, await makeLeads(1101))
  const refuse = () =>
    run(tx =>
      sql`update campaign_recipients set status = 'skipped', reason = '{"code":"NO_LAWFUL_BASIS"}' where status = 'waiting'`.execute(
        tx,
      ),
    )
  await refuse()
  const counts: number[] = []
  let after: string | null | undefined
  while (after !== null) {
    const selection = { status: 'skipped' as const, ...(after === undefined ? {} : { after }) }
    const { retried, lastId } = await run(tx =>
      retryRecipients(tx, { id: campaign.id, status: 'running' }, selection),
    )
    counts.push(retried)
    after = lastId
    await refuse()
  }
  expect(counts).toEqual([500, 500, 101])
})

test('two campaigns that a lead joins at once: one gets it', async () => {
  const { makeLeads, makeCampaign, join } = await setUp()
  const campaigns = [await makeCampaign(), await makeCampaign(), await makeCampaign()]
  const leadIds = await makeLeads(20)
  const results = await Promise.all(campaigns.map(campaign => join(campaign, leadIds)))
  expect(results.map(({ joined }) => joined).sort()).toEqual([0, 0, 20])
})

test('a lead joins again only after the days that the campaign sets, in a new round', async () => {
  const { makeLeads, makeCampaign, join, read, end, moveDays } = await setUp()
  const [never, later] = [await makeCampaign(), await makeCampaign({ reentryAfterDays: 30 })]
  const [one, other] = await makeLeads(2)
  await join(never, [one!])
  await join(later, [other!])
  await end(one!)
  await end(other!)
  await moveDays(29)
  expect(await join(later, [other!])).toMatchObject({ joined: 0 })
  await moveDays(2)
  expect(await join(later, [other!])).toMatchObject({ joined: 1 })
  expect(await join(never, [one!])).toMatchObject({ joined: 0 })
  expect(await read(later)).toMatchObject([{ status: 'waiting', round: 2, delay: 90 }])
})

test('the basis that the campaign attests is recorded on leads without one, and a withdrawn one stays withdrawn', async () => {
  const { run, makeCampaign, join } = await setUp()
  const lawfulBasis = {
    kind: 'consent' as const,
    attestedBy: 'Ana Ruiz',
    attestedAt: '2026-10-01T10:00:00.000Z',
    note: 'form of the fair',
    channels: ['chat' as const],
  }
  const campaign = await makeCampaign({ lawfulBasis })
  const leadIds = await run(tx =>
    insertLeadRows(tx, [
      {},
      { lawful_basis: 'contract', lawful_basis_at: '2026-09-01T10:00:00.000Z', lawful_basis_proof: 'signed' },
      { lawful_basis_withdrawn_at: '2026-10-02T10:00:00.000Z' },
      // What is attested of many people is no new consent of this one.
      { lawful_basis_withdrawn_at: '2026-09-02T10:00:00.000Z' },
    ]),
  )
  await join(campaign, leadIds)
  const { rows } = await run(tx =>
    sql<{ kind: string | null; proof: string | null; channels: string[] | null }>`
      select lawful_basis as kind, lawful_basis_proof as proof, lawful_basis_channels as channels from leads where id = any(${leadIds}::uuid[]) order by array_position(${leadIds}::uuid[], id)`.execute(
      tx,
    ),
  )
  expect(rows).toEqual([
    {
      kind: 'consent',
      proof: `Campaign “Sellers” (${campaign.id}); attested by Ana Ruiz; form of the fair`,
      channels: ['chat'],
    },
    { kind: 'contract', proof: 'signed', channels: null },
    { kind: null, proof: null, channels: null },
    { kind: null, proof: null, channels: null },
  ])
})
