/** Loaded before the program: extractions then store nothing in the market, to measure that cost. */
import { registerHooks } from 'node:module'

const stub = `
  export const storeMarketListings = async () => ({ created: 0, updated: 0, unchanged: 0, joined: 0, skipped: [] })
  export const recordListingsSeen = async () => {}`

registerHooks({
  load: (url, context, nextLoad) =>
    url.endsWith('/features/market/store.ts')
      ? { format: 'module', source: stub, shortCircuit: true }
      : nextLoad(url, context),
})
