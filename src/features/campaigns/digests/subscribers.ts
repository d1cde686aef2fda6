/** The subscribers of a campaign's digests, each with a link of their own that ends them. */
import { sql } from 'kysely'
import { createId, getNow } from '../../../kit/clock/clock.ts'
import type { Cipher } from '../../../kit/crypto.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { addLink, findShares } from '../../shares/service.ts'
import { digestKind } from '../campaigns/search-state.ts'

/** Below the base path, beside the API. */
export const digestPath = '/digest'

export interface SubscriberRow {
  id: string
  campaignId: string
  email: string
  isUnsubscribed: boolean
}

/** Finds or creates the subscribers, each new one with its link. The caller holds the lock of the search. */
export async function getSubscribers(
  tx: Tx,
  cipher: Cipher,
  campaignId: string,
  emails: readonly string[],
): Promise<SubscriberRow[]> {
  const tenantId = getTenantId(tx)
  const subscribers: SubscriberRow[] = []
  // Ten at most.
  for (const email of emails) {
    const id = createId(tx)
    const { rows: inserted } = await sql`
      insert into campaign_subscribers (tenant_id, id, campaign_id, email, created_at)
      values (${tenantId}, ${id}, ${campaignId}, ${email}, ${getNow(tx)})
      on conflict (tenant_id, campaign_id, email) do nothing returning id`.execute(tx)
    if (inserted.length > 0) {
      await addLink(tx, cipher, { kind: digestKind, objectId: id })
      subscribers.push({ id, campaignId, email, isUnsubscribed: false })
      continue
    }
    const { rows } = await sql<SubscriberRow>`
      select id, campaign_id as "campaignId", email, unsubscribed_at is not null as "isUnsubscribed"
      from campaign_subscribers
      where tenant_id = ${tenantId} and campaign_id = ${campaignId} and email = ${email}`.execute(tx)
    subscribers.push(...rows)
  }
  return subscribers
}

export async function findSubscriber(tx: Tx, id: string): Promise<SubscriberRow | undefined> {
  const { rows } = await sql<SubscriberRow>`
    select id, campaign_id as "campaignId", email, unsubscribed_at is not null as "isUnsubscribed"
    from campaign_subscribers where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
  return rows[0]
}

export async function setUnsubscribed(tx: Tx, id: string, isUnsubscribed: boolean): Promise<void> {
  await sql`
    update campaign_subscribers set unsubscribed_at = ${isUnsubscribed ? getNow(tx) : null}
    where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
}

/** Null: the link was revoked. */
export async function findUnsubscribeUrl(
  tx: Tx,
  { cipher, baseUrl }: { cipher: Cipher; baseUrl: string },
  subscriberId: string,
): Promise<string | null> {
  const share = (await findShares(tx, digestKind, [subscriberId])).get(subscriberId)
  return share ? `${baseUrl}${digestPath}/${await cipher.decrypt(share.token)}` : null
}
