/** The numbers of a campaign, from its stored steps and their messages. */
import { compareRates, toRateInterval } from '../../../domain/campaigns/compare-rates.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { readSetting } from '../../../kit/settings/setting-store.ts'
import { getWorkspaceLocale } from '../../leads/service.ts'
import { countPeople, countSends, type SendCounts } from './queries.ts'
import type { CampaignNumbers } from './schemas.ts'
import { messageCosts } from './settings.ts'
import { toCost } from './to-cost.ts'

export async function readNumbers(tx: Tx, campaignId: string): Promise<CampaignNumbers> {
  const [sends, people, costs, { currency }] = await Promise.all([
    countSends(tx, campaignId),
    countPeople(tx, campaignId),
    readSetting(tx, messageCosts),
    getWorkspaceLocale(tx),
  ])
  const priced = sends.flatMap(({ provider, category, sent: count }) =>
    provider && count > 0 ? { provider, category, count } : [],
  )
  return {
    funnel: people,
    steps: [...Map.groupBy(sends, ({ step }) => step)].map(([step, rows]) => ({
      step,
      ...addUp(rows),
      variants: toVariants(rows.filter(({ variant }) => variant !== null)),
    })),
    cost: { messages: addUp(sends).sent, amount: toCost(costs, priced), currency },
  }
}

type Counts = Omit<SendCounts, 'step' | 'variant' | 'templateId' | 'provider' | 'category'>

function addUp(rows: readonly Counts[]): Counts {
  const total = {
    skipped: 0,
    queued: 0,
    sent: 0,
    delivered: 0,
    read: 0,
    failed: 0,
    blocked: 0,
    replied: 0,
    booked: 0,
    optedOut: 0,
  }
  for (const row of rows) for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += row[name]
  return total
}

type Variants = CampaignNumbers['steps'][number]['variants']

function toVariants(rows: readonly SendCounts[]): Variants {
  const totals = [...Map.groupBy(rows, ({ variant }) => variant!)].map(([variant, own]) => ({
    variant,
    templateId: own.find(({ templateId }) => templateId !== null)?.templateId ?? null,
    counts: addUp(own),
  }))
  const first = totals.find(({ variant }) => variant === 'A')
  return totals.map(({ variant, templateId, counts }) => {
    const { skipped: _, queued: __, ...shown } = counts
    return {
      variant,
      templateId,
      ...shown,
      replyRate:
        counts.sent === 0 ? null : { rate: counts.replied / counts.sent, ...toRateInterval(toShare(counts)) },
      comparison: first && variant !== 'A' ? compareRates(toShare(first.counts), toShare(counts)) : null,
    }
  })
}

const toShare = ({ replied, sent }: Counts) => ({ count: replied, total: sent })
