/** The parts of a template that a provider approves, besides its body. */
import type { OutgoingMedia } from './chat-messages.ts'

export const templateHeaderKinds = ['text', 'image', 'video', 'document', 'location'] as const
export const templateButtonKinds = ['url', 'phone', 'copy_code', 'quick_reply', 'other'] as const

/** `text`: only of the kind `text`. The file or the place of another kind comes with each message. */
export interface TemplateHeader {
  kind: (typeof templateHeaderKinds)[number]
  text: string | null
}

/**
 * `value`: the address, the phone number, the code to copy, or what a pressed `quick_reply` returns (null: its title).
 * `other`: the provider knows what it does.
 */
export interface TemplateButton {
  kind: (typeof templateButtonKinds)[number]
  title: string
  value: string | null
}

export interface TemplateParts {
  header: TemplateHeader | null
  footer: string | null
  buttons: TemplateButton[]
}

export const noParts = { header: null, footer: null, buttons: [] } satisfies TemplateParts

/**
 * The parts of a template to be approved. `example`: of the value of `{{1}}`; null: it has none. `media`: an example of the
 * file of the header.
 */
export interface SubmittedParts {
  header: (TemplateHeader & { example: string | null; media?: OutgoingMedia }) | null
  footer: string | null
  buttons: (TemplateButton & { kind: Exclude<TemplateButton['kind'], 'other'>; example: string | null })[]
}
