/** Converts stored messages to what providers send. Pure. */
import type { OutgoingContent, TemplateReference } from '../../../plugins/chat.ts'
import type { MessageKind } from '../message-types.ts'

interface Stored {
  kind: MessageKind
  text: string | null
  content: Record<string, unknown>
  replyTo: string | null
}
type Content<K extends OutgoingContent['kind']> = Extract<OutgoingContent, { kind: K }>
type WithFile<File> =
  | Exclude<OutgoingContent, { kind: 'media' }>
  | { kind: 'media'; file: File; caption: string | null }

/**
 * The parts were checked when the message was queued. If it has lost them since, it is not sent: the provider is only
 * requested to say if it was sent before.
 */
export function toOutgoing<File>(
  { kind, text, content, replyTo }: Stored,
  file: File | null,
): WithFile<File> {
  if (content.isErased || (kind === 'media' && !file)) return { kind: 'text', text: text ?? '' }
  switch (kind) {
    case 'template': {
      const template = content.template as TemplateReference
      // The provider knows only the templates that it has approved.
      return template.providerName === null
        ? { kind: 'text', text: text ?? '' }
        : { kind, text: text ?? '', template }
    }
    case 'media':
      return { kind, file: file!, caption: text }
    case 'buttons':
      return { kind, text: text ?? '', buttons: content.buttons as Content<'buttons'>['buttons'] }
    case 'list': {
      const { button, sections } = content as Pick<Content<'list'>, 'button' | 'sections'>
      return { kind, text: text ?? '', button, sections }
    }
    case 'location':
      return { kind, ...(content as Omit<Content<'location'>, 'kind'>) }
    case 'reaction':
      return { kind, emoji: content.emoji as string | null, providerMessageId: replyTo ?? '' }
    default:
      return { kind: 'text', text: text ?? '' }
  }
}
