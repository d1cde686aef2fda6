/** Transactions that lock campaigns wait for each other, and never in a circle: each runs once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCampaign } from '../../../../test/campaigns.ts'
import { eventually, makeDatabase, testIdentifierKey } from '../../../../test/harness.ts'
import { insertLeadRows, makeWorkspace } from '../../../../test/make.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import { type Database, openDatabase, sql, type Tx } from '../../../kit/db/index.ts'
import { bindFeatures } from '../../../kit/feature.ts'
import { newId } from '../../../kit/id.ts'
import { findCampaignsOfForms } from '../ads/ad-leads.ts'
import { pauseCampaign } from '../campaigns/moves.ts'
import { pauseByAccount } from '../campaigns/pause-by-account.ts'
import { findCampaign, getCampaign, lockCampaign } from '../campaigns/queries.ts'
import { deleteCampaign } from '../campaigns/write.ts'
import { requestHeldUp } from '../held-up.ts'
import { finishRun } from '../runs/finish.ts'
import { joinRecipients } from './join.ts'

let database: Database
let tenantId: string
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { identifierKey: testIdentifierKey, onError: () => {} })
  bindFeatures(database, [])
  tenantId = (await makeWorkspace(database)).testTenantId
})
afterAll(() => database.close())

const run = <T>(work: (tx: Tx) => Promise<T>) => database.withTenant({ tenantId }, work)

async function isWaiting(): Promise<boolean> {
  const { rows } = await database.ownerPool.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length > 0
}

/**
 * The first transaction has locked the campaign when the other one begins, and goes on when that one waits for it. Returns how often
 * each has run: a deadlock repeats one.
 */
async function race(
  campaignId: string,
  first: (tx: Tx) => Promise<unknown>,
  other: (tx: Tx) => Promise<unknown>,
): Promise<[number, number]> {
  const runs: [number, number] = [0, 0]
  let started: Promise<unknown> = Promise.resolve()
  await run(async tx => {
    runs[0] += 1
    await lockCampaign(tx, campaignId)
    if (runs[0] === 1) {
      started = run(each => {
        runs[1] += 1
        return other(each)
      })
      await eventually(isWaiting, waiting => waiting)
    }
    await first(tx)
  })
  await started
  return runs
}

const lawfulBasis = { kind: 'consent' as const, note: 'form of the fair' }
const pause = (id: string) => (tx: Tx) => pauseCampaign(tx, id, null)
const readStatus = async (id: string) => (await run(tx => findCampaign(tx, id)))?.status

test('leads whose basis is recorded join while the campaign is paused', async () => {
  const id = await run(tx => makeCampaign(tx, { status: 'running', settings: { lawfulBasis, steps: [] } }))
  const leadIds = await run(tx => insertLeadRows(tx, [{}, {}]))
  let joined = 0
  const runs = await race(id, pause(id), async tx => {
    ;({ joined } = await joinRecipients(tx, await getCampaign(tx, id), leadIds))
  })
  expect([runs, joined, await readStatus(id)]).toEqual([[1, 1], 2, 'paused'])
})

test('the leads of a run join while the campaign is deleted', async () => {
  const id = await run(tx =>
    makeCampaign(tx, { status: 'paused', platform: 'portal_a', segmentation: {} as never }),
  )
  const [extractionId, runId] = [newId(), newId()]
  await run(async tx => {
    await sql`insert into extractions (tenant_id, id, platform, filters, max_results, options, status, created_at)
      values (${tenantId}, ${extractionId}, 'portal_a', '{}', 1, '{}', 'COMPLETED', ${getNow(tx)})`.execute(
      tx,
    )
    await sql`insert into campaign_runs (tenant_id, id, campaign_id, status, extraction_id, incremental, started_at)
      values (${tenantId}, ${runId}, ${id}, 'running', ${extractionId}, false, ${getNow(tx)})`.execute(tx)
  })
  const runs = await race(
    id,
    tx => deleteCampaign(tx, id, null),
    // Without notifications, no portal is needed.
    tx => finishRun(tx, null as never, runId),
  )
  expect([runs, await readStatus(id)]).toEqual([[1, 1], undefined])
})

test('leads join a campaign that was deleted meanwhile: nobody is added', async () => {
  const id = await run(tx => makeCampaign(tx, { status: 'paused' }))
  const leadIds = await run(tx => insertLeadRows(tx, [{}]))
  const campaign = await run(tx => getCampaign(tx, id))
  let result: unknown
  const runs = await race(
    id,
    tx => deleteCampaign(tx, id, null),
    async tx => {
      result = await joinRecipients(tx, campaign, leadIds)
    },
  )
  expect([runs, result]).toEqual([
    [1, 1],
    {
      joined: 0,
      recorded: new Map(),
      skipped: [{ leadId: leadIds[0], reason: expect.objectContaining({ code: 'CAMPAIGN_DELETED' }) }],
    },
  ])
})

test('the campaigns of an account are paused while somebody pauses one of them', async () => {
  const accountId = newId()
  const ids = await run(async tx => {
    await sql`insert into accounts (tenant_id, id, provider, mode, display_name, external_id, status, status_changed_at, created_at, updated_at)
      select ${tenantId}, ${accountId}, 'sandbox', 'chat', 'n', '1', 'LOGGED_OUT', ${getNow(tx)}, ${getNow(tx)}, ${getNow(tx)}`.execute(
      tx,
    )
    return [
      await makeCampaign(tx, { status: 'running', accountId }),
      await makeCampaign(tx, { status: 'running', accountId }),
    ].sort()
  })
  const providers = { getProvider: () => undefined }
  const runs = await race(ids[1]!, pause(ids[1]!), tx => pauseByAccount(tx, providers, accountId))
  expect([runs, await readStatus(ids[0]!), await readStatus(ids[1]!)]).toEqual([[1, 1], 'paused', 'paused'])
})

test('ad leads are taken while a campaign of their connection is paused', async () => {
  const connectionId = newId()
  const id = await run(tx =>
    makeCampaign(tx, {
      status: 'running',
      platform: 'social_ads',
      segmentation: { connectionId, formIds: [] },
      settings: { lawfulBasis },
    }),
  )
  const [leadId] = await run(tx => insertLeadRows(tx, [{}]))
  const runs = await race(id, pause(id), async tx => {
    expect(await findCampaignsOfForms(tx, { connectionId, formIds: ['1'] })).toEqual(new Map([['1', id]]))
    await joinRecipients(tx, await getCampaign(tx, id), [leadId!])
  })
  expect(runs).toEqual([1, 1])
})

/** The jobs that look for those whom the lead held up. */
async function countRequests(leadId: string): Promise<number> {
  const { rows } = await database.ownerPool.query(
    `select from graphile_worker._private_jobs where payload::jsonb -> 'data' -> 'leadIds' ? $1`,
    [leadId],
  )
  return rows.length
}

test('who joins while the recipient that holds them up ends is looked for afterwards', async () => {
  const [one, other] = [
    await run(tx => makeCampaign(tx, { status: 'running' })),
    await run(tx => makeCampaign(tx, { status: 'running' })),
  ]
  const [leadId] = await run(tx => insertLeadRows(tx, [{}]))
  await run(tx => joinRecipients(tx, { id: one }, [leadId!]))
  await run(async joining => {
    const { skipped } = await joinRecipients(joining, { id: other }, [leadId!])
    expect(skipped).toMatchObject([{ reason: { code: 'IN_ANOTHER_CAMPAIGN' } }])
    await run(tx => requestHeldUp(tx, [leadId!]))
  })
  expect(await countRequests(leadId!)).toBe(1)
  await run(tx => requestHeldUp(tx, [leadId!]))
  expect(await countRequests(leadId!)).toBe(2)
})

test('who joins after the end waits for its transaction; if nobody is held up, nobody is looked for', async () => {
  const tenant = (await makeWorkspace(database)).testTenantId
  const inTenant = <T>(work: (tx: Tx) => Promise<T>) => database.withTenant({ tenantId: tenant }, work)
  const [one, other] = [
    await inTenant(tx => makeCampaign(tx, { status: 'running' })),
    await inTenant(tx => makeCampaign(tx, { status: 'running' })),
  ]
  const [leadId] = await inTenant(tx => insertLeadRows(tx, [{}]))
  await inTenant(tx => joinRecipients(tx, { id: one }, [leadId!]))
  let joining: Promise<{ joined: number }> | undefined
  await inTenant(async ending => {
    await sql`update campaign_recipients set status = 'completed', ended_at = ${getNow(ending)} where tenant_id = ${tenant}`.execute(
      ending,
    )
    await requestHeldUp(ending, [leadId!])
    joining = inTenant(tx => joinRecipients(tx, { id: other }, [leadId!]))
    await eventually(isWaiting, waiting => waiting)
  })
  expect((await joining!).joined).toBe(1)
  expect(await countRequests(leadId!)).toBe(0)
})
