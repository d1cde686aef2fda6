/** Leads of forms: one by its id, or those of a form since a time. */
import { type AdContext, AdError, type AdLead, type AdLeadPage, type AdNotice } from '../../ads.ts'
import { asList, asObject, asText, truncate } from '../../graph-kit/json.ts'
import { fail } from './failures.ts'
import { type CredentialValues, callGraph, listGraph } from './graph.ts'

const basicFields = 'id,created_time,form_id,field_data,custom_disclaimer_responses'
const allFields = `${basicFields},ad_id,ad_name,campaign_id,campaign_name`
const pageSize = 100
const answersMax = 100
const nameMax = 500
const valueMax = 5000

export function readLead(
  credentials: CredentialValues,
  { leadId }: Pick<AdNotice, 'leadId'>,
  context: AdContext,
): Promise<AdLead> {
  return withFields(async fields => {
    if (!/^\d{1,30}$/.test(leadId)) throw fail('NOT_FOUND')
    const lead = toLead(await callGraph(credentials, { path: leadId, query: { fields } }, context))
    if (lead?.id !== leadId) throw fail('UNAVAILABLE')
    return lead
  })
}

export function listLeads(
  credentials: CredentialValues,
  { formId, since, cursor }: { formId: string; since: Temporal.Instant; cursor: string | null },
  context: AdContext,
): Promise<AdLeadPage> {
  return withFields(async fields => {
    if (!/^\d{1,30}$/.test(formId)) throw fail('NOT_FOUND')
    const seconds = Math.floor(since.epochMilliseconds / 1000) - 1
    const filtering = JSON.stringify([{ field: 'time_created', operator: 'GREATER_THAN', value: seconds }])
    const query = { fields, filtering, limit: String(pageSize), ...(cursor && { after: cursor }) }
    const { items, after } = await listGraph(credentials, { path: `${formId}/leads`, query }, context)
    const leads = items.flatMap(item => toLead(item) ?? [])
    return { leads, cursor: after }
  })
}

/** The names of ads need a permission of their own. Without it, leads are read without them. */
async function withFields<T>(read: (fields: string) => Promise<T>): Promise<T> {
  try {
    return await read(allFields)
  } catch (error) {
    if (!(error instanceof AdError) || error.code !== 'PERMISSION_MISSING') throw error
    return read(basicFields)
  }
}

const testAnswer = /^<test lead: dummy data for /

function toLead(lead: Record<string, unknown>): AdLead | null {
  const [id, formId, submittedAt] = [asText(lead.id), asText(lead.form_id), parseTime(lead.created_time)]
  if (id === null || formId === null || submittedAt === null || !Array.isArray(lead.field_data)) return null
  const answers = lead.field_data.slice(0, answersMax).flatMap(toAnswer)
  return {
    id,
    formId,
    submittedAt,
    answers,
    boxes: asList(lead.custom_disclaimer_responses).slice(0, answersMax).flatMap(toBox),
    ad: {
      id: toName(lead.ad_id),
      name: toName(lead.ad_name),
      campaignId: toName(lead.campaign_id),
      campaignName: toName(lead.campaign_name),
    },
    isTest: answers.some(({ value }) => testAnswer.test(value)),
  }
}

const toName = (value: unknown) => truncate(asText(value) ?? '', nameMax) || null

function toAnswer(item: unknown): AdLead['answers'] {
  const answer = asObject(item)
  const name = asText(answer?.name)
  const value = asList(answer?.values)
    .flatMap(one => asText(one) ?? [])
    .join(', ')
  return name === null || value === ''
    ? []
    : [{ name: truncate(name, nameMax), value: truncate(value, valueMax) }]
}

/** Graph writes `"1"` for a box that is ticked, and an empty text for one that is not. */
function toBox(item: unknown): AdLead['boxes'] {
  const box = asObject(item)
  const key = asText(box?.checkbox_key)
  if (!box || key === null) return []
  const isTicked = [true, 1, '1', 'true'].includes(box.is_checked as string)
  return [{ key: truncate(key, 200), isTicked }]
}

/** Such as `2026-11-26T10:00:00+0000`. */
function parseTime(value: unknown): Temporal.Instant | null {
  try {
    return Temporal.Instant.from(asText(value) ?? '')
  } catch {
    return null
  }
}
