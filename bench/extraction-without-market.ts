/** Loaded before the program: extractions then tell the market nothing, to see what telling it costs. */
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
