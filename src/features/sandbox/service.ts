/** What `server.ts` asks of the sandbox. */
export { listListingChanges } from './queries.ts'
