/** Administration for the command line and for programs that set up a deployment. */
export {
  AdministrationError,
  createKey,
  createWorkspace,
  ensureDemoWorkspace,
  getTenantIdBySlug,
  type KeyRecord,
  listKeys,
  listUsers,
  listWorkspaces,
  type NewKey,
  type NewWorkspace,
  revokeKey,
  setQuota,
  type UserRecord,
  type WorkspaceRecord,
} from './administration.ts'
export { readLogoFile } from './logo-file.ts'
export { findUserErrors, findUsers, validateUser } from './user-errors.ts'
export { inviteUser, revokeUser, toAgentScopes } from './users.ts'
