/** The SQL statements of templates. */
import { type RawBuilder, sql } from 'kysely'
import { createId, getNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import type { Position } from '../../kit/page.ts'
import { notFound, Problem } from '../../kit/problem.ts'
import { sanitizeJson } from '../../kit/sanitize-text.ts'
import type { TemplateApproval, TemplateCategory, TemplateParts } from '../../plugins/chat.ts'
import type { VariableType } from './liquid/piece.ts'
import { templateArchived } from './problems.ts'

/** A variable of a text, as stored. */
export interface StoredVariable {
  name: string
  type: VariableType
  /** Printed if there is no value. */
  fallback: string | null
  /** An example for a variable whose values come with each message; null: the catalogue has one. */
  example: string | number | null
}

export interface VersionRow {
  versionId: string
  templateId: string
  language: string
  number: number
  body: string
  parts: TemplateParts
  variables: StoredVariable[]
  createdAt: string
  /** ISO 8601; null: it was not erased. */
  erasedAt: string | null
}

export interface ApprovalRow {
  accountId: string
  providerName: string
  status: TemplateApproval
  reason: string | null
  category: TemplateCategory
  versionId: string
  /** The number of this version. */
  number: number
  submittedAt: string | null
  updatedAt: string
}

/** The current text of a language. */
export interface VariantRow extends VersionRow {
  updatedAt: string
  /** The latest version first. */
  approvals: ApprovalRow[]
}

export interface TemplateRow {
  id: string
  name: string
  language: string
  category: TemplateCategory
  /** The name that it gets at providers; null: it is made from the name. */
  providerTemplateName: string | null
  createdAt: string
  updatedAt: string
  archivedAt: string | null
  /** The default language first, then by language. */
  variants: VariantRow[]
}

export type TemplateFields = Pick<TemplateRow, 'name' | 'language' | 'category' | 'providerTemplateName'>

const versionColumns = sql.raw(`
  v.id as "versionId", v.template_id as "templateId", v.language, v.number, v.body, v.parts, v.variables,
  aldaba.iso_time(v.created_at) as "createdAt", aldaba.iso_time(v.erased_at) as "erasedAt"`)

const templateColumns = sql.raw(`
  t.id, t.name, t.language, t.category, t.provider_template_name as "providerTemplateName", aldaba.iso_time(t.created_at) as "createdAt",
  aldaba.iso_time(t.updated_at) as "updatedAt", aldaba.iso_time(t.archived_at) as "archivedAt"`)

const approvals = (tenantId: string) => sql`(
  select coalesce(json_agg(json_build_object('accountId', a.account_id, 'providerName', a.provider_name,
    'status', a.status, 'reason', a.reason, 'category', a.category, 'versionId', a.version_id, 'number', s.number,
    'submittedAt', aldaba.iso_time(a.submitted_at), 'updatedAt', aldaba.iso_time(a.updated_at))
    order by s.number desc, a.updated_at desc, a.account_id), '[]')
  from template_approvals a
  join template_versions s on s.tenant_id = ${tenantId} and s.id = a.version_id
  where a.tenant_id = ${tenantId} and a.template_id = v.template_id and a.language = v.language)`

/** Returns a template with its current texts; null if there is none. */
export async function findTemplate(tx: Tx, id: string): Promise<TemplateRow | null> {
  const [row] = await findTemplates(tx, [id])
  return row ?? null
}

/** Returns the templates that exist, with their current texts, in any order. */
export const findTemplates = async (tx: Tx, ids: readonly string[]): Promise<TemplateRow[]> =>
  ids.length === 0 ? [] : selectTemplates(tx, sql`t.id = any(${ids}::uuid[])`, sql``)

/** Throws 404. */
export async function getTemplate(tx: Tx, id: string): Promise<TemplateRow> {
  const row = await findTemplate(tx, id)
  if (!row) throw notFound('template')
  return row
}

/** Like `getTemplate`; until the transaction ends, no other transaction can change the template. Throws 404. */
export async function lockTemplate(tx: Tx, id: string): Promise<TemplateRow> {
  await sql`select from templates where tenant_id = ${getTenantId(tx)} and id = ${id} for no key update`.execute(
    tx,
  )
  return getTemplate(tx, id)
}

export interface TemplateFilter {
  language?: string | undefined
  category?: string | undefined
  archived: boolean
  limit: number
}

/** Newest first. Returns `limit + 1` rows if there are more. */
export function listTemplates(
  tx: Tx,
  { language, category, archived, limit }: TemplateFilter,
  after: Position | null,
): Promise<TemplateRow[]> {
  const conditions = [archived ? sql`t.archived_at is not null` : sql`t.archived_at is null`]
  if (after) conditions.push(sql`t.id < ${after[0]}`)
  if (category) conditions.push(sql`t.category = ${category}`)
  if (language)
    conditions.push(sql`exists (select from template_variants o
      where o.tenant_id = ${getTenantId(tx)} and o.template_id = t.id and o.language = ${language})`)
  return selectTemplates(tx, sql.join(conditions, sql` and `), sql`limit ${limit + 1}`)
}

async function selectTemplates(
  tx: Tx,
  condition: RawBuilder<unknown>,
  limit: RawBuilder<unknown>,
): Promise<TemplateRow[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<Omit<TemplateRow, 'variants'>>`
    select ${templateColumns} from templates t where t.tenant_id = ${tenantId} and ${condition}
    order by t.id desc ${limit}`.execute(tx)
  if (rows.length === 0) return []
  const { rows: variants } = await sql<VariantRow>`
    select ${versionColumns}, aldaba.iso_time(c.updated_at) as "updatedAt", ${approvals(tenantId)} as approvals
    from template_variants c
    join template_versions v on v.tenant_id = c.tenant_id and v.id = c.version_id
    where c.tenant_id = ${tenantId} and c.template_id = any(${rows.map(({ id }) => id)}::uuid[])
    order by c.language`.execute(tx)
  const byTemplate = Map.groupBy(variants, ({ templateId }) => templateId)
  return rows.map(row => ({
    ...row,
    variants: byTemplate
      .get(row.id)!
      .toSorted((a, b) => Number(b.language === row.language) - Number(a.language === row.language)),
  }))
}

/** By id, the versions that exist. */
export async function findVersions(tx: Tx, ids: string[]): Promise<Map<string, VersionRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<VersionRow>`
    select ${versionColumns} from template_versions v
    where v.tenant_id = ${getTenantId(tx)} and v.id = any(${ids}::uuid[])`.execute(tx)
  return new Map(rows.map(row => [row.versionId, row]))
}

/** All versions of a template, newest first. Returns `limit + 1` rows if there are more. */
export async function listVersions(
  tx: Tx,
  templateId: string,
  { language, limit }: { language?: string | undefined; limit: number },
  after: Position | null,
): Promise<VersionRow[]> {
  const conditions = [sql`v.template_id = ${templateId}`]
  if (language) conditions.push(sql`v.language = ${language}`)
  if (after) conditions.push(sql`v.id < ${after[0]}`)
  const { rows } = await sql<VersionRow>`
    select ${versionColumns} from template_versions v
    where v.tenant_id = ${getTenantId(tx)} and ${sql.join(conditions, sql` and `)}
    order by v.id desc limit ${limit + 1}`.execute(tx)
  return rows
}

/** Returns the id of the new template. */
export async function insertTemplate(
  tx: Tx,
  { name, language, category, providerTemplateName }: TemplateFields,
): Promise<string> {
  const id = createId(tx)
  const now = getNow(tx)
  await tx
    .insertInto('templates')
    .values({
      tenant_id: getTenantId(tx),
      id,
      name,
      language,
      category,
      provider_template_name: providerTemplateName,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return id
}

/** The template must be locked. Stores a new version and makes it the current text of its language. Returns its id. */
export async function insertVersion(
  tx: Tx,
  {
    templateId,
    language,
    body,
    parts,
    variables,
  }: Pick<VersionRow, 'templateId' | 'language' | 'body' | 'parts' | 'variables'>,
): Promise<string> {
  const tenantId = getTenantId(tx)
  const id = createId(tx)
  const now = getNow(tx)
  const { rows } = await sql<{ number: number }>`
    select coalesce(max(number), 0) + 1 as number from template_versions
    where tenant_id = ${tenantId} and template_id = ${templateId} and language = ${language}`.execute(tx)
  await sql`
    insert into template_versions (tenant_id, id, template_id, language, number, body, parts, variables, created_at)
    values (${tenantId}, ${id}, ${templateId}, ${language}, ${rows[0]!.number}, ${body},
      ${sanitizeJson(parts)}::jsonb, ${sanitizeJson(variables)}::jsonb, ${now})`.execute(tx)
  await sql`
    insert into template_variants (tenant_id, template_id, language, version_id, updated_at)
    values (${tenantId}, ${templateId}, ${language}, ${id}, ${now})
    on conflict (tenant_id, template_id, language) do update
    set version_id = excluded.version_id, updated_at = excluded.updated_at`.execute(tx)
  return id
}

export async function updateTemplate(
  tx: Tx,
  id: string,
  { providerTemplateName, ...changes }: Partial<TemplateFields>,
): Promise<void> {
  await tx
    .updateTable('templates')
    .set({
      ...changes,
      ...(providerTemplateName === undefined ? {} : { provider_template_name: providerTemplateName }),
      updated_at: getNow(tx),
    })
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', id)
    .execute()
}

export async function archiveTemplate(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('templates')
    .set({ archived_at: getNow(tx), updated_at: getNow(tx) })
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', id)
    .execute()
}

/** Removes languages of a template; their versions stay. */
export async function deleteVariants(tx: Tx, templateId: string, languages: string[]): Promise<void> {
  await tx
    .deleteFrom('template_variants')
    .where('tenant_id', '=', getTenantId(tx))
    .where('template_id', '=', templateId)
    .where('language', 'in', languages)
    .execute()
}

/** Counts the templates that are not deleted, with a lock until the transaction ends that makes concurrent counts wait. */
export async function countTemplates(tx: Tx): Promise<number> {
  const tenantId = getTenantId(tx)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`templates ${tenantId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*) from templates where tenant_id = ${tenantId} and archived_at is null`.execute(tx)
  return rows[0]!.count
}

/** Throws 422 for a deleted template. */
export function assertUsable({ name, archivedAt }: Pick<TemplateRow, 'name' | 'archivedAt'>): void {
  if (archivedAt !== null)
    throw new Problem(templateArchived, `The template "${name}" was deleted and can no longer be used.`)
}

/** The variables of all texts of a template. */
export const listVariables = ({ variants }: Pick<TemplateRow, 'variants'>): StoredVariable[] =>
  variants.flatMap(({ variables }) => variables)
