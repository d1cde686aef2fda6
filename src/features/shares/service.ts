/** The interface of shares for other features. */

export {
  findShared,
  type ShareDependencies,
  type SharedDocument,
  type SharedKind,
  type SharedResource,
  sharedPages,
  shareRoutes,
  toShareOptions,
} from './documents.ts'
export {
  addLink,
  createLinkToken,
  findSharedObject,
  replaceLink,
  revokeShares,
  shareObject,
  toShare,
} from './links.ts'
export { findShares, type ShareRow } from './queries.ts'
