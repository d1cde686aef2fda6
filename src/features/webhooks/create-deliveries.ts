/**
 * Creates deliveries. When a sender serves a subscription, it reads the tenant's events from the position of the
 * subscription on, a few hundred at a time. Emitting an event writes no deliveries, so a change that emits thousands of
 * events costs the same with a hundred subscriptions as with none.
 */

import { sql } from 'kysely'
import { sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'

/**
 * Reads the next events, at most `limit`, and creates deliveries of the subscribed types. Returns the number of events
 * read; fewer than `limit`: there are no more. The deliveries are due at once, in the order of the events.
 */
export async function createDeliveries(tx: Tx, subscriptionId: string, limit: number): Promise<number> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ count: number }>`
    with w as materialized (
      select id, events, position from webhook_subscriptions
      where tenant_id = ${tenantId} and id = ${subscriptionId} and status = 'enabled'
    ), next as materialized (
      select e.id, e.type, e.sequence, e.position from w cross join lateral (
        select * from events where tenant_id = ${tenantId} and position > w.position order by position limit ${limit}) e
    ), made as (
      insert into webhook_deliveries (tenant_id, id, subscription_id, event_id, sequence, created_at, next_attempt_at)
      select ${tenantId}::uuid, aldaba.new_id(), w.id, next.id, next.sequence, ${sqlNow(tx)},
        ${sqlNow(tx)} - make_interval(secs => (max(next.position) over () - next.position) / 1e6)
      from w join next on w.events && array['*', next.type]
      on conflict (tenant_id, subscription_id, event_id) do nothing
      returning id
    ), moved as (
      update webhook_subscriptions set position = n.last from (select max(position) as last from next) n
      where webhook_subscriptions.tenant_id = ${tenantId} and webhook_subscriptions.id = ${subscriptionId} and webhook_subscriptions.position < n.last
    )
    select count(*) from next`.execute(tx)
  return rows[0]!.count
}
