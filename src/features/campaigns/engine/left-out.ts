/** Finds recipients who were left out, and rows that became no leads: both may still get the messages of their campaign. */
import { sql } from 'kysely'
import { addDays, getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { getMonth } from '../../../kit/quota.ts'
import { findRowsOverQuota } from '../../imports/service.ts'
import { getWorkspaceLocale } from '../../leads/service.ts'
import { csvImport } from '../campaigns/platforms.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { inAnotherCampaign, isLeftOut, type Reason, toCommonMessage } from '../recipients/reasons.ts'

/** Recipients who were left out for one reason. */
export interface LeftOut {
  reason: Reason
  count: number
  lastEndAt: Date
}

interface Ends {
  total: number
  sent: number
  /** Null: none has ended. */
  lastEndAt: Date | null
  /** Most frequent first. */
  leftOut: LeftOut[]
}

/** Counts the recipients of a campaign. `since`: `leftOut` has only those who have ended later; null: all. */
export async function countEnds(tx: Tx, campaignId: string, since: Date | null = null): Promise<Ends> {
  const { rows } = await sql<{
    status: string
    reason: Reason | null
    total: number
    sent: number
    count: number
    lastEndAt: Date | null
  }>`
    select status, case when reason is not null then json_build_object('code', reason ->> 'code', 'message', min(reason ->> 'message')) end as reason,
      count(*) as total, count(last_sent_at) as sent, count(*) filter (where (ended_at <= ${since}::timestamptz) is not true) as count, max(ended_at) as "lastEndAt"
    from campaign_recipients where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId}
    group by status, reason is not null, reason ->> 'code' order by count desc`.execute(tx)
  return {
    total: rows.reduce((sum, { total }) => sum + total, 0),
    sent: rows.reduce((sum, { sent }) => sum + sent, 0),
    lastEndAt: toLatest(rows.map(({ lastEndAt }) => lastEndAt)),
    leftOut: rows.flatMap(({ status, reason, count, lastEndAt }) =>
      reason && lastEndAt && count > 0 && ['skipped', 'failed'].includes(status) && isLeftOut(reason.code)
        ? { reason, count, lastEndAt }
        : [],
    ),
  }
}

export const toLatest = (times: readonly (Date | null)[]): Date | null =>
  times.reduce((last, time) => (time && (!last || time > last) ? time : last), null)

/** Reasons that are named. */
const reasonsMax = 3

/** `total`: all recipients, if all are counted. `when`: when they were left out, such as ` in the last 7 days`. */
export function explainLeftOut(
  leftOut: readonly LeftOut[],
  { total, when = '' }: { total?: number; when?: string },
): string {
  const count = leftOut.reduce((sum, each) => sum + each.count, 0)
  const who =
    count === total && count > 1
      ? `All ${total} recipients were`
      : `${count} ${count === 1 ? 'recipient was' : 'recipients were'}`
  const why =
    leftOut.length === 1
      ? toCommonMessage(leftOut[0]!.reason)
      : leftOut
          .slice(0, reasonsMax)
          .map(each => `${each.count}: ${toCommonMessage(each.reason)}`)
          .join(' ')
  // Those who are in another campaign go on by themselves.
  const isRetried = leftOut.some(({ reason }) => reason.code !== inAnotherCampaign.code)
  return [`${who} left out${when}.`, why, isRetried && 'Retry them when that has changed.']
    .filter(Boolean)
    .join(' ')
}

/** Rows of files that the quota of leads has refused. */
export interface RefusedRows {
  count: number
  /** Until then they are waited for. */
  until: Date
}

/** Rows may be sent again for so long in the new month. */
const newMonthDays = 7

/** Those of the last file: whoever sends rows again sends a later one. Null: there are none, or they are no longer waited for. */
export async function findRefusedRows(
  tx: Tx,
  { id, platform }: Pick<CampaignRow, 'id' | 'platform'>,
): Promise<RefusedRows | null> {
  const refused = platform === csvImport ? await findRowsOverQuota(tx, id) : null
  if (!refused) return null
  const { timezone } = await getWorkspaceLocale(tx)
  const { end } = getMonth(refused.createdAt.toTemporalInstant(), timezone)
  const until = addDays(new Date(end.epochMilliseconds), newMonthDays)
  return until > getNow(tx) ? { count: refused.count, until } : null
}

export const explainRefusedRows = ({ count }: RefusedRows): string =>
  `${count} ${count === 1 ? 'row' : 'rows'} of the last file became no leads: the quota of new leads of the month was used up. Send them again when it is renewed or raised.`
