/** The content of a text of a template: its body, and the parts around it. They share the variables. */
import type { InputError } from '../../kit/problem.ts'
import type { TemplateButton, TemplateParts } from '../../plugins/chat.ts'
import {
  beginsWithTag,
  beginsWithVariable,
  createAddressEscape,
  encodeAddress,
  encodeAddressPart,
} from './addresses.ts'
import type { TextFormats } from './liquid/formats.ts'
import { parseBody } from './liquid/parse.ts'
import type { TypedValue } from './liquid/piece.ts'
import { renderPlaceholders, toPlaceholderText } from './liquid/placeholders.ts'
import { renderBody } from './liquid/render.ts'
import { measureBody } from './liquid/structure.ts'
import { TemplateError } from './liquid/template-error.ts'
import { type CheckedText, checkText, type DeclaredVariable, variablesMax } from './text-variables.ts'

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
  for (const [index, { kind, value }] of buttons.entries())
    if (kind === 'url' && value !== null && beginsWithTag(value))
      errors.push({
        path: `${path}/buttons/${index}/value`,
        code: 'NOT_ALLOWED',
        message: 'must begin with a text such as https://agency.example/ or with a variable',
      })
  if (header?.kind === 'text' && header.text === null) errors.push(toRequired('/header/text'))
  if (header && header.kind !== 'text' && header.text !== null)
    errors.push({
      path: `${path}/header/text`,
      code: 'NOT_ALLOWED',
      message: 'is only allowed with the kind text',
    })
  return errors
}

export interface RenderedContent {
  /** What people read: header, body, footer and buttons. */
  text: string
  missing: string[]
}

/** Throws TemplateError. Empty: the body is empty with these values. */
export function renderContent(
  { body, parts: { header, footer, buttons } }: Content,
  values: Values,
  formats: TextFormats,
): RenderedContent {
  const missing = new Set<string>()
  const render = (text: string, escapeOutput?: (output: string) => string): string => {
    const rendered = renderBody(parseBody(text).nodes, values, formats, escapeOutput)
    for (const name of rendered.missing) missing.add(name)
    return rendered.text
  }
  const headerText = header?.text ? render(header.text) : ''
  const bodyText = render(body)
  const renderValue = ({ kind, value }: TemplateButton): string | null => {
    if (value === null || kind !== 'url') return value === null ? null : render(value)
    const address = encodeAddress(render(value, createAddressEscape(value)))
    if (missing.size === 0 && beginsWithVariable(value) && !/^https?:\/\//i.test(address))
      throw new TemplateError('the address of a button does not begin with https://', [1, 1])
    return address
  }
  const lines = buttons.map(button => formatButton(button, renderValue(button)))
  const blocks = [headerText, bodyText, footer ?? '', lines.join('\n')]
  const text = bodyText === '' ? '' : blocks.filter(block => block !== '').join('\n\n')
  return { text, missing: [...missing] }
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
  const list = (text: string) => renderPlaceholders(toPlaceholderText(parseBody(text)), values, formats)
  return {
    body: list(body),
    header: header?.text ? (list(header.text)[0] ?? null) : null,
    buttons: buttons.flatMap(({ kind, title, value }, index): PlaceholderValues['buttons'] => {
      if (value === null || kind === 'phone' || kind === 'other') return []
      if (kind === 'url') {
        const [suffix] = list(value)
        return suffix === undefined ? [] : [{ index, kind, value: encodeAddressPart(suffix) }]
      }
      const { text } = renderBody(parseBody(value).nodes, values, formats)
      return text === title ? [] : [{ index, kind, value: text }]
    }),
  }
}
