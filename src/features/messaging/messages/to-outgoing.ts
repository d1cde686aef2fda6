/** Converts stored messages to what providers send. Pure. */
import type { ContentWith, OutgoingContent, TemplateReference } from '../../../plugins/chat.ts'
import type { MessageKind } from '../message-types.ts'

interface Stored {
  kind: MessageKind
  text: string | null
  content: Record<string, unknown>
  replyTo: string | null
}
type Content<K extends OutgoingContent['kind']> = Extract<OutgoingContent, { kind: K }>

/** The template has a header with a file, or the message is one. */
export function needsFile({ kind, content }: Pick<Stored, 'kind' | 'content'>): boolean {
  const template = content.template as TemplateReference | undefined
  return kind === 'media' || template?.header?.kind === 'file'
}

/**
 * The parts were checked when the message was queued. If it has lost them since, it is not sent: the program only checks
 * with the provider if it was sent before.
 */
export function toOutgoing<File>(stored: Stored, file: File | null): ContentWith<File> {
  const { kind, text, content, replyTo } = stored
  if (content.isErased || (needsFile(stored) && !file)) return { kind: 'text', text: text ?? '' }
  switch (kind) {
    case 'template': {
      const template = content.template as TemplateReference
      // The provider knows only the templates that it has approved.
      if (template.providerName !== null)
        return { kind, text: text ?? '', template, ...(file && { media: file }) }
      return file ? { kind: 'media', media: file, caption: text } : { kind: 'text', text: text ?? '' }
    }
    case 'media':
      return { kind, media: file!, caption: text }
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
    default: {
      const { calendar } = content as Pick<Content<'text'>, 'calendar'>
      return { kind: 'text', text: text ?? '', ...(calendar && { calendar }) }
    }
  }
}
