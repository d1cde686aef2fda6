/** The content of a text of a template: its body, and the parts around it. They share the variables. */
import type { InputError } from '../../kit/problem.ts'
import type { TemplateButton, TemplateParts } from '../../plugins/chat.ts'
import { beginsWithVariable, createAddressEscape, encodeAddress, findValueError } from './addresses.ts'
import { createTextFormats, type TextFormats } from './liquid/formats.ts'
import type { EscapeOutput } from './liquid/limits.ts'
import { parseBody } from './liquid/parse.ts'
import type { TypedValue } from './liquid/piece.ts'
import { renderPlaceholders, toLine, toPlaceholderText } from './liquid/placeholders.ts'
import { renderBody } from './liquid/render.ts'
import { measureBody } from './liquid/structure.ts'
import { TemplateError } from './liquid/template-error.ts'
import type { StoredVariable } from './queries.ts'
import {
  type CheckedText,
  checkText,
  type DeclaredVariable,
  hasExample,
  toExamples,
  toFallbacks,
  variablesMax,
} from './text-variables.ts'

export interface Content {
  body: string
  parts: TemplateParts
}

type Values = ReadonlyMap<string, TypedValue | null>

/** The texts with variables, by their JSON pointers. */
function listTexts({ body, parts: { header, buttons } }: Content): [path: string, text: string][] {
  const texts: [string, string | null][] = [
    ['/body', body],
    ['/header/text', header?.text ?? null],
    ...buttons.map(({ value }, index): [string, string | null] => [`/buttons/${index}/value`, value]),
  ]
  return texts.filter((entry): entry is [string, string] => entry[1] !== null)
}

/** See `measureBody`. */
export const measureContent = (content: Content): number =>
  listTexts(content).reduce((sum, [, text]) => sum + measureBody(text), 0)

/** `path`: the JSON pointer of the object with the body. See `checkText`. */
export function checkContent(
  content: Content,
  declared: readonly DeclaredVariable[],
  { path, language }: { path: string; language: string },
): CheckedText {
  const checked = listTexts(content).map(([place, text]) =>
    checkText(text, declared, { path: `${path}${place}`, language }),
  )
  const errors = [...findPartErrors(content.parts, path), ...checked.flatMap(one => one.errors)]
  const byName = new Map(checked.flatMap(one => one.variables).map(variable => [variable.name, variable]))
  if (errors.length === 0 && byName.size > variablesMax)
    errors.push({
      path: `${path}/body`,
      code: 'TOO_MANY',
      message: `has more than ${variablesMax} variables`,
    })
  if (errors.length === 0)
    errors.push(
      ...findValueErrors(content.parts.buttons, { path, language, variables: [...byName.values()] }),
    )
  return { variables: errors.length > 0 ? [] : [...byName.values()], errors }
}

const valuedKinds: TemplateButton['kind'][] = ['url', 'phone', 'copy_code']

function findPartErrors({ header, buttons }: TemplateParts, path: string): InputError[] {
  const toRequired = (place: string): InputError => ({
    path: `${path}${place}`,
    code: 'REQUIRED',
    message: 'is required for this kind',
  })
  const errors = buttons.flatMap(({ kind, value }, index) =>
    value === null && valuedKinds.includes(kind) ? [toRequired(`/buttons/${index}/value`)] : [],
  )
  if (header?.kind === 'text' && header.text === null) errors.push(toRequired('/header/text'))
  if (header && header.kind !== 'text' && header.text !== null)
    errors.push({
      path: `${path}/header/text`,
      code: 'NOT_ALLOWED',
      message: 'is only allowed with the kind text',
    })
  return errors
}

/** Checks the values with the examples, and with the fallbacks alone. */
function findValueErrors(
  buttons: TemplateButton[],
  { path, language, variables }: { path: string; language: string; variables: StoredVariable[] },
): InputError[] {
  const formats = createTextFormats(language, 'UTC')
  return buttons.flatMap((button, index) => {
    // Without an example, the name of a variable stands for it: that is a part of an address, and no whole one.
    const isPart = button.kind === 'url' && !beginsWithVariable(button.value!)
    const examples = toExamples(isPart ? variables : variables.filter(hasExample))
    for (const values of [examples, toFallbacks(variables)]) {
      const { value, missing } = renderValue(button, values, formats)
      const message = value === null || missing.length > 0 ? null : findValueError(button.kind, value)
      if (message !== null) return [{ path: `${path}/buttons/${index}/value`, code: 'WRONG_FORMAT', message }]
    }
    return []
  })
}

export interface RenderedContent {
  /** What people read: header, body, footer and buttons. */
  text: string
  missing: string[]
}

/**
 * `isApproved`: the provider has approved the text, and gets its values alone: each in one line. `isMarked`: names stand
 * for values that are missing. Throws TemplateError. Empty: the body is empty with these values.
 */
export function renderContent(
  { body, parts: { header, footer, buttons } }: Content,
  values: Values,
  formats: TextFormats,
  { isApproved = false, isMarked = false }: { isApproved?: boolean; isMarked?: boolean } = {},
): RenderedContent {
  const missing = new Set<string>()
  const render = (text: string): string => {
    const rendered = renderBody(parseBody(text).nodes, values, formats, isApproved ? toLine : undefined)
    for (const name of rendered.missing) missing.add(name)
    return rendered.text
  }
  const headerText = header?.text ? render(header.text) : ''
  const bodyText = render(body)
  const lines = buttons.map(button => {
    const rendered = renderValue(button, values, formats)
    for (const name of rendered.missing) missing.add(name)
    const error =
      rendered.value === null || missing.size > 0 || isMarked
        ? null
        : findValueError(button.kind, rendered.value)
    if (error !== null) throw new TemplateError(`the value of the button "${button.title}" ${error}`, [1, 1])
    return formatButton(button, rendered.value)
  })
  const blocks = [headerText, bodyText, footer ?? '', lines.join('\n')]
  const text = bodyText === '' ? '' : blocks.filter(block => block !== '').join('\n\n')
  return { text, missing: [...missing] }
}

/** Throws TemplateError. */
function renderValue(
  { kind, value }: TemplateButton,
  values: Values,
  formats: TextFormats,
): { value: string | null; missing: string[] } {
  if (value === null) return { value, missing: [] }
  const escapeOutput: EscapeOutput | undefined = kind === 'url' ? createAddressEscape(value) : undefined
  const { text, missing } = renderBody(parseBody(value).nodes, values, formats, escapeOutput)
  return { value: kind === 'url' ? encodeAddress(text) : text, missing }
}

const formatButton = ({ kind, title }: TemplateButton, value: string | null): string =>
  value === null || kind === 'quick_reply' ? `[${title}]` : `[${title}] ${value}`

export interface PlaceholderValues {
  body: string[]
  /** Null: the header has no variable. */
  header: string | null
  buttons: { index: number; kind: 'url' | 'copy_code' | 'quick_reply'; value: string }[]
}

/** What the placeholders of an approved text stand for. The title of a button is what it returns anyway. */
export function toPlaceholderValues(
  { body, parts: { header, buttons } }: Content,
  values: Values,
  formats: TextFormats,
): PlaceholderValues {
  const list = (text: string, escapeOutput?: EscapeOutput) =>
    renderPlaceholders(toPlaceholderText(parseBody(text)), values, formats, escapeOutput)
  return {
    body: list(body),
    header: header?.text ? (list(header.text)[0] ?? null) : null,
    buttons: buttons.flatMap(({ kind, title, value }, index): PlaceholderValues['buttons'] => {
      if (value === null || kind === 'phone' || kind === 'other') return []
      if (kind === 'url') {
        const [suffix] = list(value, createAddressEscape(value))
        return suffix === undefined ? [] : [{ index, kind, value: suffix }]
      }
      const { text } = renderBody(parseBody(value).nodes, values, formats)
      return text === title ? [] : [{ index, kind, value: text }]
    }),
  }
}
