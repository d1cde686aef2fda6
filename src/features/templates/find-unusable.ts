/** Why a program cannot send a template to people who have not written, without values of its own. */
import { Problem } from '../../kit/problem.ts'
import { appointmentVariables } from './appointment-variables.ts'
import { catalogueByName } from './catalogue.ts'
import { createTextFormats } from './liquid/formats.ts'
import type { TypedValue } from './liquid/piece.ts'
import { templateArchived, templateErased } from './problems.ts'
import type { StoredVariable, TemplateRow, VariantRow } from './queries.ts'
import { renderVersion } from './render-template.ts'
import { toExample } from './text-variables.ts'

export interface Unusable {
  code: string
  message: string
}

/** Null: it can be sent. `needsApproval`: the provider of the account sends only texts that it has approved. */
export function findUnusable(
  template: TemplateRow,
  { accountId, needsApproval }: { accountId: string | null; needsApproval: boolean },
): Unusable | null {
  const { name, language, variants, archivedAt } = template
  if (archivedAt !== null)
    return { code: templateArchived.code, message: `Choose another template: "${name}" was deleted.` }
  const variant = variants.find(one => one.language === language) ?? variants[0]!
  const approved = variant.approvals.filter(one => one.accountId === accountId && one.status === 'approved')
  if (needsApproval && approved.length === 0)
    return {
      code: 'TEMPLATE_NOT_APPROVED',
      message: `Submit the template "${name}" for the account, and wait until its provider has approved it.`,
    }
  const isCurrent = !needsApproval || approved[0]!.versionId === variant.versionId
  return isCurrent ? findUnusableText(template, variant) : null
}

function findUnusableText(template: TemplateRow, variant: VariantRow): Unusable | null {
  const { name } = template
  const { header } = variant.parts
  if (variant.erasedAt !== null)
    return {
      code: templateErased.code,
      message: `Write the text of "${name}" again: it was erased with the data of a person.`,
    }
  if (header && header.kind !== 'text')
    return {
      code: 'NEEDS_HEADER',
      message: `Choose another template: the header of "${name}" shows another ${header.kind} in each message.`,
    }
  const missing = listUnfilled(template, variant)
  if (missing.length === 0) return null
  return {
    code: 'NEEDS_VALUES',
    message: `Give the variables of "${name}" that no lead has a fallback: ${missing.join(', ')}.`,
  }
}

/** The variables that have no value in any message about an appointment, and that a text prints. */
export const listUnfilledByAppointments = (template: TemplateRow): string[] => [
  ...new Set(template.variants.flatMap(variant => listUnfilled(template, variant, true))),
]

/** The variables that have no value for any lead, or appointment, and that the text prints. */
function listUnfilled(template: TemplateRow, variant: VariantRow, hasAppointment = false): string[] {
  const values = new Map(
    variant.variables.map(variable => [variable.name, toValue(variable, hasAppointment)]),
  )
  try {
    return renderVersion(template, variant, { values, formats: createTextFormats(variant.language, 'UTC') })
      .missing
  } catch (error) {
    // It is empty without them, and may not be with those of a lead.
    if (error instanceof Problem) return []
    throw error
  }
}

const ofAppointments = new Set(appointmentVariables.map(({ name }) => name))

function toValue(variable: StoredVariable, hasAppointment: boolean): TypedValue | null {
  const { name, fallback } = variable
  if (catalogueByName.has(name) && (hasAppointment || !ofAppointments.has(name))) return toExample(variable)
  return fallback === null ? null : { type: 'text', value: fallback }
}
