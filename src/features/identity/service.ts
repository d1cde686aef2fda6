/** Workspaces, users and keys, for the command line and for programs that set up a deployment. */
export {
  AdministrationError,
  createKey,
  createWorkspace,
  ensureDemoWorkspace,
  getTenantId,
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
export { agentScopesOf, inviteUser, revokeUser } from './people.ts'
