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
  const predicate = disjunction(cursor)
  const rest = cursor.tokens[cursor.index]
  if (rest !== undefined) throw new Error(`'${rest}' is not expected.`)
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

function take(cursor: Cursor): string {
  const token = cursor.tokens[cursor.index]
  if (token === undefined) throw new Error('The filter ends too soon.')
  cursor.index += 1
  return token
}

function expect(cursor: Cursor, token: string): void {
  const found = take(cursor)
  if (found !== token) throw new Error(`'${token}' is expected in place of '${found}'.`)
}

function disjunction(cursor: Cursor): Predicate {
  const parts = [conjunction(cursor)]
  for (; isNext(cursor, 'or'); parts.push(conjunction(cursor))) take(cursor)
  return parts.length === 1 ? parts[0]! : row => parts.some(part => part(row))
}

function conjunction(cursor: Cursor): Predicate {
  const parts = [term(cursor)]
  for (; isNext(cursor, 'and'); parts.push(term(cursor))) take(cursor)
  return parts.length === 1 ? parts[0]! : row => parts.every(part => part(row))
}

function term(cursor: Cursor): Predicate {
  if (!isNext(cursor, '(')) return condition(cursor)
  take(cursor)
  const inner = disjunction(cursor)
  expect(cursor, ')')
  return inner
}

function condition(cursor: Cursor): Predicate {
  const name = take(cursor)
  const field = cursor.fields[name]
  if (!field) throw new Error(`There is no property '${name}'.`)
  if (field.type === 'collection') return anyOf(cursor, name, field)
  const compare = comparison(cursor, name, field.type)
  return row => compare(field.read(row))
}

function anyOf(cursor: Cursor, name: string, field: Extract<Field, { type: 'collection' }>): Predicate {
  if (!isNext(cursor, '/')) throw new Error(`'${name}' is a collection: ask with any.`)
  for (const token of ['/', 'any', '(']) expect(cursor, token)
  const variable = take(cursor)
  expect(cursor, ':')
  const tests: ((value: Value) => boolean)[] = []
  do {
    if (tests.length > 0) take(cursor)
    expect(cursor, variable)
    tests.push(comparison(cursor, variable, 'string'))
  } while (isNext(cursor, 'or'))
  expect(cursor, ')')
  return row => field.read(row).some(item => tests.some(test => test(item)))
}

function comparison(cursor: Cursor, name: string, type: Literal['type']): (value: Value) => boolean {
  const operator = operators.find(word => isNext(cursor, word))
  if (!operator)
    throw new Error(`'${name}' is to be compared, and not by '${cursor.tokens[cursor.index] ?? 'nothing'}'.`)
  take(cursor)
  const literal = parseLiteral(take(cursor))
  if (literal.type !== type && literal.type !== 'null')
    throw new Error(`'${name}' is a ${type} and cannot be compared with a ${literal.type}.`)
  return value => holds(operator, value, literal.value)
}

function tokenize(text: string): string[] {
  const tokens: string[] = []
  const rest = text.trimEnd()
  for (token.lastIndex = 0; token.lastIndex < rest.length; ) {
    const from = token.lastIndex
    const match = token.exec(rest)
    if (!match) throw new Error(`The filter is not understood at '${rest.slice(from, from + 20)}'.`)
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
    if (Number.isNaN(ms)) throw new Error(`'${token}' is no date.`)
    return { type: 'date', value: ms }
  }
  if (/^-?\d/.test(token)) return { type: 'number', value: Number(token) }
  throw new Error(`'${token}' is no value.`)
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
