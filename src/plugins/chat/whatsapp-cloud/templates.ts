/** Templates that WhatsApp must approve. */
import {
  type ChatContext,
  type Connection,
  type ProviderTemplate,
  type SubmittedParts,
  type TemplateApproval,
  type TemplateCategory,
  templateCategories,
} from '../../chat.ts'
import { asList, asObject, asText, lookUp } from '../../graph-kit/json.ts'
import { type CredentialValues, callGraph } from './graph.ts'
import { findNextCursor } from './health.ts'
import { uploadExample } from './template-example.ts'
import { findUnusable, parseParts, toComponents } from './template-parts.ts'

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
    parts: SubmittedParts
  },
  context: ChatContext,
): Promise<{ providerTemplateId: string; status: TemplateApproval }> {
  const { providerName, language, category } = template
  const media = template.parts.header?.media
  const handle = media ? await uploadExample(credentials, media, context) : null
  const reply = await callGraph(
    credentials,
    {
      path: `${credentials.businessAccountId}/message_templates`,
      body: {
        name: providerName,
        language: language.replace('-', '_'),
        category: category.toUpperCase(),
        components: toComponents(template, handle),
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
    parts: parseParts(components),
  }
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
