/** The sandbox, for `server.ts`. */
export { listListingChanges } from './queries.ts'
