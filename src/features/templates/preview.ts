/** Previews: what a person would read, and what would keep it from being sent. */
import type { Tx } from '../../kit/db/index.ts'
import { throwIfInvalid } from '../../kit/problem.ts'
import type { ChatCapabilities } from '../../plugins/chat.ts'
import type { ChatAccounts } from '../accounts/service.ts'
import { createTextFormats } from './liquid/formats.ts'
import { formatContent } from './liquid/piece.ts'
import { openAccount } from './open-account.ts'
import type { NewPreview, Preview } from './preview-schemas.ts'
import { assertUsable, getTemplate, listVariables, type TemplateRow, type VariantRow } from './queries.ts'
import { chooseVariant, findApproval, renderVersion } from './render-template.ts'
import { findValueErrors, readSources, resolveValues, toContents } from './values.ts'

type Warning = Preview['warnings'][number]

interface Account {
  id: string
  capabilities: ChatCapabilities
}

/** Throws 404 for an unknown template, 400 for an unknown lead, account or value, and 422 as `renderTemplates` does. */
export async function previewTemplate(
  tx: Tx,
  { templateId, accounts }: { templateId: string; accounts: ChatAccounts },
  request: NewPreview,
): Promise<Preview> {
  const template = await getTemplate(tx, templateId)
  const { leadId = null, language = null, variables: sent = {}, agentUserId = null } = request
  throwIfInvalid(findValueErrors(listVariables(template), sent))
  const account = await findAccount(tx, accounts, request.accountId)
  const sources = await readSources(tx, { leadId, agentUserId })
  assertUsable(template)
  const otherLanguage = request.exactLanguage ? 'region' : 'any'
  const variant = chooseVariant(template, { language, otherLanguage })
  const formats = createTextFormats(variant.language, sources.timezone)
  const values = resolveValues(variant.variables, {
    sources,
    sent,
    language: variant.language,
    withExamples: leadId === null,
  })
  const contents = toContents(values)
  const approval = account && findApproval(listApprovals(variant, account), variant.versionId)
  const isApproved = approval?.status === 'approved'
  const rendered = renderVersion(template, variant, { values: contents, formats, isApproved })
  const text = rendered.missing.length > 0 ? null : rendered.text
  const characters = text?.length ?? null
  const max = account?.capabilities.text.charactersMax
  const segments = max === undefined || characters === null ? null : Math.ceil(characters / max)
  const marked = new Map(contents)
  for (const name of rendered.missing) marked.set(name, { type: 'text', value: `[${name}]` })
  return {
    versionId: variant.versionId,
    version: variant.number,
    language: variant.language,
    text,
    markedText:
      text === null
        ? renderVersion(template, variant, { values: marked, formats, isMarked: true }).text
        : null,
    missing: rendered.missing,
    values: [...values].map(([name, { content, source }]) => ({
      name,
      value: content && formatContent(content, formats),
      source,
    })),
    characters,
    segments,
    warnings: [
      ...explainLanguage(variant, language),
      ...explainLength(segments, max),
      ...explainHeader(variant),
      ...explainApproval(template, variant, account),
    ],
  }
}

async function findAccount(
  tx: Tx,
  accounts: ChatAccounts,
  accountId: string | undefined,
): Promise<Account | null> {
  if (accountId === undefined) return null
  const { provider } = await openAccount(tx, accounts, accountId)
  return { id: accountId, capabilities: provider.capabilities }
}

function explainLanguage({ language }: VariantRow, requested: string | null): Warning[] {
  if (requested === null || requested === language) return []
  const message = `The template has no text in "${requested}": the text in "${language}" is used.`
  return [{ code: 'OTHER_LANGUAGE', message }]
}

function explainLength(segments: number | null, max: number | undefined): Warning[] {
  if (segments === null || segments <= 1) return []
  const message = `The text is longer than ${max} characters, the maximum of the account: shorten it.`
  return [{ code: 'TOO_LONG', message }]
}

function explainHeader({ parts: { header } }: VariantRow): Warning[] {
  if (!header || header.kind === 'text') return []
  const message = `The header of each message shows another ${header.kind}: send it in \`header\` of the message.`
  return [{ code: 'NEEDS_HEADER', message }]
}

const listApprovals = ({ approvals }: VariantRow, { id }: Account) =>
  approvals.filter(({ accountId }) => accountId === id)

function explainApproval({ name }: TemplateRow, variant: VariantRow, account: Account | null): Warning[] {
  if (account?.capabilities.templates !== 'required') return []
  const approvals = listApprovals(variant, account)
  const status = findApproval(approvals, variant.versionId)?.status ?? 'draft'
  if (status === 'approved') return []
  const approved = approvals.find(one => one.status === 'approved')
  if (approved) {
    const message = `The provider approved version ${approved.number}: outside the reply window, that text is sent. Submit version ${variant.number}.`
    return [{ code: 'APPROVED_VERSION_DIFFERS', message }]
  }
  const message = `The provider has not approved "${name}" in "${variant.language}" (${status}): it is sent only within the reply window.`
  return [{ code: 'NOT_APPROVED', message }]
}
