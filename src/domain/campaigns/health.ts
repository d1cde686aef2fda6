/**
 * Decides from the results of a campaign's last messages if it is healthy. A level begins at its threshold and ends well below it, so
 * that a rate at the threshold does not switch it with each message.
 */

/** Some of the last messages, whose result is known. */
export interface HealthCounts {
  /** Sent or failed. */
  total: number
  failed: number
  optedOut: number
  /** The person blocked the account or refused its marketing at the provider. */
  blocked: number
}

/** Each from 0 to 1. */
export interface HealthThresholds {
  maxFailureRate: number
  maxOptOutRate: number
  maxBlockRate: number
  /** Nothing is decided before so many results. */
  minSends: number
}

export const healthLevels = ['good', 'warning', 'critical'] as const
export type HealthLevel = (typeof healthLevels)[number]

export const healthReasons = ['HIGH_FAILURE_RATE', 'HIGH_OPT_OUT_RATE', 'HIGH_BLOCK_RATE'] as const
export type HealthReason = (typeof healthReasons)[number]

export interface Health {
  /** `critical`: the campaign is paused. */
  level: HealthLevel
  /** Which rate is worst by its threshold; null if the level is `good`. */
  code: HealthReason | null
  rate: number | null
  threshold: number | null
}

const good: Health = { level: 'good', code: null, rate: null, threshold: null }

/** The shares of a threshold at which a level begins, and below which it ends. */
const bounds: Record<Exclude<HealthLevel, 'good'>, { begins: number; ends: number }> = {
  critical: { begins: 1, ends: 0.5 },
  warning: { begins: 0.5, ends: 0.25 },
}

/** `previous`: the level before these results. */
export function decideHealth(
  { total, failed, optedOut, blocked }: HealthCounts,
  { maxFailureRate, maxOptOutRate, maxBlockRate, minSends }: HealthThresholds,
  previous: HealthLevel,
): Health {
  if (total === 0 || total < minSends) return good
  const rates = [
    { code: 'HIGH_FAILURE_RATE', rate: failed / total, threshold: maxFailureRate },
    { code: 'HIGH_OPT_OUT_RATE', rate: optedOut / total, threshold: maxOptOutRate },
    { code: 'HIGH_BLOCK_RATE', rate: blocked / total, threshold: maxBlockRate },
  ] as const
  const worst = rates.reduce((one, other) => (toShare(other) > toShare(one) ? other : one))
  const share = toShare(worst)
  const isReached = (level: keyof typeof bounds) =>
    share >=
    (healthLevels.indexOf(previous) >= healthLevels.indexOf(level)
      ? bounds[level].ends
      : bounds[level].begins)
  if (isReached('critical')) return { level: 'critical', ...worst }
  return isReached('warning') ? { level: 'warning', ...worst } : good
}

/** The worst by level, and then by the share of its threshold. */
export const toWorstHealth = (healths: readonly Health[]): Health =>
  healths.reduce((one, other) => {
    const difference = healthLevels.indexOf(other.level) - healthLevels.indexOf(one.level)
    return difference > 0 || (difference === 0 && toHealthShare(other) > toHealthShare(one)) ? other : one
  }, good)

const toHealthShare = ({ rate, threshold }: Health): number =>
  rate === null || threshold === null ? 0 : toShare({ rate, threshold })

/** A rate as a share of its threshold. A threshold of zero allows nothing. */
const toShare = ({ rate, threshold }: { rate: number; threshold: number }): number =>
  rate === 0 ? 0 : rate / threshold
