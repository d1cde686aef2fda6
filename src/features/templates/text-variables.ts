/** Finds the variables of a text and checks them against the catalogue and the declared ones. */
import { didYouMean } from '../../kit/did-you-mean.ts'
import type { InputError } from '../../kit/problem.ts'
import { catalogue, catalogueByName, reservedNames } from './catalogue.ts'
import { createTextFormats } from './liquid/formats.ts'
import { type ParsedTemplate, parseBody, type VariableUse } from './liquid/parse.ts'
import type { TypedValue, VariableType } from './liquid/piece.ts'
import { renderBody } from './liquid/render.ts'
import { TemplateError } from './liquid/template-error.ts'
import type { StoredVariable } from './queries.ts'

/** Types of variables whose values come with each message. */
export const ownTypes = ['text', 'number', 'date'] as const
export type OwnType = (typeof ownTypes)[number]

/** A name of the catalogue, or of an own variable, which has no full stop. */
export const namePattern = '^[A-Za-z][A-Za-z0-9_.]{0,63}$'
const nameRegExp = new RegExp(namePattern)

/** A variable as a caller declares it. */
export interface DeclaredVariable {
  name: string
  type?: OwnType
  fallback?: string | null
  example?: string | number | null
}

/** A text with its variables, or what is wrong with it. */
export interface CheckedText {
  variables: StoredVariable[]
  errors: InputError[]
}

/** The largest number of variables of a text. */
export const variablesMax = 50

/**
 * Checks a text. `path`: the JSON pointer of its body. A text that fits has been rendered with the examples, and with
 * the fallbacks alone.
 */
export function checkText(
  body: string,
  declared: readonly DeclaredVariable[],
  { path, language }: { path: string; language: string },
): CheckedText {
  const refuse = (error: TemplateError, code: string): CheckedText => ({
    variables: [],
    errors: [{ path, code, message: error.describe() }],
  })
  let parsed: ParsedTemplate
  try {
    parsed = parseBody(body)
  } catch (error) {
    if (error instanceof TemplateError) return refuse(error, 'TEMPLATE_SYNTAX')
    throw error
  }
  const names = [...new Set(parsed.uses.map(({ name }) => name))]
  const errors = [
    ...findUnknown(parsed.uses, declared, path),
    ...findShadowed(parsed.assigned, declared, path),
  ]
  if (names.length > variablesMax)
    errors.push({ path, code: 'TOO_MANY', message: `has more than ${variablesMax} variables` })
  if (errors.length > 0) return { variables: [], errors }
  const variables = names.map(name =>
    toStored(
      name,
      declared.find(one => one.name === name),
    ),
  )
  try {
    for (const values of [toExamples(variables), toFallbacks(variables)])
      renderBody(parsed.nodes, values, createTextFormats(language, 'UTC'))
    return { variables, errors: [] }
  } catch (error) {
    if (error instanceof TemplateError) return refuse(error, 'TEMPLATE_FAILED')
    throw error
  }
}

function findUnknown(uses: VariableUse[], declared: readonly DeclaredVariable[], path: string): InputError[] {
  const known = [...catalogueByName.keys(), ...declared.map(({ name }) => name)]
  const unknown = new Map(uses.filter(({ name }) => !known.includes(name)).map(use => [use.name, use]))
  return [...unknown.values()].slice(0, variablesMax).map(({ name, position: [line, column] }) => ({
    path,
    code: 'UNKNOWN_VARIABLE',
    message: `line ${line}, column ${column}: there is no variable ${name.slice(0, 64)}${suggest(name)}`,
  }))
}

/** Suggests a name of the catalogue. Names that callers declared are not cached, so they are not compared. */
function suggest(name: string): string {
  const near = didYouMean(name, catalogueNames)
  if (near) return near
  if (name.includes('.')) return '; GET /templates/variables lists all'
  return nameRegExp.test(name)
    ? '; declare it in `variables` to send its value with each message'
    : '; your own variables have names of letters without accents, digits and _, such as visitDate'
}

const catalogueNames = catalogue.map(({ name }) => name)

/** An assignment may not hide a variable from outside. */
function findShadowed(
  assigned: VariableUse[],
  declared: readonly DeclaredVariable[],
  path: string,
): InputError[] {
  const names = [...reservedNames, ...declared.map(({ name }) => name)]
  return assigned
    .filter(({ name }) => names.includes(name))
    .map(({ name, position: [line, column] }) => ({
      path,
      code: 'NOT_ALLOWED',
      message: `line ${line}, column ${column}: ${name} cannot be assigned, because it is a variable already`,
    }))
}

function toStored(name: string, declared: DeclaredVariable | undefined): StoredVariable {
  const known = catalogueByName.get(name)
  return {
    name,
    type: known?.type ?? declared?.type ?? 'text',
    fallback: declared?.fallback ?? null,
    example: known || !declared || findExampleError(declared) ? null : (declared.example ?? null),
  }
}

const fallbackOf = ({ fallback }: StoredVariable): TypedValue | null =>
  fallback === null ? null : { type: 'text', value: fallback }

export function toFallbacks(variables: readonly StoredVariable[]): Map<string, TypedValue | null> {
  return new Map(variables.map(variable => [variable.name, fallbackOf(variable)]))
}

export function toExamples(variables: readonly StoredVariable[]): Map<string, TypedValue | null> {
  return new Map(variables.map(variable => [variable.name, toExample(variable)]))
}

/** True if a caller or the catalogue gives an example. Otherwise the name is the example. */
export const hasExample = ({ name, example }: StoredVariable): boolean =>
  example !== null || catalogueByName.has(name)

/** The example of a variable, for previews without a lead and for providers that review a text. */
export function toExample(variable: StoredVariable): TypedValue {
  const { name, type, example } = variable
  const known = catalogueByName.get(name)
  if (known) return known.example
  if (type === 'number') return { type, value: Number(example ?? 3) }
  if (type === 'date')
    return { type, value: Temporal.Instant.from(String(example ?? '2026-11-02T10:00:00Z')) }
  return { type: 'text', value: String(example ?? name) }
}

/** Finds errors in declared variables. `path`: the JSON pointer of the list. */
export function findDeclarationErrors(declared: readonly DeclaredVariable[], path: string): InputError[] {
  return declared.flatMap((variable, index) => {
    const at = (field: string, code: string, message: string) => ({
      path: `${path}/${index}/${field}`,
      code,
      message,
    })
    const { name, type } = variable
    if (declared.findIndex(other => other.name === name) < index)
      return [at('name', 'DUPLICATE', 'is declared twice')]
    const known = catalogueByName.get(name)
    if (known && type !== undefined && type !== known.type)
      return [at('type', 'NOT_ALLOWED', `is ${known.type} for this variable; leave it out`)]
    if (!known && (name.includes('.') || reservedNames.has(name)))
      return [
        at(
          'name',
          'UNKNOWN_VARIABLE',
          `is no variable${didYouMean(name, catalogueNames) || '; your own variables have names without a full stop, such as visitDate'}`,
        ),
      ]
    const exampleError = known ? null : findExampleError(variable)
    return exampleError === null ? [] : [at('example', 'WRONG_TYPE', exampleError)]
  })
}

function findExampleError({ type = 'text', example = null }: DeclaredVariable): string | null {
  return example === null || fitsType(type, example) ? null : explainType(type)
}

function fitsType(type: OwnType, example: string | number): boolean {
  if (type === 'number') return typeof example === 'number'
  if (typeof example !== 'string') return false
  return type === 'text' || isInstant(example)
}

export function explainType(type: VariableType): string {
  if (type === 'date') return 'must be a time such as 2026-11-02T10:00:00Z'
  return `must be a ${type}`
}

export function isInstant(text: string): boolean {
  try {
    Temporal.Instant.from(text)
    return true
  } catch {
    return false
  }
}
