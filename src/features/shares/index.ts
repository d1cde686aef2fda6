/** Shares: public links to pages of other features. Those features define the routes. */
import type { Feature } from '../../kit/feature.ts'

export const shares: Feature = {
  name: 'shares',
  routes: [],
  jobs: [],
  events: [],
  encryptedColumns: [{ table: 'shares', column: 'token', key: ['kind', 'object_id'] }],
}
