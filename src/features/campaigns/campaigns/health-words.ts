/** What the health of a campaign says, for people. */
import type { Health, HealthReason } from '../../../domain/campaigns/health.ts'

const subjects: Record<HealthReason, string> = {
  HIGH_FAILURE_RATE: 'failed',
  HIGH_OPT_OUT_RATE: 'made people opt out',
  HIGH_BLOCK_RATE: 'were refused by people who block the account',
}
const hints: Record<HealthReason, string> = {
  HIGH_FAILURE_RATE: 'Look at the reasons of its failed recipients',
  HIGH_OPT_OUT_RATE: 'Change its texts or whom it writes to',
  HIGH_BLOCK_RATE: 'Change its texts or whom it writes to before the provider restricts the account',
}

const formatPercent = (rate: number) => `${Math.round(rate * 1000) / 10} %`

/** Null: nothing is wrong. */
export function formatHealth({ level, code, rate, threshold }: Health): string | null {
  if (level === 'good' || code === null) return null
  const sentence = `${formatPercent(rate!)} of its last messages ${subjects[code]}; it pauses at ${formatPercent(threshold!)}.`
  return level === 'critical' ? `${sentence} ${hints[code]}, then resume the campaign.` : sentence
}
