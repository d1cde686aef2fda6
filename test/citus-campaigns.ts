/** Campaigns on a cluster. */
import { expect } from 'vitest'
import type { Campaign } from '../src/features/campaigns/campaigns/schemas.ts'
import { send } from './citus-tenants.ts'
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
}
