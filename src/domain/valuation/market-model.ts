/** All that was learnt of a market: what is paid for what, which comparables are alike, how sure an estimate is. */
import { defaultErrorModel, type ErrorModel } from './error-model.ts'
import { defaultPriceModel, type PriceModel } from './price-model.ts'
import { defaultSimilarity, type SimilarityModel } from './similarity.ts'

/** How a model is made and used: models of another form are learnt anew. */
export const modelForm = 'comparables-5'

export interface MarketModel {
  /** Names this fit. */
  version: string
  prices: PriceModel
  similarity: SimilarityModel
  errors: ErrorModel
}

/** Before anything was learnt. */
export const defaultMarketModel: MarketModel = {
  version: `${modelForm}-usual`,
  prices: defaultPriceModel,
  similarity: defaultSimilarity,
  errors: defaultErrorModel,
}
