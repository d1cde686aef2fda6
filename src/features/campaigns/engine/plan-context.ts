/** Reads what a plan depends on besides the recipients: the account, its budget, and the pace. */
import type { Channel } from '../../../domain/contactability/facts.ts'
import type { Pace, PaceRules } from '../../../domain/sequence/types.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import {
  type AccountRow,
  getEnvironment,
  isSending,
  type LocalDay,
  readLocalDay,
  toDailyBudget,
} from '../../accounts/service.ts'
import { readMessageQuota } from '../../messaging/service.ts'
import { findCampaignAccount } from '../campaigns/account.ts'
import { toPace, toPaceRules } from '../campaigns/pace.ts'
import type { CampaignRow, StoredWait } from '../campaigns/row.ts'
import type { EngineDependencies } from './dependencies.ts'
import { countBudgetUsed, countPlanned, countStarted, lockPlans } from './plan-queries.ts'

export interface PlanContext {
  /** The time of the plan. */
  nowMs: number
  account: AccountRow
  /** That of the account. */
  channel: Channel
  rules: PaceRules
  pace: Pace
}

/** An account that does not send is looked at again after so long: nobody notifies of the end of every pause. */
const accountCheckMs = 10 * 60_000

/** `wait`: nothing can be planned before `planAt`. `isPreview`: nothing is planned by it. */
export async function readPlanContext(
  tx: Tx,
  { accounts }: EngineDependencies,
  campaign: CampaignRow,
  { nowMs, isPreview = false }: { nowMs: number; isPreview?: boolean },
): Promise<PlanContext | { wait: StoredWait | null; planAt: Date | null }> {
  if (campaign.mode === 'extract_only' || campaign.settings.steps.length === 0)
    return { wait: null, planAt: null }
  const [account, environment] = [await findCampaignAccount(tx, accounts, campaign), await getEnvironment(tx)]
  const provider = account && accounts.getProvider(account.provider, environment)
  if (!account || !provider) return waitForAccount(tx, null)
  if (!isSending(account, { now: getNow(tx), isAnswer: false })) return waitForAccount(tx, account)
  const today = await readLocalDay(tx)
  const { day, timezone } = today
  const dailyBudget = provider.mode === 'chat' ? toDailyBudget(account, day, timezone) : null
  const dayStartsAt = toDayStart(today)
  const { id: accountId } = account
  // Locked first: what another plan takes is counted.
  const [, budgetUsed] = await Promise.all([
    isPreview ? null : lockPlans(tx),
    dailyBudget === null
      ? 0
      : countBudgetUsed(tx, { accountId, mode: campaign.contactMode, day, dayStartsAt }),
  ])
  const quota = await readMessageQuota(tx)
  return {
    nowMs,
    account,
    channel: provider.channel,
    rules: await toPaceRules(campaign, {
      nowMs,
      timezone,
      dailyBudget,
      monthlyQuota: quota.limit,
    }),
    pace: toPace(campaign, {
      today: day,
      started:
        campaign.settings.dailyLeadLimit === null ? 0 : await countStarted(tx, campaign.id, dayStartsAt),
      budgetUsed,
      quotaUsed: quota.limit === null ? 0 : quota.used + (await countPlanned(tx)),
    }),
  }
}

export const toDayStart = ({ endsAt, timezone }: Pick<LocalDay, 'endsAt' | 'timezone'>): Date =>
  new Date(
    endsAt.toTemporalInstant().toZonedDateTimeISO(timezone).subtract({ days: 1 }).startOfDay()
      .epochMilliseconds,
  )

function waitForAccount(tx: Tx, account: AccountRow | null): { wait: StoredWait; planAt: Date } {
  const checkAt = new Date(getNow(tx).getTime() + accountCheckMs)
  if (!account) return { wait: { code: 'NO_ACCOUNT', until: null }, planAt: checkAt }
  const { pausedUntil } = account
  const until = !account.isPaused && pausedUntil && pausedUntil > getNow(tx) ? pausedUntil : null
  return {
    wait: { code: 'ACCOUNT_NOT_SENDING', until: until?.toISOString() ?? null },
    planAt: until ?? checkAt,
  }
}
