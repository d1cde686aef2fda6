/** Everything learnt of a market: what it pays for, which comparables are similar, and how large errors are. */
import { defaultErrorModel, type ErrorModel } from './error-model.ts'
import { defaultPriceModel, type PriceModel } from './price-model.ts'
import { defaultSimilarity, type SimilarityModel } from './similarity.ts'

/** Identifies the format and the algorithm. Stored models with another value are fitted again. */
export const modelForm = 'comparables-5'

export interface MarketModel {
  /** Names this fit. */
  version: string
  prices: PriceModel
  similarity: SimilarityModel
  errors: ErrorModel
}

/** The model before any fit. */
export const defaultMarketModel: MarketModel = {
  version: `${modelForm}-usual`,
  prices: defaultPriceModel,
  similarity: defaultSimilarity,
  errors: defaultErrorModel,
}
