/** Templates that WhatsApp must approve. */
import {
  type ChatContext,
  type Connection,
  type ProviderTemplate,
  type TemplateApproval,
  type TemplateCategory,
  templateCategories,
} from '../../chat.ts'
import { type CredentialValues, callGraph } from './graph.ts'
import { findNextCursor } from './health.ts'
import { asList, asObject, asText, lookUp } from './json.ts'

const templatesMax = 1000
const pagesMax = 20

export async function listTemplates(
  { credentials }: Connection<CredentialValues>,
  context: ChatContext,
): Promise<ProviderTemplate[]> {
  const templates: ProviderTemplate[] = []
  let after: string | null = null
  for (let page = 0; page < pagesMax && templates.length < templatesMax; page += 1) {
    const fields = 'id,name,language,status,category,components,rejected_reason,parameter_format'
    const query = { fields, limit: '100', ...(after && { after }) }
    const path = `${credentials.businessAccountId}/message_templates`
    const reply: Record<string, unknown> = await callGraph(credentials, { path, query }, context)
    for (const item of asList(reply.data)) {
      const template = toTemplate(asObject(item) ?? {})
      if (template) templates.push(template)
    }
    after = findNextCursor(reply)
    if (after === null) break
  }
  return templates.slice(0, templatesMax)
}

export async function submitTemplate(
  { credentials }: Connection<CredentialValues>,
  template: {
    providerName: string
    language: string
    category: TemplateCategory
    body: string
    examples: string[]
  },
  context: ChatContext,
): Promise<{ providerTemplateId: string; status: TemplateApproval }> {
  const { providerName, language, category, body, examples } = template
  const component = {
    type: 'BODY',
    text: body,
    ...(examples.length > 0 && { example: { body_text: [examples] } }),
  }
  const reply = await callGraph(
    credentials,
    {
      path: `${credentials.businessAccountId}/message_templates`,
      body: {
        name: providerName,
        language: language.replace('-', '_'),
        category: category.toUpperCase(),
        components: [component],
      },
    },
    context,
  )
  return {
    providerTemplateId: asText(reply.id) ?? '',
    status: toApproval(reply.status) ?? 'pending',
  }
}

/** Null: it has no name, or it was deleted. */
function toTemplate(item: Record<string, unknown>): ProviderTemplate | null {
  const providerTemplateId = asText(item.id)
  const providerName = asText(item.name)
  const language = asText(item.language)
  const state = asText(item.status)
  const status = toApproval(state) ?? 'disabled'
  if (!providerTemplateId || !providerName || !language || state === 'DELETED') return null
  const components = asList(item.components)
    .slice(0, 20)
    .map(component => asObject(component) ?? {})
  const body = components.find(component => asText(component.type)?.toUpperCase() === 'BODY')
  const rejection = asText(item.rejected_reason)
  const unusable = findUnusable(components, asText(item.parameter_format))
  return {
    providerTemplateId,
    providerName,
    language: toBcp47(language),
    category: toCategory(item.category) ?? 'marketing',
    status,
    reason: rejection && rejection !== 'NONE' ? `WhatsApp rejected the template: ${rejection}.` : null,
    ...(unusable !== null && { unusable }),
    body: asText(body?.text) ?? '',
  }
}

/** The program fills placeholders of the body by position. A template with others is not imported. */
function findUnusable(components: Record<string, unknown>[], parameterFormat: string | null): string | null {
  if (parameterFormat === 'NAMED')
    return 'The placeholders have names. Use numbers, such as {{1}}, to send the template from here.'
  const needsMore = components.some(component => {
    const format = asText(component.format)?.toUpperCase()
    if (format && format !== 'TEXT') return true
    if (asText(component.type)?.toUpperCase() === 'BODY') return false
    return /\{\{|"(OTP|MPM|SPM|CATALOG|COPY_CODE|FLOW)"/.test(JSON.stringify(component).slice(0, 10_000))
  })
  return needsMore ? 'The template has a header or buttons that need values of their own.' : null
}

const approvals: Record<string, TemplateApproval> = {
  APPROVED: 'approved',
  REINSTATED: 'approved',
  UNARCHIVED: 'approved',
  FLAGGED: 'approved',
  PENDING: 'pending',
  IN_APPEAL: 'pending',
  APPEAL_REQUESTED: 'pending',
  REJECTED: 'rejected',
  PAUSED: 'paused',
  LIMIT_EXCEEDED: 'rejected',
  DISABLED: 'disabled',
  ARCHIVED: 'disabled',
  DELETED: 'disabled',
  PENDING_DELETION: 'disabled',
}

/** Null: the status is not known. */
export const toApproval = (value: unknown): TemplateApproval | null =>
  lookUp(approvals, asText(value)?.toUpperCase() ?? null) ?? null

export function toCategory(value: unknown): TemplateCategory | null {
  const name = asText(value)?.toLowerCase()
  return templateCategories.find(category => category === name) ?? null
}

export const toBcp47 = (language: string): string => language.replace('_', '-')
