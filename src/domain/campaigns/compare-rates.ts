/** Rates of messages, and the difference between those of two templates, each with its 95 % interval. */

export interface Share {
  count: number
  total: number
}

export interface Interval {
  low: number
  high: number
}

export interface RateDifference extends Interval {
  /** The second rate minus the first. */
  difference: number
  /** True if the interval does not contain zero: chance alone seldom makes such a difference. */
  isSignificant: boolean
}

/** The two-sided 95 % quantile of the normal distribution. */
const z = 1.959964

/** Wilson's score interval (JASA 22, 1927). Without a total, everything is possible. */
export function toRateInterval({ count, total }: Share): Interval {
  if (total === 0) return { low: 0, high: 1 }
  const rate = count / total
  const center = rate + (z * z) / (2 * total)
  const spread = z * Math.sqrt((rate * (1 - rate)) / total + (z * z) / (4 * total * total))
  const scale = 1 + (z * z) / total
  return { low: Math.max(0, (center - spread) / scale), high: Math.min(1, (center + spread) / scale) }
}

/** Newcombe's interval of a difference between two proportions (Statistics in Medicine 17, 1998, method 10). Null without totals. */
export function compareRates(first: Share, second: Share): RateDifference | null {
  if (first.total === 0 || second.total === 0) return null
  const [one, other] = [first.count / first.total, second.count / second.total]
  const [oneInterval, otherInterval] = [toRateInterval(first), toRateInterval(second)]
  const difference = other - one
  const low = difference - Math.hypot(other - otherInterval.low, oneInterval.high - one)
  const high = difference + Math.hypot(otherInterval.high - other, one - oneInterval.low)
  return { difference, low, high, isSignificant: low > 0 || high < 0 }
}
