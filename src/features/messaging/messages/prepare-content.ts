/** Prepares what is stored of an outgoing message: renders templates, finds files. */
import type { Tx } from '../../../kit/db/index.ts'
import { invalidInput, Problem } from '../../../kit/problem.ts'
import { getResult, type Result, toProblem } from '../../../kit/results.ts'
import type { Author } from '../../../kit/writer.ts'
import type { ChatProvider, Place, TemplateHeader } from '../../../plugins/chat.ts'
import type { AccountRow } from '../../accounts/service.ts'
import { missingVariable, type RenderedTemplate, renderTemplates } from '../../templates/service.ts'
import type { ConversationRow } from '../conversations/queries.ts'
import { describePlace } from '../describe-place.ts'
import { getSendableMedia, type SendableMedia } from '../media/files.ts'
import { unsupportedMessage } from '../problems.ts'
import type { MessageInput, TemplateHeaderInput } from './message-input.ts'

export interface PreparedContent {
  text: string | null
  /** The parts besides the text. */
  parts: object
  templateVersionId: string | null
  /** The provider approved it: it may be sent outside the reply window. */
  isApproved: boolean
  media: SendableMedia | null
}

export interface ContentRequest {
  input: MessageInput
  conversation: Pick<ConversationRow, 'leadId'>
  author: Author | null
}

export interface Sender {
  account: AccountRow
  provider: ChatProvider
}

/** Refuses with 400, 404 and 422 unknown templates, files and variables. */
export async function prepareContents(
  tx: Tx,
  requests: ContentRequest[],
  { account, provider }: Sender,
): Promise<Result<PreparedContent>[]> {
  const rendered = await renderTemplates(
    tx,
    requests.flatMap(({ input, conversation, author }) =>
      input.kind === 'template'
        ? {
            templateId: input.templateId,
            language: input.language,
            otherLanguage: input.appointment ? 'any' : 'region',
            leadId: conversation.leadId,
            agentUserId: author?.userId ?? null,
            values: input.variables,
            appointment: input.appointment ?? null,
            accountId: account.id,
            use: provider.capabilities.templates === 'required' ? 'approved' : 'current',
          }
        : [],
    ),
  )
  const texts = rendered.values()
  const prepared: Result<PreparedContent>[] = []
  for (const { input, author } of requests) {
    const work =
      input.kind === 'template'
        ? prepareTemplate(tx, input, { author, provider, rendered: texts.next().value! })
        : prepareOther(tx, input, provider)
    prepared.push(await work.catch(toProblem))
  }
  return prepared
}

async function prepareOther(
  tx: Tx,
  input: Exclude<MessageInput, { kind: 'template' }>,
  provider: ChatProvider,
): Promise<PreparedContent> {
  const none = { text: null, parts: {}, templateVersionId: null, isApproved: false, media: null }
  switch (input.kind) {
    case 'media': {
      const media = await getSendableMedia(tx, input.mediaId, provider)
      return { ...none, text: input.caption, media }
    }
    case 'reaction':
      return { ...none, parts: { emoji: input.emoji } }
    case 'location': {
      const { kind: _kind, ...parts } = input
      return { ...none, text: describePlace(parts), parts }
    }
    default: {
      const { kind: _kind, text, ...parts } = input
      return { ...none, text, parts }
    }
  }
}

async function prepareTemplate(
  tx: Tx,
  input: MessageInput & { kind: 'template' },
  {
    author,
    provider,
    rendered,
  }: Pick<ContentRequest, 'author'> & { provider: ChatProvider; rendered: Result<RenderedTemplate> },
): Promise<PreparedContent> {
  const { versionId, reference, approval, missing, headerKind, text } = getResult(rendered)
  if (missing.length > 0) {
    // A program that writes by itself sends no values.
    const remedy = author
      ? 'Add them to the lead, give them a fallback in the template, or send them with the message.'
      : 'Add them to the lead, or give them a fallback in the template.'
    throw new Problem(
      missingVariable,
      `The template has variables without a value: ${missing.join(', ')}. ${remedy}`,
    )
  }
  const { place, media } = await prepareHeader(tx, { input: input.header, kind: headerKind, provider })
  const header = place ? { kind: 'location', ...place } : media ? { kind: 'file' } : null
  return {
    text: place ? `${describePlace(place)}\n\n${text}` : text,
    parts: { template: header ? { ...reference, header } : reference },
    templateVersionId: versionId,
    isApproved: reference.providerName !== null && approval === 'approved',
    media,
  }
}

interface PreparedHeader {
  place: Place | null
  media: SendableMedia | null
}

/** Throws 400 for what the header does not show, 422 if what it shows is missing. */
async function prepareHeader(
  tx: Tx,
  {
    input,
    kind,
    provider,
  }: { input: TemplateHeaderInput | null; kind: TemplateHeader['kind'] | null; provider: ChatProvider },
): Promise<PreparedHeader> {
  if (kind === null || kind === 'text') {
    if (input)
      throw invalidInput('/header', 'NOT_ALLOWED', 'is not allowed: the header of the template needs none')
    return { place: null, media: null }
  }
  const field = kind === 'location' ? 'location' : 'mediaId'
  if (!input)
    throw new Problem(
      missingVariable,
      `The header of the template shows another ${kind} in each message: send it as \`header.${field}\`.`,
    )
  if ('place' in input) {
    if (kind !== 'location') throw wrongHeader('location', `the header shows a file of the kind ${kind}`)
    return { place: input.place, media: null }
  }
  if (kind === 'location') throw wrongHeader('mediaId', 'the header shows a place')
  const media = await getSendableMedia(tx, input.mediaId, provider, '/header/mediaId')
  if (media.kind !== kind)
    throw wrongHeader('mediaId', `the header shows a file of the kind ${kind}, and this one is ${media.kind}`)
  return { place: null, media }
}

const wrongHeader = (field: string, reason: string) =>
  invalidInput(`/header/${field}`, 'WRONG_TYPE', `does not fit: ${reason}`)

/** Throws 422 if messages of the provider have no subject. */
export function withSubject(
  { label, channel }: ChatProvider,
  content: PreparedContent,
  subject: string,
): PreparedContent {
  if (channel !== 'email') throw new Problem(unsupportedMessage, `${label} can’t send subjects.`)
  const authentication = { spf: null, dkim: null, dmarc: null }
  const email = { subject, references: [], fullText: null, authentication }
  return { ...content, parts: { ...content.parts, email } }
}
