/** Campaigns on a cluster. */
import { expect } from 'vitest'
import type { CampaignRun } from '../src/features/campaigns/campaigns/run-schemas.ts'
import type { Campaign } from '../src/features/campaigns/campaigns/schemas.ts'
import type { WrittenDigest } from '../src/features/campaigns/digests/schemas.ts'
import type { Lead } from '../src/features/leads/schemas.ts'
import { send } from './citus-tenants.ts'
import { eventually } from './harness.ts'
import { openConversation, readMessage, send as sendMessage } from './messaging.ts'
import { connectMailbox } from './notices.ts'
import {
  changeListing,
  listChanges,
  moveSearch,
  runAt,
  startSearch,
  summarize,
  waitForRuns,
} from './saved-searches.ts'
import { joinLeads, listRecipients, makeContacts, makeSequence, setStatus, wait } from './sequences.ts'
import { testShared } from './shared-tests.ts'
import type { TestTenant } from './tenant.ts'

export function testCampaigns(forEachTenant: (work: (tenant: TestTenant) => Promise<void>) => Promise<void>) {
  testShared('a campaign is created, found, started, paused and deleted', () =>
    forEachTenant(async tenant => {
      const filters = {
        operation: 'sale',
        propertyType: 'homes',
        location: { id: 'barcelona', label: 'Barcelona' },
      }
      const campaign = { name: 'Owners', platform: 'portal_a', segmentation: { filters } }
      const { id } = await send<Campaign>(tenant, 201, 'POST', '/campaigns', campaign)
      const path = `/campaigns/${id}`
      await send(tenant, 200, 'PATCH', path, { settings: { sendWindow: { holidays: ['ES'] } } })
      await send(tenant, 200, 'PATCH', `${path}/status`, { status: 'running' })
      const found = await send<{ data: Campaign[] }>(tenant, 200, 'GET', '/campaigns?status=running&q=owners')
      expect(found.data).toMatchObject([{ id, stats: { recipients: 0 } }])
      await send(tenant, 200, 'PATCH', `${path}/status`, { status: 'paused' })
      await send(tenant, 204, 'DELETE', path)
      await send(tenant, 404, 'GET', path)
    }),
  )

  testShared('a campaign reads its portal again, and another one takes a file', () =>
    forEachTenant(async tenant => {
      const location = { id: 'gijon', label: 'Gijón' }
      const filters = { operation: 'rent', propertyType: 'offices', location }
      const settings = { schedule: { everyMinutes: 60 } }
      const campaign = { name: 'Offices', platform: 'portal_a', segmentation: { filters }, settings }
      const { id } = await send<Campaign>(tenant, 201, 'POST', '/campaigns', campaign)
      const started = await send<Campaign>(tenant, 200, 'PATCH', `/campaigns/${id}/status`, {
        status: 'running',
      })
      const now = new Date(Date.parse(started.startedAt!) + 61 * 60_000).toISOString()
      await send(tenant, 200, 'POST', '/sandbox/clock', { now })
      const path = `/campaigns/${id}/runs`
      const { data: runs } = await send<{ data: CampaignRun[] }>(tenant, 200, 'GET', path)
      expect(runs).toMatchObject([
        { status: 'completed', incremental: true },
        { status: 'completed', incremental: false },
      ])
      await send(tenant, 200, 'GET', `${path}/${runs[0]!.id}/pending-urls`)
      await send(tenant, 200, 'PATCH', `/campaigns/${id}`, { allUrlsChecked: true })
      const list = { name: 'List', platform: 'csv_import' }
      const { id: listId } = await send<Campaign>(tenant, 201, 'POST', '/campaigns', list)
      const upload = await tenant.call<{ joined: number }>('POST', `/campaigns/${listId}/recipients`, {
        rawBody: 'Nombre;Teléfono\nAna;612300901\n;nada\n',
        contentType: 'text/csv',
      })
      expect([upload.status, upload.body.joined], upload.text).toEqual([202, 1])
    }),
  )

  testShared('a campaign sends its steps, and what the budget of the day is too small for waits', () =>
    forEachTenant(async tenant => {
      const { id, accountId } = await makeSequence(tenant, { steps: [{}, { delayMinutes: 60 }] })
      await joinLeads(tenant, id, await makeContacts(tenant, 3))
      await setStatus(tenant, id, 'running')
      await wait(tenant, 70)
      expect((await listRecipients(tenant, id)).map(({ status }) => status)).toEqual(
        new Array(3).fill('completed'),
      )
      await send(tenant, 200, 'PATCH', `/accounts/${accountId}`, { dailyLimit: 3 })
      // One more than a day may have: a new one may have begun.
      const messages: { id: string }[] = []
      for (const leadId of await makeContacts(tenant, 4)) {
        const conversation = await openConversation(tenant, accountId!, leadId)
        messages.push(await sendMessage(tenant, conversation.id, { text: 'Hola' }))
      }
      await eventually(
        () => Promise.all(messages.map(({ id }) => readMessage(tenant, id))),
        found => found.some(({ waiting }) => waiting?.code === 'BUDGET_EXHAUSTED'),
      )
    }),
  )

  testShared(
    'a saved search reports what is cheaper and gone in a digest; a merge and an erasure change it',
    () =>
      forEachTenant(async tenant => {
        const reader = 'ana@agency.example'
        await connectMailbox(tenant)
        const known = new Set((await tenant.listAllLeads()).map(({ id }) => id))
        const search = await startSearch(tenant, { notifications: { emails: [reader] } })
        await waitForRuns(tenant, search.id, 1)
        const found = (await tenant.listAllLeads()).filter(({ id }) => !known.has(id))
        const [cheaper, gone, other] = found.map(({ id, property, sources }) => ({
          id,
          price: property.price!,
          listingId: sources[0]!.listingId,
        }))
        await changeListing(tenant, cheaper!.listingId, { price: cheaper!.price - 1 })
        await changeListing(tenant, gone!.listingId, { withdrawn: true })
        expect(await runAt(tenant, search, 1)).toMatchObject({ status: 'completed', incremental: true })
        const expected = [`cheaper ${cheaper!.listingId}`, `gone ${gone!.listingId} LISTING_WITHDRAWN`].sort()
        expect(summarize(await listChanges(tenant, search.id))).toEqual(expected)
        const path = `/campaigns/${search.id}/digests`
        const listDigests = async () => (await send<{ data: WrittenDigest[] }>(tenant, 200, 'GET', path)).data
        const [digest] = await eventually(listDigests, ([first]) => first?.mails[0]?.status === 'sent')
        expect(await send(tenant, 200, 'GET', `${path}/${digest!.id}`)).toMatchObject({ cheaper: 1, gone: 1 })
        await send(tenant, 200, 'POST', `/leads/${other!.id}/merge`, { leadId: cheaper!.id })
        const changes = await listChanges(tenant, search.id, 'type=cheaper')
        expect(changes).toMatchObject([{ leadId: other!.id }])
        const { id } = await send<Lead>(tenant, 201, 'POST', '/leads', { contact: { email: reader } })
        await send(tenant, 204, 'DELETE', `/leads/${id}?erase=true`)
        expect(
          (await send<Campaign>(tenant, 200, 'GET', `/campaigns/${search.id}`)).settings.notifications,
        ).toMatchObject({ emails: [] })
        await moveSearch(tenant, search.id, 'paused')
        await send(tenant, 204, 'DELETE', `/campaigns/${search.id}`)
      }),
  )

  testShared(
    'recipients get a basis and other delays in batches, are retried, taken out, exported and deleted',
    () =>
      forEachTenant(async tenant => {
        const { id, settings } = await makeSequence(tenant, { steps: [{}, { delayMinutes: 600 }] })
        const path = `/campaigns/${id}`
        const unfounded = { lawful_basis: null, lawful_basis_at: null, lawful_basis_proof: null }
        await joinLeads(tenant, id, await makeContacts(tenant, 3, unfounded))
        await setStatus(tenant, id, 'running')
        await wait(tenant, 1)
        const waitForStatuses = (expected: string) =>
          eventually(
            async () =>
              (await listRecipients(tenant, id)).map(({ status, step }) => `${status} ${step}`).join(),
            statuses => statuses === expected,
          )
        await waitForStatuses('skipped 0,skipped 0,skipped 0')
        const retried = await send(tenant, 200, 'POST', `${path}/recipients/retry`, { status: 'skipped' })
        expect(retried).toMatchObject({ retried: 3 })
        await wait(tenant, 1)
        await waitForStatuses('skipped 0,skipped 0,skipped 0')
        await send(tenant, 200, 'PATCH', path, {
          settings: { lawfulBasis: { kind: 'contract', attestedBy: 'Ana' } },
        })
        await waitForStatuses('waiting 1,waiting 1,waiting 1')
        const [taken] = await listRecipients(tenant, id)
        await send(tenant, 204, 'DELETE', `${path}/recipients/${taken!.id}`)
        const steps = settings.steps.map(step => ({ ...step, delayMinutes: Math.min(step.delayMinutes, 60) }))
        await send(tenant, 200, 'PATCH', path, { settings: { steps } })
        await send(tenant, 200, 'POST', `${path}/preview`, {})
        await wait(tenant, 70)
        await waitForStatuses('stopped 1,completed 2,completed 2')
        expect(await send(tenant, 200, 'GET', `${path}/numbers`)).toMatchObject({ funnel: { sent: 3 } })
        const file = await tenant.call('GET', `${path}/recipients/export?format=ndjson`)
        expect(file.text.trim().split('\n')).toHaveLength(5)
        await send(tenant, 204, 'DELETE', path)
        await eventually(
          () =>
            tenant.inTenant(tx =>
              tx.selectFrom('campaign_recipients').select('id').where('campaign_id', '=', id).execute(),
            ),
          rows => rows.length === 0,
        )
      }),
  )
}
