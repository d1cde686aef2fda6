/** Submits texts to providers that must approve them. */
import type { Caller } from '../../kit/caller.ts'
import type { Database, Tx } from '../../kit/db/index.ts'
import { invalidInput, Problem } from '../../kit/problem.ts'
import type { ChatProvider, OutgoingMedia, TemplateApproval, TemplateHeader } from '../../plugins/chat.ts'
import { type ChatAccounts, callProvider, type OpenAccount } from '../accounts/service.ts'
import { insertApproval, listProviderNames } from './approval-queries.ts'
import type { TemplateSubmission } from './approval-schemas.ts'
import { TemplateError } from './liquid/template-error.ts'
import { openAccount } from './open-account.ts'
import { approvalNotNeeded, templateErased, templateNotSubmittable } from './problems.ts'
import { assertUsable, getTemplate, lockTemplate, type TemplateRow, type VariantRow } from './queries.ts'
import { chooseVariant } from './render-template.ts'
import { toSubmission } from './to-submission.ts'

/** The largest film that WhatsApp sends. Examples of documents are as small. */
const exampleBytesMax = 16 * 1024 * 1024

/** A text that the provider has received; null: it has it already. */
export interface Submitted {
  accountId: string
  variant: VariantRow
  providerName: string
  result: { providerTemplateId: string; status: TemplateApproval }
}

/** Opens an uploaded file as the provider sends it. `path`: the JSON pointer of its id, for the error 400. */
export type OpenUpload = (
  tx: Tx,
  mediaId: string,
  provider: ChatProvider,
  path: string,
) => Promise<OutgoingMedia>

interface SubmitOptions {
  accounts: ChatAccounts
  openUpload: OpenUpload
  caller: Caller
  database: Database
  signal: AbortSignal
}

/** Throws 404, 400, 422, and the provider's reason. */
export async function submitTemplate(
  templateId: string,
  submission: TemplateSubmission,
  { accounts, openUpload, caller, database, signal }: SubmitOptions,
): Promise<Submitted | null> {
  const prepared = await database.readTenant(caller, tx =>
    prepare(tx, { templateId, accounts, openUpload, submission }),
  )
  if (prepared === null) return null
  const { opened, template, variant, providerName, content, media } = prepared
  const { language } = variant
  const result = await callProvider({ signal, uploadBytes: media?.bytes ?? 0 }, signal =>
    opened.provider.templates!.submit(
      opened.connection,
      { providerName, language, category: template.category, ...content },
      accounts.createContext(opened, signal),
    ),
  )
  return { accountId: submission.accountId, variant, providerName, result }
}

interface Prepared {
  opened: OpenAccount
  template: TemplateRow
  variant: VariantRow
  providerName: string
  content: ReturnType<typeof toSubmission>
  /** The example of the header. */
  media: OutgoingMedia | null
}

async function prepare(
  tx: Tx,
  {
    templateId,
    accounts,
    openUpload,
    submission,
  }: Pick<SubmitOptions, 'accounts' | 'openUpload'> & { templateId: string; submission: TemplateSubmission },
): Promise<Prepared | null> {
  const template = await getTemplate(tx, templateId)
  const { accountId, language = null, providerTemplateName } = submission
  const opened = await openAccount(tx, accounts, accountId)
  assertUsable(template)
  const variant = chooseVariant(template, { language, otherLanguage: 'none' })
  if (!opened.provider.templates)
    throw new Problem(
      approvalNotNeeded,
      `${opened.provider.label} sends templates without an approval: nothing is to be submitted.`,
    )
  const isKnown = variant.approvals.some(
    approval =>
      approval.accountId === accountId &&
      approval.versionId === variant.versionId &&
      approval.status !== 'rejected',
  )
  if (isKnown) return null
  const { headerMediaId = null } = submission
  const media = await findExample(tx, {
    mediaId: headerMediaId,
    header: variant.parts.header,
    opened,
    openUpload,
  })
  const content = toSubmittable(template, variant, { media, provider: opened.provider })
  const taken = await listProviderNames(tx, accountId, variant.language)
  if (providerTemplateName !== undefined && taken.has(providerTemplateName))
    throw invalidInput('/providerTemplateName', 'NOT_ALLOWED', 'is the name of another text of this account')
  const wanted = providerTemplateName ?? template.providerTemplateName ?? toProviderName(template.name)
  return { opened, template, variant, providerName: findFreeName(wanted, taken), content, media }
}

/** Throws 400 if the header needs another file, a smaller one, or none. Null: it needs none. */
async function findExample(
  tx: Tx,
  {
    mediaId,
    header,
    opened: { provider },
    openUpload,
  }: { mediaId: string | null; header: TemplateHeader | null; opened: OpenAccount; openUpload: OpenUpload },
): Promise<OutgoingMedia | null> {
  const path = '/headerMediaId'
  const kind = header?.kind ?? 'text'
  if (kind === 'text' || kind === 'location') {
    if (mediaId !== null) throw invalidInput(path, 'NOT_ALLOWED', 'is not allowed: the header shows no file')
    return null
  }
  if (mediaId === null) throw invalidInput(path, 'REQUIRED', `is required: the header shows a file (${kind})`)
  const media = await openUpload(tx, mediaId, provider, path)
  if (media.kind !== kind)
    throw invalidInput(path, 'WRONG_TYPE', `must be a file of the kind ${kind}; this one is ${media.kind}`)
  if (media.bytes > exampleBytesMax)
    throw invalidInput(
      path,
      'TOO_LARGE',
      'must have at most 16 MB: a smaller file of the same kind is enough',
    )
  return media
}

/** Throws 422 for an erased text, for one that a provider cannot evaluate, and for what this provider would refuse. */
function toSubmittable(
  { name }: TemplateRow,
  variant: VariantRow,
  { media, provider }: { media: OutgoingMedia | null; provider: ChatProvider },
): ReturnType<typeof toSubmission> {
  const which = `template "${name}" in "${variant.language}"`
  if (variant.erasedAt !== null)
    throw new Problem(templateErased, `The text of the ${which} was erased with the data of a person.`)
  const content = evaluate(variant, media, which)
  const errors = provider.templates?.findErrors?.(content) ?? []
  if (errors.length === 0) return content
  const reasons = errors.map(({ path, message }) => `${path} ${message}`)
  throw new Problem(templateNotSubmittable, `The ${which} cannot be submitted: ${reasons.join('; ')}.`, {
    errors,
  })
}

function evaluate(
  variant: VariantRow,
  media: OutgoingMedia | null,
  which: string,
): ReturnType<typeof toSubmission> {
  try {
    return toSubmission(variant, media)
  } catch (error) {
    if (error instanceof TemplateError)
      throw new Problem(templateNotSubmittable, `The ${which} cannot be submitted, ${error.describe()}.`)
    throw error
  }
}

/** `First contact!` becomes `first_contact`. */
export function toProviderName(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return (words ?? ['template']).join('_').slice(0, 180)
}

/** Each submitted text has a name of its own, so that the approved text is sent while a new one is reviewed. */
function findFreeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}_v${number}`
    if (!taken.has(name)) return name
  }
}

export async function storeSubmitted(tx: Tx, submitted: Submitted): Promise<void> {
  const { accountId, variant, providerName, result } = submitted
  const { category } = await lockTemplate(tx, variant.templateId)
  await insertApproval(tx, accountId, {
    templateId: variant.templateId,
    versionId: variant.versionId,
    providerName,
    language: variant.language,
    status: result.status,
    category,
    reason: null,
    providerTemplateId: result.providerTemplateId,
    isSubmitted: true,
  })
}
