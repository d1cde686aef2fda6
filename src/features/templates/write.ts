/** Creates and changes templates. */
import type { Tx } from '../../kit/db/index.ts'
import { Problem, throwIfInvalid } from '../../kit/problem.ts'
import type { TemplateParts } from '../../plugins/chat.ts'
import { findUnusable, type Unusable } from './find-unusable.ts'
import { templatesMax, tooManyTemplates } from './problems.ts'
import {
  assertUsable,
  countTemplates,
  deleteVariants,
  getTemplate,
  insertTemplate,
  insertVersion,
  lockTemplate,
  type TemplateRow,
  updateTemplate,
} from './queries.ts'
import type { NewTemplate, TemplateChanges } from './schemas.ts'
import { checkChanges, checkNewTemplate, type NewText } from './texts.ts'

/** Returns the id of the new template. The input was checked. */
export async function createTemplate(tx: Tx, input: NewTemplate): Promise<string> {
  if ((await countTemplates(tx)) >= templatesMax)
    throw new Problem(tooManyTemplates, tooManyTemplates.example)
  const { name, language, category = 'marketing', providerTemplateName = null } = input
  const templateId = await insertTemplate(tx, { name: name.trim(), language, category, providerTemplateName })
  for (const text of checkNewTemplate(input).texts) await insertVersion(tx, { templateId, ...text })
  return templateId
}

/** Changed texts become new versions; texts that stay the same do not. Throws 404, 400, 422. */
/** Returns why no lead could get the changed text, if any could get the former one; null: they can. */
export async function changeTemplate(
  tx: Tx,
  templateId: string,
  changes: TemplateChanges,
): Promise<Unusable | null> {
  const template = await lockTemplate(tx, templateId)
  assertUsable(template)
  const { texts, errors } = checkChanges(changes, template)
  throwIfInvalid(errors)
  const { name, language, category, providerTemplateName } = changes
  const fields = {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(language === undefined ? {} : { language }),
    ...(category === undefined ? {} : { category }),
    ...(providerTemplateName === undefined ? {} : { providerTemplateName }),
  }
  const changed = texts.filter(text => !isStored(text, template))
  const removed = findRemoved(changes, template)
  if (changed.length === 0 && removed.length === 0 && Object.keys(fields).length === 0) return null
  for (const text of changed) await insertVersion(tx, { templateId, ...text })
  if (removed.length > 0) await deleteVariants(tx, templateId, removed)
  await updateTemplate(tx, templateId, fields)
  const anyAccount = { accountId: null, needsApproval: false }
  return findUnusable(template, anyAccount)
    ? null
    : findUnusable(await getTemplate(tx, templateId), anyAccount)
}

function isStored(text: NewText, { variants }: TemplateRow): boolean {
  const stored = variants.find(variant => variant.language === text.language)
  return stored !== undefined && toKey(stored) === toKey(text)
}

/** jsonb returns fields in another order. */
const toKey = ({ body, parts, variables }: Pick<NewText, 'body' | 'parts' | 'variables'>) =>
  JSON.stringify([
    body,
    toPartsKey(parts),
    variables.map(({ name, type, fallback, example }) => [name, type, fallback, example]),
  ])

const toPartsKey = ({ header, footer, buttons }: TemplateParts) => [
  header && [header.kind, header.text],
  footer,
  buttons.map(({ kind, title, value }) => [kind, title, value]),
]

/** The languages that a new list of variants leaves out. */
function findRemoved(changes: TemplateChanges, template: TemplateRow): string[] {
  if (changes.variants === undefined) return []
  const kept = [changes.language ?? template.language, ...changes.variants.map(({ language }) => language)]
  return template.variants.map(({ language }) => language).filter(language => !kept.includes(language))
}
