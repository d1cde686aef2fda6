/** Renders a template for a message. */
import type { Tx } from '../../kit/db/index.ts'
import { invalidInput, Problem, throwIfInvalid } from '../../kit/problem.ts'
import { attempt, getResult, mapAccepted, type Result, selectAccepted } from '../../kit/results.ts'
import type {
  TemplateApproval,
  TemplateCategory,
  TemplateHeader,
  TemplateReference,
} from '../../plugins/chat.ts'
import type { AppointmentValues } from './catalogue-variable.ts'
import { renderContent, toPlaceholderValues } from './content.ts'
import { chooseLanguage, isSameLanguage } from './languages.ts'
import { createTextFormats, type TextFormats } from './liquid/formats.ts'
import type { TypedValue } from './liquid/piece.ts'
import { TemplateError } from './liquid/template-error.ts'
import { languageMissing, templateErased, templateFailed } from './problems.ts'
import {
  type ApprovalRow,
  assertUsable,
  findTemplates,
  findVersions,
  listVariables,
  type TemplateRow,
  type VariantRow,
  type VersionRow,
} from './queries.ts'
import {
  findValueErrors,
  readSourcesOf,
  resolveValues,
  type SentValues,
  type Sources,
  toContents,
} from './values.ts'

/** `region`: a text in the same language, such as `en` for `en-GB`. */
export type OtherLanguage = 'any' | 'region' | 'none'

export interface RenderRequest {
  templateId: string
  /** BCP 47; null: the default language of the template. */
  language: string | null
  /** What may replace a text in the requested language. Default: the best one of all. */
  otherLanguage?: OtherLanguage
  /** Null: the text is not about a lead. */
  leadId: string | null
  /** Null: the owner of the lead. */
  agentUserId: string | null
  /** The appointment that the text is about. Missing: none. */
  appointment?: AppointmentValues | null
  /** The values that come with the message, by the names of variables. */
  values: SentValues
  /** The account that sends the text: its provider's approval is returned. Null: none. */
  accountId?: string | null
  /** `approved`: the text that the provider of the account approved, if there is one. Default: the current text. */
  use?: 'current' | 'approved'
}

export interface RenderedTemplate {
  versionId: string
  language: string
  /** Header, body, footer and buttons. Empty if variables are missing. */
  text: string
  /** The kind of its header, whose file or place comes with the message; null: it has none. */
  headerKind: TemplateHeader['kind'] | null
  /**
   * What the provider needs, except for the file or place of the header. `providerName` is null unless it has approved
   * exactly this text.
   */
  reference: TemplateReference
  category: TemplateCategory
  /** What the provider of the account says about exactly this text; `draft`: it does not know it. */
  approval: TemplateApproval
  /** The variables without a value that the text would print. Do not send it. */
  missing: string[]
}

/**
 * Returns the texts in the order of the requests; each template, lead and agent is read once. Refuses with 400 an unknown
 * template or lead and values that the template does not have, and with 422 a template that was deleted or erased, has no
 * text in the only accepted language, or fails with these values.
 */
export async function renderTemplates(
  tx: Tx,
  requests: RenderRequest[],
): Promise<Result<RenderedTemplate>[]> {
  const found = await findTemplates(tx, [...new Set(requests.map(({ templateId }) => templateId))])
  const templates = new Map(found.map(template => [template.id, template]))
  const chosen = requests.map(request => attempt(() => chooseText(templates, request)))
  const approved = await findVersions(tx, [
    ...new Set(selectAccepted(chosen).flatMap(({ approvedId }) => approvedId ?? [])),
  ])
  return mapAccepted(chosen, async texts => {
    const sources = await readSourcesOf(
      tx,
      texts.map(({ request }) => request),
    )
    return texts.map((text, index) =>
      attempt(() => {
        const version = approved.get(text.approvedId ?? '') ?? text.variant
        return render({ ...text, version }, getResult(sources[index]!))
      }),
    )
  })
}

interface ChosenText {
  request: RenderRequest
  template: TemplateRow
  variant: VariantRow
  /** Of the account. */
  approvals: ApprovalRow[]
  /** The version that the provider approved, if it is to be used; null: the current one. */
  approvedId: string | null
}

function chooseText(templates: Map<string, TemplateRow>, request: RenderRequest): ChosenText {
  const template = templates.get(request.templateId.toLowerCase())
  if (!template) throw invalidInput('/templateId', 'UNKNOWN_TEMPLATE', 'There is no template with this id.')
  assertUsable(template)
  throwIfInvalid(findValueErrors(listVariables(template), request.values))
  const variant = chooseVariant(template, request)
  const approvals = variant.approvals.filter(({ accountId }) => accountId === request.accountId)
  const approvedId = request.use === 'approved' ? findApprovedId(variant, approvals) : null
  return { request, template, variant, approvals, approvedId }
}

function render(
  { request, template, version, approvals }: ChosenText & { version: VersionRow },
  sources: Sources,
): RenderedTemplate {
  const { language } = version
  const formats = createTextFormats(language, sources.timezone)
  const values = toContents(resolveValues(version.variables, { sources, sent: request.values, language }))
  const approval = findApproval(approvals, version.versionId)
  const isApproved = approval?.status === 'approved'
  const { text, missing } = renderVersion(template, version, { values, formats, isApproved })
  return {
    versionId: version.versionId,
    language,
    text: missing.length > 0 ? '' : text,
    headerKind: version.parts.header?.kind ?? null,
    reference: isApproved
      ? { providerName: approval.providerName, language, ...toReferenceValues(version, values, formats) }
      : { providerName: null, language, values: [] },
    category: isApproved ? approval.category : template.category,
    approval: approval?.status ?? 'draft',
    missing,
  }
}

function toReferenceValues(
  version: VersionRow,
  values: Map<string, TypedValue | null>,
  formats: TextFormats,
): Pick<TemplateReference, 'values' | 'header' | 'buttons'> {
  const { body, header, buttons } = toPlaceholderValues(version, values, formats)
  return {
    values: body,
    ...(header !== null && { header: { kind: 'text', text: header } }),
    ...(buttons.length > 0 && { buttons }),
  }
}

/** Throws 422 if only another language would be left. */
export function chooseVariant(
  template: TemplateRow,
  { language, otherLanguage = 'any' }: Pick<RenderRequest, 'language' | 'otherLanguage'>,
): VariantRow {
  const available = template.variants.map(variant => variant.language)
  const chosen = chooseLanguage(available, { requested: language, fallback: template.language })
  const isAccepted =
    language === null ||
    chosen === language ||
    otherLanguage === 'any' ||
    (otherLanguage === 'region' && isSameLanguage(chosen, language))
  if (!isAccepted)
    throw new Problem(
      languageMissing,
      `The template has no text in "${language}". It has texts in ${available.map(one => `"${one}"`).join(', ')}.`,
    )
  return template.variants.find(variant => variant.language === chosen)!
}

/** The latest text that the provider approved; null: the current one, or none. */
function findApprovedId({ versionId }: VariantRow, approvals: ApprovalRow[]): string | null {
  const approved = approvals.find(({ status }) => status === 'approved')
  return approved && approved.versionId !== versionId ? approved.versionId : null
}

/** What was last said about exactly this text. An approval of another one says nothing about it. */
export function findApproval(approvals: ApprovalRow[], versionId: string): ApprovalRow | undefined {
  const same = approvals.filter(approval => approval.versionId === versionId)
  return same.find(({ status }) => status === 'approved') ?? same[0]
}

interface VersionRendering {
  values: Map<string, TypedValue | null>
  formats: TextFormats
  /** See `renderContent`. */
  isApproved?: boolean
  isMarked?: boolean
}

/** Throws 422 if the text was erased, or fails with these values. */
export function renderVersion(
  { name }: Pick<TemplateRow, 'name'>,
  { body, parts, language, erasedAt }: VersionRow,
  { values, formats, ...options }: VersionRendering,
): { text: string; missing: string[] } {
  const which = `template "${name}" in "${language}"`
  if (erasedAt !== null)
    throw new Problem(templateErased, `The text of the ${which} was erased with the data of a person.`)
  try {
    const rendered = renderContent({ body, parts }, values, formats, options)
    if (rendered.text === '' && rendered.missing.length === 0)
      throw new Problem(templateFailed, `The text of the ${which} is empty with these values.`)
    return rendered
  } catch (error) {
    if (error instanceof TemplateError)
      throw new Problem(templateFailed, `The ${which} failed at ${error.describe()}.`)
    throw error
  }
}
