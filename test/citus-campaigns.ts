/** Campaigns on a cluster. */
import { expect } from 'vitest'
import type { CampaignRun } from '../src/features/campaigns/campaigns/run-schemas.ts'
import type { Campaign } from '../src/features/campaigns/campaigns/schemas.ts'
import { send } from './citus-tenants.ts'
import { eventually } from './harness.ts'
import { openConversation, readMessage, send as sendMessage } from './messaging.ts'
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
      const [leadId] = await makeContacts(tenant, 1)
      const conversation = await openConversation(tenant, accountId!, leadId!)
      const message = await sendMessage(tenant, conversation.id, { text: 'Hola' })
      await eventually(
        () => readMessage(tenant, message.id),
        ({ waiting }) => waiting?.code === 'BUDGET_EXHAUSTED',
      )
    }),
  )
}
