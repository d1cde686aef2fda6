/** The messaging limits of WhatsApp: how many people a business may write to first within a day. */
import type { AccountHealth } from '../../chat.ts'
import { asNumber, asText, lookUp } from '../../graph-kit/json.ts'

const tiers: Record<string, number | null> = {
  TIER_50: 50,
  TIER_250: 250,
  TIER_1K: 1000,
  TIER_2K: 2000,
  TIER_10K: 10_000,
  TIER_100K: 100_000,
  TIER_UNLIMITED: null,
}

/** Reads a tier, or a plain number of messages as some webhooks send it; -1 means no limit. */
export function toLimit(value: unknown): Pick<AccountHealth, 'dailyLimit' | 'tier'> | null {
  const number = asNumber(value)
  if (number !== null)
    return number < 0
      ? { dailyLimit: null, tier: 'TIER_UNLIMITED' }
      : { dailyLimit: Math.floor(number), tier: `${Math.floor(number)}` }
  const tier = asText(value)?.toUpperCase() ?? null
  const dailyLimit = lookUp(tiers, tier)
  return tier !== null && dailyLimit !== undefined ? { dailyLimit, tier } : null
}

const qualities: Record<string, AccountHealth['quality']> = { GREEN: 'high', YELLOW: 'medium', RED: 'low' }

/** A sentence about an account that may not write first. */
export const mayAnswer = 'It may still answer those who have written within 24 hours.'

/** Null: WhatsApp has not rated it yet. */
export const toQuality = (value: unknown): AccountHealth['quality'] =>
  lookUp(qualities, asText(value)) ?? null
