/** Templates as the API replies them. */
import { catalogueByName } from './catalogue.ts'
import type { ApprovalRow, StoredVariable, TemplateRow, VariantRow, VersionRow } from './queries.ts'
import { findApproval } from './render-template.ts'
import type { Template, TemplateVersion } from './schemas.ts'

export function toTemplate(row: TemplateRow): Template {
  const { id, name, category, createdAt, updatedAt, archivedAt } = row
  const variants = row.variants.map(variant => toVariant(variant, row))
  const { notice: _notice, approvals: _approvals, updatedAt: _updatedAt, ...text } = variants[0]!
  return {
    id,
    name,
    ...text,
    category,
    variants,
    createdAt,
    updatedAt,
    archivedAt,
  }
}

function toVariant(variant: VariantRow, template: TemplateRow): Template['variants'][number] {
  const { language, body, parts, variables, number, versionId, updatedAt, approvals } = variant
  const approval = findApproval(approvals, versionId)
  return {
    language,
    body,
    ...parts,
    variables: variables.map(toVariable),
    version: number,
    versionId,
    status: approval?.status ?? 'draft',
    statusReason: approval?.reason ?? null,
    providerTemplateName: approval?.providerName ?? template.providerTemplateName,
    notice: explainChange(variant),
    approvals: approvals.map(toApproval),
    updatedAt,
  }
}

export function toVariable({ name, type, fallback, example }: StoredVariable) {
  return { name, type, isOwn: !catalogueByName.has(name), fallback, example }
}

function toApproval(row: ApprovalRow): Template['variants'][number]['approvals'][number] {
  const { accountId, status, reason, category, submittedAt, updatedAt } = row
  return {
    accountId,
    providerTemplateName: row.providerName,
    status,
    reason,
    category,
    version: row.number,
    submittedAt,
    updatedAt,
  }
}

/** A text that was changed after its approval is not what the provider sends. */
function explainChange({ approvals, versionId, number }: VariantRow): string | null {
  const approved = approvals.find(({ status }) => status === 'approved')
  const current = findApproval(approvals, versionId)
  if (!approved || current?.status === 'approved') return null
  const action = current?.status === 'pending' ? '.' : ': submit it.'
  return `The provider approved version ${approved.number}. Outside the reply window, that text is sent until version ${number} is approved${action}`
}

export function toVersion(row: VersionRow, { variants }: TemplateRow): TemplateVersion {
  const { versionId, language, number, body, parts, variables, createdAt } = row
  return {
    id: versionId,
    language,
    number,
    body,
    ...parts,
    variables: variables.map(toVariable),
    isCurrent: variants.some(variant => variant.versionId === versionId),
    createdAt,
  }
}
