/** The sandbox: how a program drives the test environment. */
import type { Wait } from '../../kit/clock/waits.ts'
import type { Feature } from '../../kit/feature.ts'
import { clockRoutes } from './clock-routes.ts'
import { type FindListing, listingRoutes } from './listing-routes.ts'

/** `waits`: what waits for time in the other features. */
export const sandbox = ({ waits, findListing }: { waits: Wait[]; findListing: FindListing }): Feature => ({
  name: 'sandbox',
  tags: { Sandbox: 'What a program can do to the test environment, to try what happens then.' },
  routes: [...clockRoutes(waits), ...listingRoutes(findListing)],
  jobs: [],
  events: [],
})
