/** The SQL statements of approvals: what providers say about texts. */
import { sql } from 'kysely'
import { getNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import type { TemplateApproval, TemplateCategory } from '../../plugins/chat.ts'

/** A text under one of its names at a provider. */
export interface StoredApproval {
  templateId: string
  versionId: string
  providerName: string
  language: string
  status: TemplateApproval
  category: TemplateCategory
  reason: string | null
  providerTemplateId: string | null
}

/** All approvals of an account. */
export async function listApprovals(tx: Tx, accountId: string): Promise<StoredApproval[]> {
  const { rows } = await sql<StoredApproval>`
    select template_id as "templateId", version_id as "versionId", provider_name as "providerName", language, status,
      category, reason, provider_template_id as "providerTemplateId"
    from template_approvals where tenant_id = ${getTenantId(tx)} and account_id = ${accountId}`.execute(tx)
  return rows
}

/** The names that an account uses for any template in a language. */
export async function listProviderNames(tx: Tx, accountId: string, language: string): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select provider_name as name from template_approvals
    where tenant_id = ${getTenantId(tx)} and account_id = ${accountId} and language = ${language}`.execute(tx)
  return new Set(rows.map(({ name }) => name))
}

/** Stores a new text of an account, unless a concurrent request has. `isSubmitted`: it was submitted here, not at the provider. */
export async function insertApproval(
  tx: Tx,
  accountId: string,
  { isSubmitted, ...approval }: StoredApproval & { isSubmitted: boolean },
): Promise<void> {
  const now = getNow(tx)
  await tx
    .insertInto('template_approvals')
    .values({
      tenant_id: getTenantId(tx),
      account_id: accountId,
      template_id: approval.templateId,
      version_id: approval.versionId,
      provider_name: approval.providerName,
      provider_template_id: approval.providerTemplateId,
      language: approval.language,
      status: approval.status,
      category: approval.category,
      reason: approval.reason,
      submitted_at: isSubmitted ? now : null,
      updated_at: now,
    })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** What a provider reports about a text. Null: unchanged. */
export interface ApprovalReport {
  providerName: string
  /** Null: in all languages. */
  language: string | null
  status: TemplateApproval | null
  category: TemplateCategory | null
  /** The reason of `status`. */
  reason: string | null
  providerTemplateId: string | null
  /** The provider's time: an older report than the last one changes nothing. Null: it is the present state. */
  reportedAt: Date | null
}

/** Stores a report. Returns if a text was changed: reports about unknown texts change nothing. */
export async function updateApproval(tx: Tx, accountId: string, report: ApprovalReport): Promise<boolean> {
  const { providerName, language, status, category, reason, providerTemplateId, reportedAt } = report
  const result = await sql`
    update template_approvals set
      status = coalesce(${status}::text, status),
      reason = case when ${status}::text is null then reason else ${reason}::text end,
      category = coalesce(${category}::text, category),
      provider_template_id = coalesce(${providerTemplateId}::text, provider_template_id),
      reported_at = coalesce(${reportedAt}::timestamptz, reported_at),
      updated_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and account_id = ${accountId} and provider_name = ${providerName}
      and (${language}::text is null or language = ${language})
      and (${reportedAt}::timestamptz is null or reported_at is null or reported_at <= ${reportedAt})
      and (status, category, coalesce(reason, ''), coalesce(provider_template_id, '')) is distinct from
        (coalesce(${status}::text, status), coalesce(${category}::text, category),
          coalesce(case when ${status}::text is null then reason else ${reason}::text end, ''),
          coalesce(${providerTemplateId}::text, provider_template_id, ''))`.execute(tx)
  return (result.numAffectedRows ?? 0n) > 0n
}
