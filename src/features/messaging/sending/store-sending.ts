/** Stores how far the sending of messages has come. */
import { getExpiry } from '../../../domain/messaging/expiry.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import { recordInboxChanges } from '../inbox-changes.ts'
import type { WaitReason } from '../message-types.ts'
import { type IndexedMessage, indexMessages } from '../messages/insert-message.ts'
import type { OutgoingRow } from '../messages/outgoing-rows.ts'

/** The longest wait for the budget of the account, or the campaign. */
const waitMaxMs = 30 * 24 * 3_600_000

export interface SendingState
  extends Pick<OutgoingRow, 'claimedAt' | 'claimToken' | 'reservedDay' | 'attempts'> {
  message: Pick<OutgoingRow, 'id' | 'conversationId' | 'kind' | 'createdAt'>
  nextAttemptAt: Date
  /** Why it waits until then; null: a process sends it. */
  waitReason: WaitReason | null
  /** The identity to which it goes, as `kind:value`. Missing: the stored one stays. */
  person?: string | undefined
  /** The campaign defers it until then. Missing: it does not. */
  deferredUntil?: Date
}

/** Stores the state of messages, whose conversations are locked. */
export async function storeSending(tx: Tx, states: SendingState[]): Promise<void> {
  if (states.length === 0) return
  const rows = states.map(
    ({
      message,
      nextAttemptAt,
      waitReason,
      claimedAt,
      claimToken,
      reservedDay,
      attempts,
      person,
      deferredUntil,
    }) => ({
      id: message.id,
      next_at: nextAttemptAt,
      reason: waitReason,
      claimed_at: claimedAt,
      token: claimToken,
      day: reservedDay,
      attempts,
      person,
      send_at: deferredUntil ?? null,
      expires_at: deferredUntil ? getDeferredExpiry(message, deferredUntil) : null,
    }),
  )
  await sql`
    update messages m set next_attempt_at = r.next_at, wait_reason = r.reason, claimed_at = r.claimed_at, claim_token = r.token,
      reserved_day = r.day, attempts = r.attempts, person = coalesce(r.person, m.person), send_at = coalesce(r.send_at, m.send_at),
      expires_at = greatest(m.expires_at, r.expires_at)
    from jsonb_to_recordset(${sanitizeJson(rows)}::jsonb)
      as r (id uuid, next_at timestamptz, reason jsonb, claimed_at timestamptz, token uuid, day date, attempts integer, person text, send_at timestamptz, expires_at timestamptz)
    where m.tenant_id = ${getTenantId(tx)} and m.id = any(${rows.map(({ id }) => id)}::uuid[]) and m.id = r.id`.execute(
    tx,
  )
  await recordInboxChanges(
    tx,
    states.flatMap(({ message: { id, conversationId }, waitReason }) =>
      waitReason ? [{ conversationId, messageId: id }] : [],
    ),
  )
}

const getDeferredExpiry = ({ kind, createdAt }: SendingState['message'], until: Date): Date =>
  new Date(Math.min(getExpiry(kind, until).getTime(), createdAt.getTime() + waitMaxMs))

/**
 * Messages that wait for the budget until then, and those behind them, do not expire meanwhile. Their conversations are
 * locked.
 */
export async function extendWaits(
  tx: Tx,
  waiting: Pick<SendingState, 'message' | 'nextAttemptAt'>[],
): Promise<void> {
  if (waiting.length === 0) return
  const rows = waiting.map(({ message: { conversationId }, nextAttemptAt }) => ({
    id: conversationId,
    text_at: getExpiry('text', nextAttemptAt),
    template_at: getExpiry('template', nextAttemptAt),
  }))
  await sql`
    update messages m set expires_at = greatest(m.expires_at, least(
      case when m.kind = 'template' then r.template_at else r.text_at end,
      -- In a zone, as Citus requires of an update.
      (m.created_at at time zone 'UTC' + make_interval(secs => ${waitMaxMs / 1000})) at time zone 'UTC'))
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, text_at timestamptz, template_at timestamptz)
    where m.tenant_id = ${getTenantId(tx)} and m.conversation_id = r.id and m.status = 'queued' and m.expires_at is not null`.execute(
    tx,
  )
}

/** Stores the texts of messages that got the privacy notice. */
export async function storeNotices(tx: Tx, noticed: { id: string; text: string }[]): Promise<void> {
  if (noticed.length === 0) return
  const { rows } = await sql<IndexedMessage>`
    update messages m set text = r.text, content = m.content || '{"hasNotice": true}'
    from jsonb_to_recordset(${sanitizeJson(noticed)}::jsonb) as r (id uuid, text text)
    where m.tenant_id = ${getTenantId(tx)} and m.id = any(${noticed.map(({ id }) => id)}::uuid[]) and m.id = r.id
    returning m.id, m.conversation_id as "conversationId", m.text, m.content`.execute(tx)
  await indexMessages(tx, rows)
  await recordInboxChanges(
    tx,
    rows.map(({ id, conversationId }) => ({ conversationId, messageId: id })),
  )
}
