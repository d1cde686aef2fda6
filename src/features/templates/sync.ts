/** Brings the state of a provider's templates here, and the templates that were made at the provider. */
import type { Tx } from '../../kit/db/index.ts'
import type { ProviderTemplate, TemplateParts } from '../../plugins/chat.ts'
import { insertApproval, listApprovals, type StoredApproval, updateApproval } from './approval-queries.ts'
import type { TemplateSync } from './approval-schemas.ts'
import { type Content, checkContent } from './content.ts'
import { languagePattern } from './languages.ts'
import { templatesMax } from './problems.ts'
import { countTemplates, getTemplate, insertTemplate, insertVersion } from './queries.ts'
import type { CheckedText, DeclaredVariable } from './text-variables.ts'

/** What a synchronization has done. */
export type SyncResult = TemplateSync

const goneReason = 'The provider no longer has this template.'

/** `isComplete`: the provider has no other templates. */
export async function syncTemplates(
  tx: Tx,
  { accountId, isComplete }: { accountId: string; isComplete: boolean },
  templates: ProviderTemplate[],
): Promise<SyncResult> {
  // Concurrent synchronizations wait here, and then find what the first one has imported.
  let free = templatesMax - (await countTemplates(tx))
  const stored = new Map((await listApprovals(tx, accountId)).map(approval => [toKey(approval), approval]))
  const result: SyncResult = { imported: 0, updated: 0, unchanged: 0, skipped: [] }
  // Texts of one name are one template.
  const idByName = new Map(
    [...stored.values()].map(({ providerName, templateId }) => [providerName, templateId]),
  )
  for (const template of templates) {
    const { providerName, language } = template
    if (stored.has(toKey(template))) {
      const { unusable } = template
      const isChanged = await updateApproval(tx, accountId, {
        ...template,
        ...(unusable !== undefined && { status: 'disabled', reason: unusable }),
        reportedAt: null,
      })
      result[isChanged ? 'updated' : 'unchanged'] += 1
      continue
    }
    const text = toText(template)
    const templateId = idByName.get(providerName)
    const reason = 'reason' in text ? text.reason : await explainRefusal(tx, { templateId, language, free })
    if (reason !== null) {
      result.skipped.push({
        providerTemplateName: providerName.slice(0, 200),
        language: language.slice(0, 35),
        reason,
      })
      continue
    }
    if (templateId === undefined) free -= 1
    const id = await importText(tx, accountId, { template, text: text as Text, templateId })
    idByName.set(providerName, id)
    result.imported += 1
  }
  if (isComplete) result.updated += await disableGone(tx, accountId, { stored, templates })
  return result
}

const toKey = ({ providerName, language }: Pick<StoredApproval, 'providerName' | 'language'>) =>
  JSON.stringify([providerName, language])

type Text = Content & Pick<CheckedText, 'variables'>

/**
 * Converts `{{1}}` to `{{ value1 }}`, `{{ headerValue }}` in the header and `{{ button1 }}` in the first button, or says why
 * the text cannot be imported.
 */
function toText({ body, parts, language, unusable }: ProviderTemplate): Text | { reason: string } {
  if (unusable !== undefined) return { reason: unusable }
  if (!new RegExp(languagePattern).test(language)) return { reason: 'Its language is not known.' }
  const placeholders = [...body.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map(([, name]) => name!)
  const distinct = [...new Set(placeholders)]
  if (distinct.some((name, index) => name !== String(index + 1)))
    return { reason: 'Its placeholders are not {{1}}, {{2}}, … in this order.' }
  const content = {
    body: body.replace(/\{\{\s*(\d+)\s*\}\}/g, '{{ value$1 }}'),
    parts: toLiquidParts(parts),
  }
  const declared: DeclaredVariable[] = [
    ...distinct.map(name => ({ name: `value${name}` })),
    { name: headerValue },
    // Without a payload of its own, a pressed button returns its title.
    ...parts.buttons.map(({ kind, title }, index) => ({
      name: toButtonValue(index),
      fallback: kind === 'quick_reply' ? title : null,
    })),
  ]
  const { variables, errors } = checkContent(content, declared, { path: '', language })
  return errors.length > 0
    ? { reason: `Its text is no template: ${errors[0]!.message}.` }
    : { ...content, variables }
}

const headerValue = 'headerValue'
const toButtonValue = (index: number) => `button${index + 1}`

function toLiquidParts({ header, footer, buttons }: TemplateParts): TemplateParts {
  const replace = (text: string | null, name: string) =>
    text?.replace(/\{\{\s*1\s*\}\}/g, `{{ ${name} }}`) ?? null
  return {
    header: header && { ...header, text: replace(header.text, headerValue) },
    footer,
    buttons: buttons.map(({ kind, title, value }, index) => {
      const placeholder = kind === 'quick_reply' ? '{{1}}' : value
      return { kind, title, value: replace(placeholder, toButtonValue(index)) }
    }),
  }
}

async function explainRefusal(
  tx: Tx,
  { templateId, language, free }: { templateId: string | undefined; language: string; free: number },
): Promise<string | null> {
  if (templateId === undefined)
    return free > 0 ? null : `There are ${templatesMax} templates already, the maximum.`
  const { archivedAt, variants } = await getTemplate(tx, templateId)
  if (archivedAt !== null) return 'The template was deleted here.'
  return variants.some(variant => variant.language === language)
    ? 'The template has another text in this language here.'
    : null
}

async function importText(
  tx: Tx,
  accountId: string,
  { template, text, templateId }: { template: ProviderTemplate; text: Text; templateId: string | undefined },
): Promise<string> {
  const { providerName, language, status, category, reason, providerTemplateId } = template
  const name = providerName.slice(0, 100)
  const fields = { name, language, category, providerTemplateName: providerName }
  const id = templateId ?? (await insertTemplate(tx, fields))
  const versionId = await insertVersion(tx, { templateId: id, language, ...text })
  await insertApproval(tx, accountId, {
    templateId: id,
    versionId,
    providerName,
    language,
    status,
    category,
    reason,
    providerTemplateId,
    isSubmitted: false,
  })
  return id
}

/** Returns how many texts the provider no longer has. */
async function disableGone(
  tx: Tx,
  accountId: string,
  { stored, templates }: { stored: Map<string, StoredApproval>; templates: ProviderTemplate[] },
): Promise<number> {
  const present = new Set(templates.map(toKey))
  let count = 0
  for (const [key, { providerName, language, status }] of stored) {
    if (present.has(key) || status === 'disabled') continue
    const report = {
      providerName,
      language,
      status: 'disabled' as const,
      category: null,
      reason: goneReason,
      providerTemplateId: null,
      reportedAt: null,
    }
    if (await updateApproval(tx, accountId, report)) count += 1
  }
  return count
}
