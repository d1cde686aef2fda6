/** Prepares what is stored of an outgoing message: renders templates, finds files. */
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Author } from '../../../kit/writer.ts'
import type { ChatProvider } from '../../../plugins/chat.ts'
import type { AccountRow } from '../../accounts/service.ts'
import { missingVariable, renderTemplate } from '../../templates/service.ts'
import type { ConversationRow } from '../conversations/queries.ts'
import { getSendableMedia, type SendableMedia } from '../media/files.ts'
import type { MessageInput } from './message-input.ts'

export interface PreparedContent {
  text: string | null
  /** The parts besides the text. */
  parts: object
  templateVersionId: string | null
  /** The provider approved it: it may be sent outside the reply window. */
  isApproved: boolean
  media: SendableMedia | null
}

interface Sender {
  conversation: Pick<ConversationRow, 'leadId'>
  account: Pick<AccountRow, 'id'>
  provider: ChatProvider
  author: Author | null
}

/** Throws 400, 404 and 422 for unknown templates, files and variables. */
export async function prepareContent(tx: Tx, input: MessageInput, sender: Sender): Promise<PreparedContent> {
  const none = { text: null, parts: {}, templateVersionId: null, isApproved: false, media: null }
  switch (input.kind) {
    case 'template':
      return prepareTemplate(tx, input, sender)
    case 'media': {
      const media = await getSendableMedia(tx, input.mediaId, sender.provider)
      return { ...none, text: input.caption, media }
    }
    case 'reaction':
      return { ...none, parts: { emoji: input.emoji } }
    case 'location': {
      const { kind: _kind, ...parts } = input
      return { ...none, text: input.name, parts }
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
  { conversation, account, provider, author }: Sender,
): Promise<PreparedContent> {
  const { versionId, text, reference, approval, missing } = await renderTemplate(tx, {
    templateId: input.templateId,
    language: input.language,
    isExactLanguage: input.language !== null,
    leadId: conversation.leadId,
    agentUserId: author?.userId ?? null,
    values: input.variables,
    accountId: account.id,
    use: provider.capabilities.templates === 'required' ? 'approved' : 'current',
  })
  if (missing.length > 0)
    throw new Problem(
      missingVariable,
      `The template has variables without a value: ${missing.join(', ')}. Add them to the lead, or send them in variables.`,
    )
  return {
    text,
    parts: { template: reference },
    templateVersionId: versionId,
    isApproved: reference.providerName !== null && approval === 'approved',
    media: null,
  }
}
