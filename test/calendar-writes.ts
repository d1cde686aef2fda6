/** Waits until a tenant's calendars are read and its appointments written to them. */
import { sql } from '../src/kit/db/index.ts'
import { eventually, type TestApp } from './harness.ts'
import { waitUntilIdle } from './jobs.ts'
import type { TestTenant } from './tenant.ts'

export async function settleCalendars(app: TestApp, tenant: TestTenant): Promise<void> {
  const countWaiting = () =>
    tenant.inTenant(async tx => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from calendar_writes
        where tenant_id = ${tenant.tenantId} and next_attempt_at is not null`.execute(tx)
      return rows[0]!.count
    })
  await eventually(countWaiting, count => count === 0)
  await waitUntilIdle(app.database, tenant.tenantId)
}
