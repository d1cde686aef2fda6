/** Users of a workspace: invitation and revocation by the operator, and the scopes of agents. */
import type { Kysely } from 'kysely'
import { machineNow } from '../../kit/clock/clock.ts'
import type { DB } from '../../kit/db/tables.generated.ts'
import { newId } from '../../kit/id.ts'
import type { Scope } from '../../kit/scope.ts'
import { createToken, endUserSessions, hashToken } from '../../kit/session.ts'
import type { Role } from '../../kit/settings/setting.ts'
import { AdministrationError, getTenantIdBySlug } from './administration.ts'
import { deletePassword, insertPasswordToken } from './sign-in-queries.ts'

const invitationHours = 72

/** All scopes except those of webhooks, because webhooks send the workspace's data to third parties. */
export const toAgentScopes = (scopes: Scope[]): Scope[] =>
  scopes.filter(scope => !scope.startsWith('webhooks:'))

export interface Invitation {
  workspace: string
  email: string
  /** Only for a new user. Without one, it is what comes before the @: visitors may read the name. */
  name?: string | undefined
  role?: Role | undefined
}

/**
 * Returns a token with which the user can set their password once, within three days. Creates the user if necessary. An
 * existing password stays valid until the token is used.
 */
export async function inviteUser(
  owner: Kysely<DB>,
  { workspace, email, name, role }: Invitation,
): Promise<{ token: string; expiresAt: Date }> {
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new AdministrationError(`"${email}" is not an e-mail address.`)
  const workspaceId = await getWorkspaceId(owner, workspace)
  const token = createToken()
  const expiresAt = new Date(machineNow() + invitationHours * 60 * 60_000)
  await owner.transaction().execute(async tx => {
    const existingId = await findUserId(tx, workspaceId, email)
    if (existingId && (name || role))
      throw new AdministrationError(`${email} is already a user of ${workspace}: omit --name and --role.`)
    const userId = existingId ?? newId()
    if (!existingId)
      await tx
        .insertInto('users')
        .values({
          id: userId,
          workspace_id: workspaceId,
          email,
          name: name ?? email.split('@', 1)[0]!,
          role: role ?? 'agent',
        })
        .execute()
    else await setRevokedAt(tx, existingId, null)
    await insertPasswordToken(tx, { tokenHash: hashToken(token), userId, expiresAt })
  })
  return { token, expiresAt }
}

/** Revokes a user, who cannot sign in until they are invited again. Returns the number of ended sessions. */
export async function revokeUser(
  owner: Kysely<DB>,
  { workspace, email }: { workspace: string; email: string },
): Promise<number> {
  const workspaceId = await getWorkspaceId(owner, workspace)
  return owner.transaction().execute(async tx => {
    const userId = await findUserId(tx, workspaceId, email)
    if (!userId)
      throw new AdministrationError(
        `${workspace} has no user ${email}. \`aldaba users list --workspace ${workspace}\` lists its users.`,
      )
    await deletePassword(tx, userId)
    await setRevokedAt(tx, userId, new Date(machineNow()))
    return endUserSessions(tx, userId)
  })
}

const setRevokedAt = (owner: Kysely<DB>, userId: string, revokedAt: Date | null) =>
  owner.updateTable('users').set({ revoked_at: revokedAt }).where('id', '=', userId).execute()

async function getWorkspaceId(owner: Kysely<DB>, slug: string): Promise<string> {
  const tenantId = await getTenantIdBySlug(owner, slug, 'live')
  const { workspace_id } = await owner
    .selectFrom('tenants')
    .select('workspace_id')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return workspace_id
}

async function findUserId(
  owner: Kysely<DB>,
  workspaceId: string,
  email: string,
): Promise<string | undefined> {
  const user = await owner
    .selectFrom('users')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where(({ fn }) => fn<string>('lower', ['email']), '=', email.toLowerCase())
    .executeTakeFirst()
  return user?.id
}
