/** The SQL statements of sending: claiming due deliveries and recording attempts. */

import { sql } from 'kysely'
import { getNow, sqlNow, toEnvironmentTime } from '../../../kit/clock/clock.ts'
import type { Cipher } from '../../../kit/crypto.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { notifyAfterCommit } from '../../../kit/db/notifications.ts'
import type { Claim, DueDestination, OutboxItem, Sent } from '../../../kit/outbox/outbox.ts'
import { nextAttemptAt } from '../../../kit/outbox/retry-schedule.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import { createDeliveries } from '../create-deliveries.ts'
import type { Catalogue } from '../events.ts'
import { buildMessages, type StoredEvent, storedEventColumns } from '../messages.ts'
import { decryptPreviousSecrets } from '../secrets.ts'
import { disableSubscription } from '../subscription-status.ts'
import type { DeliveryAttempt, Receiver } from './attempt.ts'

/** The topic notified with the id of a subscription that has changed, so that its sender reads it again. */
export const subscriptionsTopic = 'webhook-subscriptions'
/** The topic notified after an attempt at a delivery that a user may be waiting for. */
export const deliveryTopic = (deliveryId: string) => `webhook-delivery:${deliveryId}`

/**
 * Lists the subscriptions that have something to send now or later, of one tenant or of all: a pending delivery, or an
 * unread event of a subscribed type. A subscription with 100 unread events is listed in any case, because later events
 * may match. `dueAt` of unread events is the epoch, so they are due by any clock of the environment.
 */
export async function listDueSubscriptions(
  db: Database['owner'],
  tenantId: string | null,
): Promise<DueDestination[]> {
  const { rows } = await sql<DueDestination>`
    select w.tenant_id as "tenantId", w.id as "destinationId", greatest(least(d.due_at, n.due_at), w.paused_until) as "dueAt"
    from webhook_subscriptions w
    left join lateral (
      select min(next_attempt_at) as due_at from webhook_deliveries d
      where d.tenant_id = w.tenant_id and d.subscription_id = w.id and d.status = 'pending') d on true
    left join lateral (
      select case when bool_or(w.events && array['*', e.type]) or count(*) = 100 then 'epoch'::timestamptz end as due_at
      from (select type from events e where e.tenant_id = w.tenant_id and e.position > w.position order by e.position limit 100) e
    ) n on true
    where w.status = 'enabled' and ${tenantId === null ? sql`true` : sql`w.tenant_id = ${tenantId}`}
      and (d.due_at is not null or n.due_at is not null)`.execute(db)
  return rows
}

export interface DueDelivery extends OutboxItem {
  /** The attempts since the delivery was created or resent. */
  attempts: number
  /** All attempts ever. */
  totalAttempts: number
  eventId: string
  /** The `xmin` of the event row; it changes when the event is erased. */
  eventVersion: string
  /** A user may be waiting for the attempt: it is a test event, or the delivery was attempted before. */
  mayBeAwaited: boolean
  /** The message, JSON. */
  body: string
}

/** Returns at most `limit` due deliveries of a subscription, without those in `excludedIds`. */
export async function claimDue(
  tx: Tx,
  { cipher, catalogue }: { cipher: Cipher; catalogue: Catalogue },
  { subscriptionId, excludedIds, limit }: { subscriptionId: string; excludedIds: string[]; limit: number },
): Promise<Claim<Receiver, DueDelivery>> {
  const tenantId = getTenantId(tx)
  const [created, { rows: receivers }, { rows }] = await Promise.all([
    createDeliveries(tx, subscriptionId, limit),
    sql<StoredReceiver>`
      select url, secret, previous_secrets as "previousSecrets", headers, failing_since is not null as "isFailing",
        coalesce(paused_until > ${sqlNow(tx)}, false) as "isPaused", case when paused_until > ${sqlNow(tx)} then paused_until else (
          select min(next_attempt_at) from webhook_deliveries
          where tenant_id = ${tenantId} and subscription_id = ${subscriptionId} and status = 'pending' and next_attempt_at > ${sqlNow(tx)}) end as "nextAt"
      from webhook_subscriptions where tenant_id = ${tenantId} and id = ${subscriptionId} and status = 'enabled'`.execute(
      tx,
    ),
    sql<Omit<DueDelivery, 'body' | 'orderKey'> & StoredEvent>`
      select d.id, d.attempts, d.total_attempts as "totalAttempts", e.is_test or d.attempt_log <> '[]' as "mayBeAwaited", e.xmin::text as "eventVersion",
        ${storedEventColumns}
      from (
        select * from webhook_deliveries
        where tenant_id = ${tenantId} and subscription_id = ${subscriptionId} and status = 'pending' and next_attempt_at <= ${sqlNow(tx)} and id <> all(${excludedIds}::uuid[])
        order by next_attempt_at, sequence, event_id limit ${limit}) d
      join events e on e.tenant_id = ${tenantId} and e.id = d.event_id
      join tenants t on t.id = d.tenant_id
      order by d.next_attempt_at, d.sequence, d.event_id`.execute(tx),
  ])
  const [stored] = receivers
  const { isFailing = false, isPaused = false, nextAt = null } = stored ?? {}
  if (!stored || isPaused) return { target: null, isFailing, items: [], isFull: false, nextAt }
  const bodies = await buildMessages(tx, catalogue, rows)
  return {
    target: {
      url: stored.url,
      secrets: [
        await cipher.decrypt(stored.secret),
        ...(await decryptPreviousSecrets(cipher, stored.previousSecrets, getNow(tx))),
      ],
      headers: stored.headers ? JSON.parse(await cipher.decrypt(stored.headers)) : {},
    },
    items: rows.map(({ id, attempts, totalAttempts, eventId, eventVersion, objectId, mayBeAwaited }, at) => ({
      id,
      orderKey: objectId,
      attempts,
      totalAttempts,
      eventId,
      eventVersion,
      mayBeAwaited,
      body: bodies[at]!,
    })),
    isFailing,
    isFull: created === limit || rows.length === limit,
    nextAt,
  }
}

interface StoredReceiver {
  url: string
  secret: Buffer
  previousSecrets: Buffer | null
  headers: Buffer | null
  isFailing: boolean
  isPaused: boolean
  nextAt: Date | null
}

type SentDelivery = Sent<Receiver, DueDelivery, DeliveryAttempt>

/** The waits between the eight attempts, in ms: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h. */
const retrySchedule = [5, 300, 1800, 7200, 18_000, 36_000, 36_000].map(seconds => seconds * 1000)
const failingDaysMax = 5
const attemptLogMax = 20

/**
 * Records attempts in their order; idempotent. Disables the subscription if the receiver replied 410 or has failed for
 * five days, and pauses it if the receiver sent Retry-After; then `continues` is false. `nextAt`: when the first retry
 * is due.
 */
export async function recordAttempts(
  tx: Tx,
  subscriptionId: string,
  sent: SentDelivery[],
): Promise<{ continues: boolean; nextAt: Date | null }> {
  // Lock the subscription before its deliveries, the order of all code that changes both.
  const now = getNow(tx)
  const [{ rows: found }, unchanged] = await Promise.all([
    sql<Health>`
      select url, failing_since as "failingSince", last_failed_at as "lastFailedAt"
      from webhook_subscriptions
      where tenant_id = ${getTenantId(tx)} and id = ${subscriptionId} and status = 'enabled' for no key update`.execute(
      tx,
    ),
    lockUnchangedEvents(tx, sent),
  ])
  const rows = sent.map(({ item, attempt: { retryAfterMs, ...made } }): AttemptRow => {
    const at = toEnvironmentTime(tx, made.at)
    const entry =
      unchanged.has(item.eventId) || !made.responseBody
        ? { ...made, at }
        : { ...made, at, responseBody: null }
    const isOver = entry.error === null || entry.responseStatus === 410
    return {
      id: item.id,
      previousTotal: item.totalAttempts,
      delivered_at: entry.error === null ? at : null,
      next_at: isOver
        ? null
        : nextAttemptAt(retrySchedule, { attemptsBefore: item.attempts, retryAfterMs, now }),
      entry,
    }
  })
  const written = await writeAttempts(tx, rows)
  // Rows changed concurrently: the second statement sees their new version.
  const missed = rows.filter(({ id }) => !written.has(id))
  if (missed.length > 0) await writeAttempts(tx, missed)
  for (const { item } of sent) if (item.mayBeAwaited) notifyAfterCommit(tx, deliveryTopic(item.id))
  const [health] = found
  const continues = health !== undefined && (await updateHealth(tx, subscriptionId, health, sent))
  const nexts = rows.flatMap(({ next_at }) => next_at ?? [])
  return { continues, nextAt: nexts.length === 0 ? null : new Date(Math.min(...nexts.map(Number))) }
}

/**
 * Locks the events whose attempts have a reply body, and returns the ids of those not erased since they were sent. A
 * concurrent erasure waits for the lock, and then also empties the recorded reply.
 */
async function lockUnchangedEvents(tx: Tx, sent: SentDelivery[]): Promise<Set<string>> {
  const versions = new Map(
    sent.flatMap(({ item, attempt }) =>
      attempt.responseBody ? [[item.eventId, item.eventVersion] as const] : [],
    ),
  )
  if (versions.size === 0) return new Set()
  const { rows } = await sql<{ id: string; version: string }>`
    select id, xmin::text as version from events
    where tenant_id = ${getTenantId(tx)} and id = any(${[...versions.keys()]}::uuid[]) order by id for share`.execute(
    tx,
  )
  return new Set(rows.flatMap(({ id, version }) => (versions.get(id) === version ? id : [])))
}

interface AttemptRow {
  id: string
  previousTotal: number
  /** Null: the attempt failed. */
  delivered_at: Date | null
  next_at: Date | null
  entry: Omit<DeliveryAttempt, 'retryAfterMs'>
}

/** Returns the ids of the updated deliveries, without those deleted or recorded before. */
async function writeAttempts(tx: Tx, attempts: AttemptRow[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update webhook_deliveries d set
      -- A delivery that failed in the meantime stays failed, unless this attempt succeeded.
      status = case when r.delivered_at is not null then 'delivered' when r.next_at is not null and d.status = 'pending' then 'pending' else 'failed' end,
      next_attempt_at = case when d.status = 'pending' then r.next_at end,
      delivered_at = r.delivered_at,
      attempts = d.attempts + 1,
      total_attempts = d.total_attempts + 1,
      attempt_log = case when jsonb_array_length(d.attempt_log) >= ${attemptLogMax} then d.attempt_log - 0 else d.attempt_log end || r.entry
    from jsonb_to_recordset(${sanitizeJson(attempts)}::jsonb)
      as r (id uuid, "previousTotal" integer, delivered_at timestamptz, next_at timestamptz, entry jsonb)
    -- The ids again: from the join alone, PostgreSQL would plan to read all deliveries of the tenant.
    where d.tenant_id = ${getTenantId(tx)} and d.id = any(${attempts.map(({ id }) => id)}::uuid[])
      and d.id = r.id and d.total_attempts = r."previousTotal"
    returning d.id`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

interface Health {
  url: string
  failingSince: Date | null
  lastFailedAt: Date | null
}

const hourMs = 3_600_000
/** Longer than any wait between two attempts of one delivery. */
const failureGapMs = 24 * hourMs

/** Updates the failure state; returns false if sending must stop. Ignores attempts at a previous URL. */
async function updateHealth(
  tx: Tx,
  subscriptionId: string,
  health: Health,
  sent: SentDelivery[],
): Promise<boolean> {
  const attempts = sent.filter(({ target }) => target.url === health.url).map(({ attempt }) => attempt)
  if (attempts.length === 0) return true
  if (attempts.some(({ responseStatus }) => responseStatus === 410)) {
    await disableSubscription(tx, subscriptionId, 'receiver')
    return false
  }
  const isHealthy = attempts.at(-1)!.error === null
  const failingSince = isHealthy ? null : await recordFailure(tx, subscriptionId, health)
  if (isHealthy && health.failingSince)
    await sql`update webhook_subscriptions set failing_since = null where tenant_id = ${getTenantId(tx)} and id = ${subscriptionId}`.execute(
      tx,
    )
  if (failingSince && failingSince.getTime() <= getNow(tx).getTime() - failingDaysMax * 24 * hourMs) {
    await disableSubscription(tx, subscriptionId, 'failures')
    return false
  }
  const pauseMs = Math.max(...attempts.map(({ retryAfterMs }) => retryAfterMs))
  if (pauseMs === 0) return true
  await sql`
    update webhook_subscriptions set paused_until = ${sqlNow(tx)} + make_interval(secs => ${pauseMs / 1000})
    where tenant_id = ${getTenantId(tx)} and id = ${subscriptionId}`.execute(tx)
  return false
}

/** Returns the start of the failures: now, if there was no failure for longer than any wait between attempts. */
async function recordFailure(
  tx: Tx,
  subscriptionId: string,
  { failingSince, lastFailedAt }: Health,
): Promise<Date> {
  const now = getNow(tx)
  const quiet = now.getTime() - (lastFailedAt?.getTime() ?? 0)
  const since = failingSince && quiet < failureGapMs ? failingSince : now
  if (since === now || quiet > hourMs)
    await sql`
      update webhook_subscriptions set failing_since = ${since}, last_failed_at = ${now}
      where tenant_id = ${getTenantId(tx)} and id = ${subscriptionId}`.execute(tx)
  return since
}
