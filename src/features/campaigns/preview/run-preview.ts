/** Runs a campaign in advance: the planner of the engine, on what is stored now, if nobody replies. */
import { addDays } from '../../../kit/clock/clock.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import type { Tenant } from '../../../kit/db/tenant.ts'
import { readSetting } from '../../../kit/settings/setting-store.ts'
import { getWorkspaceLocale } from '../../leads/service.ts'
import { findTemplates } from '../../templates/service.ts'
import { findMissing, type RecordDependencies } from '../campaigns/readiness.ts'
import { toReplies } from '../campaigns/reply.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { formatWait, toZone } from '../campaigns/wait.ts'
import { toSequence } from '../engine/decide-step.ts'
import type { EngineDependencies } from '../engine/dependencies.ts'
import { toStoredWait } from '../engine/plan.ts'
import type { PlanContext } from '../engine/plan-context.ts'
import { messageCosts } from '../numbers/settings.ts'
import { toCost } from '../numbers/to-cost.ts'
import { type CheckedSend, checkTexts, type SimulatedSend } from './check-texts.ts'
import { type PreviewState, readState } from './read-state.ts'
import { type CampaignPreview, textsMax } from './schemas.ts'
import { simulations } from './simulation.ts'
import { toDays, toSends, toSkipped, toSteps } from './to-reply.ts'

export type PreviewDependencies = EngineDependencies & RecordDependencies

export interface PreviewRun {
  database: Database
  tenant: Tenant
  campaignId: string
  days: number
  limit: number
  signal: AbortSignal
}

/** Throws 404, and 503 if too many previews wait. */
export async function runPreview(
  dependencies: PreviewDependencies,
  { database, tenant, campaignId, days, limit, signal }: PreviewRun,
): Promise<CampaignPreview> {
  const read = <T>(work: (tx: Tx) => Promise<T>) => database.readTenant(tenant, work)
  // One snapshot: otherwise somebody who is skipped meanwhile counts twice.
  const state = await database.readSnapshot(tenant, tx => readState(tx, dependencies, campaignId))
  const { campaign, now, context } = state
  const until = addDays(now, days)
  const { timezone } = await read(getWorkspaceLocale)
  const reply = {
    from: now.toISOString(),
    until: until.toISOString(),
    recipients: state.recipients,
    isPartial: state.isPartial,
    messages: 0,
    people: 0,
    cost: 0,
    days: [],
    steps: [],
    sends: [],
    skipped: toSkipped(state.skipped),
    missing: await read(tx => findMissing(tx, campaign, dependencies)),
  }
  const zone = toZone(campaign.settings, timezone)
  const emptyWait = state.recipients === 0 ? await read(tx => readEmptyWait(tx, campaign)) : null
  if ('wait' in context)
    return { ...reply, wait: context.wait ? formatWait(context.wait, now, zone) : emptyWait }
  const { sends, wait } = await simulateState({ tenantId: tenant.tenantId, signal }, state, context, until)
  const { accounts } = dependencies
  const checked = await checkTexts({ campaign, account: context.account, accounts, read }, sends, textsMax)
  const storedWait = toStoredWait(wait)
  return {
    ...reply,
    isPartial: state.isPartial || sends.length > textsMax,
    messages: checked.sends.length,
    people: new Set(checked.sends.map(({ leadId }) => leadId)).size,
    cost: await read(tx => readCost(tx, campaign, context.account.provider, checked.sends)),
    days: toDays(checked.sends, timezone),
    steps: toSteps(checked.sends),
    sends: toSends(checked.sends, limit),
    skipped: toSkipped([...state.skipped, ...checked.skipped]),
    wait: storedWait ? formatWait(storedWait, now, zone) : emptyWait,
  }
}

/** What its record says, or would say if it ran. */
async function readEmptyWait(tx: Tx, campaign: CampaignRow): Promise<CampaignPreview['wait']> {
  const [record] = await toReplies(tx, [{ ...campaign, status: 'running' }])
  return record!.wait
}

async function simulateState(
  client: { tenantId: string; signal: AbortSignal },
  { campaign, queued, due, leadIds, repliedIds }: PreviewState,
  { rules, pace, nowMs }: PlanContext,
  until: Date,
) {
  const { steps } = toSequence(campaign.settings)
  const untilMs = until.getTime()
  const { sends, wait } = await simulations.run(client, { steps, rules, pace, due, nowMs, untilMs })
  const all = [
    ...queued.map(send => ({ ...send, isQueued: true })),
    ...sends.map(send => ({ ...send, isQueued: false })),
  ]
  const shown = all.flatMap((send): SimulatedSend[] => {
    const leadId = leadIds.get(send.recipientId)
    const isSkipped = steps[send.step]?.onlyIfNoReply && repliedIds.has(send.recipientId)
    return leadId && !isSkipped ? [{ ...send, leadId }] : []
  })
  return { sends: shown.sort((one, other) => one.atMs - other.atMs), wait }
}

async function readCost(
  tx: Tx,
  { settings: { steps } }: CampaignRow,
  provider: string,
  sends: readonly CheckedSend[],
): Promise<number | null> {
  const ids = steps.flatMap(({ templateId, variants }) => [
    templateId,
    ...variants.map(each => each.templateId),
  ])
  const [costs, templates] = [await readSetting(tx, messageCosts), await findTemplates(tx, [...new Set(ids)])]
  const byTemplate = Map.groupBy(sends, ({ templateId }) => templateId)
  return toCost(
    costs,
    [...byTemplate].map(([templateId, own]) => ({
      provider,
      category: templates.find(({ id }) => id === templateId)?.category ?? null,
      count: own.length,
    })),
  )
}
