/** Why a template can't be sent to people who have not written. */
import { templateArchived, templateErased } from './problems.ts'
import type { TemplateRow } from './queries.ts'

/** Null: it can be sent. `needsApproval`: the provider of the account sends only texts that it has approved. */
export function findUnusable(
  { name, language, variants, archivedAt }: TemplateRow,
  { accountId, needsApproval }: { accountId: string | null; needsApproval: boolean },
): { code: string; message: string } | null {
  if (archivedAt !== null)
    return { code: templateArchived.code, message: `Choose another template: "${name}" was deleted.` }
  const variant = variants.find(one => one.language === language) ?? variants[0]!
  const approvals = variant.approvals.filter(one => one.accountId === accountId)
  if (needsApproval && !approvals.some(({ status }) => status === 'approved'))
    return {
      code: 'TEMPLATE_NOT_APPROVED',
      message: `Submit the template "${name}" for the account, and wait until its provider has approved it.`,
    }
  if (!needsApproval && variant.erasedAt !== null)
    return {
      code: templateErased.code,
      message: `Write the text of "${name}" again: it was erased with the data of a person.`,
    }
  return null
}
