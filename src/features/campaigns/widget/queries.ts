/** The SQL statements of widgets. */
import { createId, getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import type { WidgetField } from './fields.ts'
import type { Theme } from './view.ts'

export interface WidgetConfig {
  allowedOrigins: string[]
  theme: Theme
  language: string | null
  fields: WidgetField[]
  /** By language. */
  consentTexts: Partial<Record<string, string>>
}

/** The forms that were sent, by what became of them. */
export type Counter = 'created' | 'known' | 'spam' | 'suppressed' | 'refused'

export interface WidgetRow extends WidgetConfig {
  consentVersion: number
  submissions: Record<Counter, number>
  updatedAt: Date
}

export const defaultConfig: WidgetConfig = {
  allowedOrigins: [],
  theme: 'auto',
  language: null,
  fields: [
    { name: 'operation', required: false },
    { name: 'name', required: true },
    { name: 'phone', required: true },
  ],
  consentTexts: {},
}

export async function findWidget(tx: Tx, campaignId: string): Promise<WidgetRow | undefined> {
  const { rows } = await sql<WidgetRow>`
    select allowed_origins as "allowedOrigins", theme, language, fields, consent_texts as "consentTexts",
      consent_version as "consentVersion", updated_at as "updatedAt", json_build_object('created', leads_created,
      'known', leads_known, 'spam', spam, 'suppressed', suppressed, 'refused', refused) as submissions
    from widgets where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId}`.execute(tx)
  return rows[0]
}

/** Stores the configuration. Other texts of the consent are a new version. */
export async function storeWidget(tx: Tx, campaignId: string, config: WidgetConfig): Promise<void> {
  const { allowedOrigins, theme, language } = config
  const texts = sanitizeJson(config.consentTexts)
  await sql`
    insert into widgets as w (tenant_id, campaign_id, allowed_origins, theme, language, fields, consent_texts, consent_version, updated_at)
    values (${getTenantId(tx)}, ${campaignId}, ${allowedOrigins}, ${theme}, ${language}, ${sanitizeJson(config.fields)}::jsonb,
      ${texts}::jsonb, case when ${texts}::jsonb = '{}' then 0 else 1 end, ${getNow(tx)})
    on conflict (tenant_id, campaign_id) do update set allowed_origins = excluded.allowed_origins, theme = excluded.theme,
      language = excluded.language, fields = excluded.fields, consent_texts = excluded.consent_texts,
      consent_version = w.consent_version + case when w.consent_texts = excluded.consent_texts then 0 else 1 end,
      updated_at = excluded.updated_at`.execute(tx)
}

const counterColumns: Record<Counter, string> = {
  created: 'leads_created',
  known: 'leads_known',
  spam: 'spam',
  suppressed: 'suppressed',
  refused: 'refused',
}

export async function countSubmission(tx: Tx, campaignId: string, counter: Counter): Promise<void> {
  const column = sql.ref(counterColumns[counter])
  await sql`
    update widgets set ${column} = ${column} + 1
    where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId}`.execute(tx)
}

export async function hasSubmission(tx: Tx, formId: string): Promise<boolean> {
  const { rows } = await sql`
    select from widget_submissions where tenant_id = ${getTenantId(tx)} and form_id = ${formId}`.execute(tx)
  return rows.length > 0
}

export async function insertSubmission(
  tx: Tx,
  {
    campaignId,
    formId,
    leadId,
    consent,
  }: { campaignId: string; formId: string; leadId: string; consent: object },
): Promise<void> {
  await tx
    .insertInto('widget_submissions')
    .values({
      tenant_id: getTenantId(tx),
      id: createId(tx),
      campaign_id: campaignId,
      form_id: formId,
      lead_id: leadId,
      consent: sanitizeJson(consent),
      created_at: getNow(tx),
    })
    .execute()
}
