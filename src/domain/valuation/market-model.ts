/** All that was learnt of a market: what is paid for what, which comparables are alike, how sure an estimate is. */
import { type ErrorModel, usualErrorModel } from './error-model.ts'
import { type Likeness, usualLikeness } from './likeness.ts'
import { type PriceModel, usualPriceModel } from './price-model.ts'

/** How a model is made and used: models of another form are learnt anew. */
export const modelForm = 'comparables-4'

export interface MarketModel {
  /** Names this fit. */
  version: string
  prices: PriceModel
  likeness: Likeness
  errors: ErrorModel
}

/** Before anything was learnt. */
export const usualMarketModel: MarketModel = {
  version: `${modelForm}-usual`,
  prices: usualPriceModel,
  likeness: usualLikeness,
  errors: usualErrorModel,
}
