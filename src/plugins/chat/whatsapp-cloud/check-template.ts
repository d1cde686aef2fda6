/** What WhatsApp would refuse of a submitted template before a review: texts that are too long. */
import type { InputError } from '../../../kit/problem.ts'
import type { SubmittedParts } from '../../chat.ts'
import { limits } from './capabilities.ts'

type Measured = [path: string, text: string | null, max: number | undefined]

export function findTemplateErrors({
  body,
  parts: { header, footer, buttons },
}: {
  body: string
  parts: SubmittedParts
}): InputError[] {
  const texts: Measured[] = [
    ['/header/text', header && toHeaderText(header), limits.templateHeader],
    ['/body', body, limits.templateBody],
    ['/footer', footer, limits.templateFooter],
    ...buttons.flatMap(({ kind, title, value, example }, index): Measured[] => [
      // WhatsApp writes the title of a code itself.
      [`/buttons/${index}/title`, kind === 'copy_code' ? null : title, limits.templateButtonTitle],
      [`/buttons/${index}/value`, value ?? example, limits.templateButtonValues[kind]],
    ]),
  ]
  return texts.flatMap(([path, text, max]) =>
    text !== null && max !== undefined && text.length > max
      ? { path, code: 'TOO_LONG', message: `has ${text.length} characters, and WhatsApp accepts ${max}` }
      : [],
  )
}

/** WhatsApp limits the text with its value too: a longer one refuses the message. */
function toHeaderText({ text, example }: NonNullable<SubmittedParts['header']>): string | null {
  if (text === null || example === null) return text
  const filled = text.replace('{{1}}', () => example)
  return filled.length > text.length ? filled : text
}
