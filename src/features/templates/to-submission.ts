/** A text as a provider reviews it: variables become placeholders, each with an example. */
import type { ChatTemplates, OutgoingMedia, SubmittedParts } from '../../plugins/chat.ts'
import { createAddressEscape } from './addresses.ts'
import { createTextFormats } from './liquid/formats.ts'
import type { EscapeOutput } from './liquid/limits.ts'
import { parseBody } from './liquid/parse.ts'
import { renderPlaceholders, toPlaceholderText } from './liquid/placeholders.ts'
import { renderBody } from './liquid/render.ts'
import { TemplateError } from './liquid/template-error.ts'
import type { VersionRow } from './queries.ts'
import { toExamples } from './text-variables.ts'

type Submission = Parameters<ChatTemplates<unknown>['submit']>[1]
type SubmittedButton = SubmittedParts['buttons'][number]

const fail = (message: string) => new TemplateError(message, [1, 1])

/** `media`: the example of the file of the header. Throws TemplateError for what a provider cannot evaluate or review. */
export function toSubmission(
  { body, parts, variables, language }: VersionRow,
  media: OutgoingMedia | null = null,
): Pick<Submission, 'body' | 'examples' | 'parts'> {
  const values = toExamples(variables)
  const formats = createTextFormats(language, 'UTC')
  const replace = (text: string, escapeOutput?: EscapeOutput) => {
    const replaced = toPlaceholderText(parseBody(text))
    return { text: replaced.body, examples: renderPlaceholders(replaced, values, formats, escapeOutput) }
  }
  const { header, footer, buttons } = parts
  const main = replace(body)
  return {
    body: main.text,
    examples: main.examples,
    parts: {
      header: header && toHeader(header, { replace, media }),
      footer,
      buttons: buttons.map(({ kind, title, value }): SubmittedButton => {
        if (kind === 'other') throw fail(`the button "${title}" exists only at the provider`)
        if (kind === 'url') return { kind, title, ...toAddress(replace(value!, createAddressEscape(value!))) }
        if (kind === 'copy_code') {
          const { text } = renderBody(parseBody(value!).nodes, values, formats)
          return { kind, title, value: null, example: text }
        }
        return { kind, title, value: kind === 'phone' ? replace(value!).text : null, example: null }
      }),
    },
  }
}

type Replaced = { text: string; examples: string[] }

function toHeader(
  { kind, text }: NonNullable<VersionRow['parts']['header']>,
  { replace, media }: { replace: (text: string) => Replaced; media: OutgoingMedia | null },
): SubmittedParts['header'] {
  if (kind !== 'text') return { kind, text: null, example: null, ...(media && { media }) }
  const replaced = replace(text!)
  if (replaced.examples.length > 1) throw fail('a header has at most one variable')
  return { kind, text: replaced.text, example: replaced.examples[0] ?? null }
}

function toAddress({ text, examples }: Replaced): Pick<SubmittedButton, 'value' | 'example'> {
  const [example] = examples
  if (example === undefined) return { value: text, example: null }
  if (examples.length > 1 || text.indexOf('{{1}}') !== text.length - 5 || text === '{{1}}')
    throw fail('the address of a button begins with a text, and has at most one variable, at its end')
  return { value: text, example }
}
