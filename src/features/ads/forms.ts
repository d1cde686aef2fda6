/** The forms of connections: stored as they were last read, with how the workspace reads their answers. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Channel } from '../../domain/contactability/facts.ts'
import type { Mapping } from '../../domain/table/lead-fields.ts'
import { getNow, sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import type { Position } from '../../kit/page.ts'
import { sanitizeJson } from '../../kit/sanitize-text.ts'
import type { AdConsentText, AdForm, AdQuestion } from '../../plugins/ads.ts'

/** Which boxes mean consent, all of them ticked, and for which channels. */
export interface ConsentRule {
  boxes: string[]
  channels: Channel[]
}

export interface FormRow {
  formId: string
  name: string
  isActive: boolean
  locale: string | null
  questions: AdQuestion[]
  consent: AdConsentText | null
  consentVersion: string | null
  fieldMapping: Mapping
  consentRule: ConsentRule | null
  sweptTo: Date | null
  endedAt: Date | null
  readAt: Date
}

const columns = sql`
  form_id as "formId", name, is_active as "isActive", locale, questions, consent, consent_version as "consentVersion",
  field_mapping as "fieldMapping", consent_rule as "consentRule", swept_to as "sweptTo", ended_at as "endedAt",
  read_at as "readAt"`

/** Forms that are not known are left out. */
export async function findForms(
  tx: Tx,
  connectionId: string,
  formIds: readonly string[],
): Promise<Map<string, FormRow>> {
  const { rows } = await sql<FormRow>`
    select ${columns} from ad_forms
    where tenant_id = ${getTenantId(tx)} and connection_id = ${connectionId} and form_id = any(${formIds}::text[])`.execute(
    tx,
  )
  return new Map(rows.map(row => [row.formId, row]))
}

export async function listForms(
  tx: Tx,
  connectionId: string,
  { limit }: { limit: number },
  after: Position | null,
): Promise<FormRow[]> {
  const { rows } = await sql<FormRow>`
    select ${columns} from ad_forms
    where tenant_id = ${getTenantId(tx)} and connection_id = ${connectionId}
      and ${after ? sql`form_id collate "C" > ${after[0]}` : sql`true`}
    order by form_id collate "C" limit ${limit + 1}`.execute(tx)
  return rows
}

/** Lists the forms whose leads are to be listed, those first that waited longest. Forms that ended are listed once more. */
export async function listFormsToSweep(tx: Tx, connectionId: string): Promise<FormRow[]> {
  const { rows } = await sql<FormRow>`
    select ${columns} from ad_forms
    where tenant_id = ${getTenantId(tx)} and connection_id = ${connectionId}
      and (ended_at is null or swept_to is null or swept_to < ended_at + interval '1 day')
    order by swept_to nulls first, form_id`.execute(tx)
  return rows
}

/** Stores forms as they were read. What the workspace has set stays. */
export async function upsertForms(tx: Tx, connectionId: string, forms: readonly AdForm[]): Promise<void> {
  if (forms.length === 0) return
  const rows = forms.map(({ id, name, isActive, locale, questions, consent }) => ({
    form_id: id,
    name,
    is_active: isActive,
    locale,
    questions,
    consent,
    consent_version: consent && toVersion(consent),
  }))
  await sql`
    insert into ad_forms (tenant_id, connection_id, form_id, name, is_active, locale, questions, consent, consent_version, ended_at, read_at)
    select ${getTenantId(tx)}::uuid, ${connectionId}::uuid, i.form_id, i.name, i.is_active, i.locale, i.questions, nullif(i.consent, 'null'::jsonb),
      i.consent_version, case when not i.is_active then ${sqlNow(tx)} end, ${sqlNow(tx)}
    from jsonb_to_recordset(${sanitizeJson(rows)}::jsonb) as i (form_id text, name text, is_active boolean, locale text, questions jsonb,
      consent jsonb, consent_version text)
    on conflict (tenant_id, connection_id, form_id) do update set name = excluded.name, is_active = excluded.is_active,
      locale = excluded.locale, questions = excluded.questions, consent = excluded.consent,
      consent_version = excluded.consent_version, read_at = excluded.read_at,
      ended_at = case when not excluded.is_active then coalesce(ad_forms.ended_at, excluded.ended_at) end`.execute(
    tx,
  )
}

/** The same text has the same version, whenever it was read. */
const toVersion = (consent: AdConsentText): string =>
  createHash('sha256').update(JSON.stringify(consent)).digest('hex').slice(0, 12)

export async function updateForm(
  tx: Tx,
  connectionId: string,
  formId: string,
  { fieldMapping, consentRule }: { fieldMapping?: Mapping; consentRule?: ConsentRule | null },
): Promise<void> {
  const rule =
    consentRule === undefined ? sql`consent_rule` : sql`${consentRule && JSON.stringify(consentRule)}::jsonb`
  const mapping = fieldMapping === undefined ? sql`field_mapping` : sql`${sanitizeJson(fieldMapping)}::jsonb`
  await sql`
    update ad_forms set field_mapping = ${mapping}, consent_rule = ${rule}
    where tenant_id = ${getTenantId(tx)} and connection_id = ${connectionId} and form_id = ${formId}`.execute(
    tx,
  )
}

/** The leads of a form that were submitted until `to` were listed. */
export async function recordSwept(
  tx: Tx,
  connectionId: string,
  formId: string,
  to = getNow(tx),
): Promise<void> {
  await sql`
    update ad_forms set swept_to = ${to}
    where tenant_id = ${getTenantId(tx)} and connection_id = ${connectionId} and form_id = ${formId}`.execute(
    tx,
  )
}
