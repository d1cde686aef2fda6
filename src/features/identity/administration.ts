/**
 * Administration of workspaces, keys and quotas by the operator, across tenants, with the checks of the command line.
 */

import { type Kysely, sql } from 'kysely'
import { toSlug } from '../../domain/slug.ts'
import { sqlMachineNow } from '../../kit/clock/clock.ts'
import type { DB } from '../../kit/db/tables.generated.ts'
import { newId } from '../../kit/id.ts'
import { createKeyValue, type Environment, hashKeyValue } from '../../kit/key.ts'
import type { Static } from '../../kit/schema.ts'
import type { Scope } from '../../kit/scope.ts'
import { keyJson } from './queries.ts'
import type { Key } from './schemas.ts'

/** A refused command of the operator. The message says why and what to do. */
export class AdministrationError extends Error {}

export interface NewWorkspace {
  name: string
  slug?: string | undefined
  ownerEmail?: string | undefined
}

const defaults = {
  timezone: 'Europe/Madrid',
  country: 'ES',
  currency: 'EUR',
  plan: 'self-hosted',
  requests_per_minute: 600,
}

/** Creates a workspace with its two environments and an owner. Returns its slug. */
export async function createWorkspace(
  owner: Kysely<DB>,
  { name, slug: requestedSlug, ownerEmail }: NewWorkspace,
): Promise<string> {
  const slug = requestedSlug ?? toSlug(name)
  if (requestedSlug === undefined && slug === '')
    throw new AdministrationError(
      `No slug can be made from the name "${name}". Choose one, such as --slug my-agency.`,
    )
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) {
    throw new AdministrationError(
      `"${slug}" is not a valid slug: use lower-case letters, digits and single hyphens, such as --slug my-agency.`,
    )
  }
  return owner.transaction().execute(async tx => {
    const id = newId()
    const inserted = await tx
      .insertInto('workspaces')
      .values({ id, name, slug, ...defaults })
      .onConflict(conflict => conflict.column('slug').doNothing())
      .executeTakeFirst()
    if (inserted.numInsertedOrUpdatedRows === 0n)
      throw new AdministrationError(
        `A workspace with the slug ${slug} already exists. Choose another with --slug.`,
      )
    await tx
      .insertInto('tenants')
      .values(
        (['live', 'test'] as const).map(environment => ({ id: newId(), workspace_id: id, environment })),
      )
      .execute()
    await tx
      .insertInto('users')
      .values({
        id: newId(),
        workspace_id: id,
        email: ownerEmail ?? `owner@${slug}.invalid`,
        name: 'Owner',
        role: 'owner',
      })
      .execute()
    return slug
  })
}

export interface WorkspaceRecord {
  id: string
  slug: string
  name: string
  /** The number of months that leads are kept; null: for ever. */
  retentionMonths: number | null
  createdAt: string
}

/** Lists all workspaces of the deployment, oldest first. */
export async function listWorkspaces(owner: Kysely<DB>): Promise<WorkspaceRecord[]> {
  const { rows } = await sql<WorkspaceRecord>`
    select id, slug, w.name, (s.value ->> 'months')::integer as "retentionMonths", aldaba.iso_time(created_at) as "createdAt"
    from workspaces w left join workspace_settings s on s.workspace_id = w.id and s.name = 'retention' order by id`.execute(
    owner,
  )
  return rows
}

/** Creates the workspace `demo` if the database has no workspace. */
export async function ensureDemoWorkspace(owner: Kysely<DB>): Promise<void> {
  const existing = await owner.selectFrom('workspaces').select('id').limit(1).executeTakeFirst()
  if (existing) return
  await createWorkspace(owner, { name: 'Demo', slug: 'demo' }).catch(error => {
    // Another process that starts at the same time may have created it.
    if (!(error instanceof AdministrationError)) throw error
  })
}

export interface NewKey {
  workspace: string
  environment: Environment
  name: string
  /** The scopes of the key; none: all scopes. */
  scopes?: Scope[]
  expiresAt?: Date | null
}

/** Creates a key and returns its value. Only a hash of the value is stored. */
export async function createKey(owner: Kysely<DB>, key: NewKey): Promise<string> {
  const tenantId = await getTenantIdBySlug(owner, key.workspace, key.environment)
  const value = createKeyValue(key.environment)
  const id = newId()
  await owner.transaction().execute(async tx => {
    await tx
      .insertInto('api_keys')
      .values({
        tenant_id: tenantId,
        id,
        name: key.name,
        prefix: `svc_${key.environment}_`,
        last4: value.slice(-4),
        scopes: key.scopes ?? [],
        expires_at: key.expiresAt ?? null,
      })
      .execute()
    await tx
      .insertInto('key_hashes')
      .values({ hash: hashKeyValue(value), tenant_id: tenantId, key_id: id })
      .execute()
  })
  return value
}

export type KeyRecord = Static<typeof Key> & { workspace: string }

/** Lists all keys of the deployment or of one workspace, oldest first. */
export async function listKeys(owner: Kysely<DB>, workspace?: string): Promise<KeyRecord[]> {
  const environments = ['test', 'live'] as const
  const tenantIds =
    workspace && (await Promise.all(environments.map(each => getTenantIdBySlug(owner, workspace, each))))
  const isOfWorkspace = tenantIds ? sql`tenant_id = any(${tenantIds}::uuid[])` : sql`true`
  // CTEs, because Citus cannot build the JSON of distributed tables in a join with `workspaces`.
  const { rows } = await sql<{ workspace: string; key: Omit<KeyRecord, 'workspace'> }>`
    with keys as materialized (select * from api_keys where ${isOfWorkspace}),
      uses as materialized (select * from key_uses where ${isOfWorkspace})
    select w.slug as workspace, ${keyJson} as key
    from keys k join tenants t on t.id = k.tenant_id join workspaces w on w.id = t.workspace_id
      left join uses x on x.tenant_id = k.tenant_id and x.key_id = k.id
    order by k.id`.execute(owner)
  return rows.map(({ workspace, key }) => ({ ...key, workspace }))
}

/** Revokes a key, effective from the next request on. Revoking again changes nothing. */
export async function revokeKey(owner: Kysely<DB>, keyId: string): Promise<void> {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(keyId)
  // `key_hashes` gives the tenant, so the update goes to one server of a cluster instead of all.
  const holder = isId
    ? await owner.selectFrom('key_hashes').select('tenant_id').where('key_id', '=', keyId).executeTakeFirst()
    : undefined
  if (!holder)
    throw new AdministrationError(`There is no key with the id ${keyId}. \`aldaba keys list\` lists the ids.`)
  await owner
    .updateTable('api_keys')
    .set({ revoked_at: sqlMachineNow })
    .where('tenant_id', '=', holder.tenant_id)
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .execute()
}

export interface UserRecord {
  id: string
  email: string
  name: string
  role: string
  createdAt: string
}

/** Lists the users of a workspace, oldest first. */
export async function listUsers(owner: Kysely<DB>, workspace: string): Promise<UserRecord[]> {
  await getTenantIdBySlug(owner, workspace, 'live')
  const { rows } = await sql<UserRecord>`
    select u.id, u.email, u.name, u.role, aldaba.iso_time(u.created_at) as "createdAt"
    from users u join workspaces w on w.id = u.workspace_id where w.slug = ${workspace} order by u.id`.execute(
    owner,
  )
  return rows
}

/** Sets a monthly quota of one environment; null: unlimited. */
export async function setQuota(
  owner: Kysely<DB>,
  quota: { tenantId: string; name: string; limit: number | null },
): Promise<void> {
  await owner.transaction().execute(async tx => {
    await sql`select aldaba.enter_tenant(${quota.tenantId})`.execute(tx)
    if (quota.limit === null) {
      await tx
        .deleteFrom('quota_limits')
        .where('tenant_id', '=', quota.tenantId)
        .where('name', '=', quota.name)
        .execute()
    } else {
      await tx
        .insertInto('quota_limits')
        .values({ tenant_id: quota.tenantId, name: quota.name, monthly_limit: quota.limit })
        .onConflict(conflict =>
          conflict.columns(['tenant_id', 'name']).doUpdateSet({ monthly_limit: quota.limit! }),
        )
        .execute()
    }
  })
}

/** Returns the tenant id of an environment of a workspace. Throws `AdministrationError` for an unknown slug. */
export async function getTenantIdBySlug(
  owner: Kysely<DB>,
  workspace: string,
  environment: Environment,
): Promise<string> {
  const tenant = await owner
    .selectFrom('tenants')
    .innerJoin('workspaces', 'workspaces.id', 'tenants.workspace_id')
    .select('tenants.id')
    .where('workspaces.slug', '=', workspace)
    .where('tenants.environment', '=', environment)
    .executeTakeFirst()
  if (tenant) return tenant.id
  const all = await owner.selectFrom('workspaces').select('slug').orderBy('slug').limit(20).execute()
  throw new AdministrationError(
    `There is no workspace ${workspace}. Existing workspaces: ${all.map(({ slug }) => slug).join(', ') || 'none'}.`,
  )
}
