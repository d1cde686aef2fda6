/** The interface of shares for other features. */

export {
  findShared,
  type ShareDependencies,
  type SharedKind,
  type SharedResource,
  sharedPages,
  shareRoutes,
  toShareOptions,
} from './documents.ts'
export {
  createLinkToken,
  findSharedObject,
  replaceLink,
  revokeShares,
  shareObject,
  toShare,
} from './links.ts'
export { findShares, type ShareRow } from './queries.ts'
