/** What messages cost. */
import type { MessageCosts } from './settings.ts'

export interface PricedMessages {
  provider: string
  category: string | null
  count: number
}

/** Null: no price is known for one of them. A price of the category comes before that of the provider. */
export function toCost(costs: MessageCosts, messages: readonly PricedMessages[]): number | null {
  let total = 0
  for (const { provider, category, count } of messages) {
    const own = costs.filter(cost => cost.provider === provider)
    const cost = own.find(each => each.category === category) ?? own.find(each => each.category === null)
    if (!cost) return null
    total += cost.cost * count
  }
  // Prices have up to five digits.
  return Math.round(total * 100_000) / 100_000
}
