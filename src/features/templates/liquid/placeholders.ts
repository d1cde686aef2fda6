/** The form of a text that providers approve: outputs become `{{1}}`, `{{2}}`, …, whose values come with each message. */
import { type Template, TypeGuards } from 'liquidjs'
import type { TextFormats } from './formats.ts'
import type { EscapeOutput } from './limits.ts'
import type { ParsedTemplate } from './parse.ts'
import type { TypedValue } from './piece.ts'
import { renderBody } from './render.ts'
import { TemplateError } from './template-error.ts'

export interface PlaceholderText {
  /** The text with `{{1}}`, `{{2}}`, … */
  body: string
  /** The output of each placeholder. The same output is the same placeholder. */
  outputs: Template[]
}

/** Throws TemplateError for a text with tags, because a provider cannot evaluate them. */
export function toPlaceholderText({ nodes }: ParsedTemplate): PlaceholderText {
  const outputs = new Map<string, Template>()
  const parts = nodes.map(node => {
    const { token } = node
    if (TypeGuards.isHTMLToken(token)) return token.getContent()
    if (!TypeGuards.isOutputToken(token))
      throw new TemplateError(
        `a text that a provider approves has no tags, only variables and filters: ${token.getText().slice(0, 50)}`,
        token.getPosition(),
      )
    const key = token.content.trim()
    if (!outputs.has(key)) outputs.set(key, node)
    return `{{${[...outputs.keys()].indexOf(key) + 1}}}`
  })
  return { body: parts.join('').trim(), outputs: [...outputs.values()] }
}

/** Writes a value in one line: providers refuse line breaks in values. */
export const toLine = (value: string): string => value.replace(/\s+/g, ' ').trim()

/** Returns the value of each placeholder. Throws TemplateError. */
export function renderPlaceholders(
  { outputs }: PlaceholderText,
  values: ReadonlyMap<string, TypedValue | null>,
  formats: TextFormats,
  escapeOutput: EscapeOutput = toLine,
): string[] {
  return outputs.map(output => renderBody([output], values, formats, escapeOutput).text)
}
