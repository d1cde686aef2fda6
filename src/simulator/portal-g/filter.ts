/** Parses OData $filter expressions of portal_g: comparisons, `any`, `and`, `or` and parentheses. */
import type { Field, Value } from './fields.ts'
import type { Row } from './rows.ts'

export type Predicate = (row: Row) => boolean

const operators = ['eq', 'ne', 'ge', 'gt', 'le', 'lt'] as const
type Operator = (typeof operators)[number]
type Literal = { type: 'string' | 'number' | 'boolean' | 'date' | 'null'; value: Value }

const token =
  /\s*(?:(?<text>'(?:[^']|'')*')|(?<date>\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?)|(?<number>-?\d+(?:\.\d+)?)|(?<word>[A-Za-z_]\w*)|(?<sign>[():/]))/y

/** Compiles a filter to a test of a row. Throws an error for the client if it is invalid. */
export function parseFilter(text: string, fields: Record<string, Field>): Predicate {
  const cursor: Cursor = { tokens: tokenize(text), index: 0, fields }
  const predicate = parseOr(cursor)
  const extra = cursor.tokens[cursor.index]
  if (extra !== undefined) throw new Error(`'${extra}' is not expected.`)
  return predicate
}

interface Cursor {
  tokens: readonly string[]
  /** The current token. */
  index: number
  fields: Record<string, Field>
}

function isNext({ tokens, index }: Cursor, token: string): boolean {
  return tokens[index] === token
}

function takeToken(cursor: Cursor): string {
  const token = cursor.tokens[cursor.index]
  if (token === undefined) throw new Error('The filter ends unexpectedly.')
  cursor.index += 1
  return token
}

function expectToken(cursor: Cursor, token: string): void {
  const found = takeToken(cursor)
  if (found !== token) throw new Error(`'${token}' is expected instead of '${found}'.`)
}

function parseOr(cursor: Cursor): Predicate {
  const parts = [parseAnd(cursor)]
  for (; isNext(cursor, 'or'); parts.push(parseAnd(cursor))) takeToken(cursor)
  return parts.length === 1 ? parts[0]! : row => parts.some(part => part(row))
}

function parseAnd(cursor: Cursor): Predicate {
  const parts = [parseTerm(cursor)]
  for (; isNext(cursor, 'and'); parts.push(parseTerm(cursor))) takeToken(cursor)
  return parts.length === 1 ? parts[0]! : row => parts.every(part => part(row))
}

function parseTerm(cursor: Cursor): Predicate {
  if (!isNext(cursor, '(')) return parseCondition(cursor)
  takeToken(cursor)
  const inner = parseOr(cursor)
  expectToken(cursor, ')')
  return inner
}

function parseCondition(cursor: Cursor): Predicate {
  const name = takeToken(cursor)
  const field = cursor.fields[name]
  if (!field) throw new Error(`There is no property '${name}'.`)
  if (field.type === 'collection') return parseAny(cursor, name, field)
  const compare = parseComparison(cursor, name, field.type)
  return row => compare(field.read(row))
}

function parseAny(cursor: Cursor, name: string, field: Extract<Field, { type: 'collection' }>): Predicate {
  if (!isNext(cursor, '/')) throw new Error(`'${name}' is a collection: compare it with any.`)
  for (const token of ['/', 'any', '(']) expectToken(cursor, token)
  const variable = takeToken(cursor)
  expectToken(cursor, ':')
  const tests: ((value: Value) => boolean)[] = []
  do {
    if (tests.length > 0) takeToken(cursor)
    expectToken(cursor, variable)
    tests.push(parseComparison(cursor, variable, 'string'))
  } while (isNext(cursor, 'or'))
  expectToken(cursor, ')')
  return row => field.read(row).some(item => tests.some(test => test(item)))
}

function parseComparison(cursor: Cursor, name: string, type: Literal['type']): (value: Value) => boolean {
  const operator = operators.find(word => isNext(cursor, word))
  if (!operator)
    throw new Error(`'${name}' needs a comparison operator, not '${cursor.tokens[cursor.index] ?? ''}'.`)
  takeToken(cursor)
  const literal = parseLiteral(takeToken(cursor))
  if (literal.type !== type && literal.type !== 'null')
    throw new Error(`'${name}' is a ${type} and cannot be compared with a ${literal.type}.`)
  return value => holds(operator, value, literal.value)
}

function tokenize(text: string): string[] {
  const tokens: string[] = []
  const trimmed = text.trimEnd()
  for (token.lastIndex = 0; token.lastIndex < trimmed.length; ) {
    const from = token.lastIndex
    const match = token.exec(trimmed)
    if (!match) throw new Error(`The filter cannot be parsed at '${trimmed.slice(from, from + 20)}'.`)
    tokens.push(match[0].trim())
  }
  return tokens
}

function parseLiteral(token: string): Literal {
  if (token.startsWith("'")) return { type: 'string', value: token.slice(1, -1).replaceAll("''", "'") }
  if (token === 'null') return { type: 'null', value: null }
  if (token === 'true' || token === 'false') return { type: 'boolean', value: token === 'true' }
  if (/^\d{4}-\d\d-\d\d/.test(token)) {
    const ms = Date.parse(token)
    if (Number.isNaN(ms)) throw new Error(`'${token}' is not a date.`)
    return { type: 'date', value: ms }
  }
  if (/^-?\d/.test(token)) return { type: 'number', value: Number(token) }
  throw new Error(`'${token}' is not a value.`)
}

/** OData 4.01, part 2, section 5.1.1.1: nothing is greater or less than null. */
function holds(operator: Operator, value: Value, other: Value): boolean {
  if (operator === 'eq') return value === other
  if (operator === 'ne') return value !== other
  if (value === null || other === null) return false
  if (operator === 'ge') return value >= other
  if (operator === 'gt') return value > other
  return operator === 'le' ? value <= other : value < other
}
