/** Parses the text of a template and finds its variables. */
import { analyzeSync, type Template, TypeGuards, toValueSync, Value, type Variable } from 'liquidjs'
import { engine } from './engine.ts'
import { checkStructure } from './structure.ts'
import { TemplateError, toTemplateError } from './template-error.ts'

/** The place where a template reads a variable from outside. */
export interface VariableUse {
  /** `contact.name`. */
  name: string
  position: [line: number, column: number]
}

export interface ParsedTemplate {
  nodes: Template[]
  /** In the order of the text. */
  uses: VariableUse[]
  /** The variables that the template itself assigns. */
  assigned: VariableUse[]
}

const loopFields = ['first', 'last', 'index', 'index0', 'rindex', 'rindex0', 'length']

/** Throws TemplateError. */
export function parseBody(body: string): ParsedTemplate {
  try {
    checkStructure(body)
    const nodes = engine.parse(body)
    for (const node of nodes) checkExpressions(node)
    return { nodes, ...findVariables(nodes) }
  } catch (error) {
    throw toTemplateError(error)
  }
}

/** Refuses what liquidjs would ignore without a word, such as `{{ contact.name contact.email }}`. */
function checkExpressions(node: Template): void {
  const fail = (message: string) =>
    new TemplateError(`${message}: ${node.token.getText().slice(0, 50)}`, node.token.getPosition())
  for (const argument of node.arguments?.() ?? []) {
    const tokens = argument instanceof Value ? argument.initial.postfix : [argument]
    if (tokens.some(TypeGuards.isRangeToken)) throw fail('ranges are not allowed')
    if (argument instanceof Value && countResults(tokens) !== 1) throw fail('this expression is not complete')
  }
  for (const child of findChildren(node)) checkExpressions(child)
}

/** Counts the values that remain after all operators of a postfix expression; 0: an operator has no value. */
function countResults(tokens: readonly unknown[]): number {
  let values = 0
  for (const token of tokens) {
    if (!TypeGuards.isOperatorToken(token)) values += 1
    else if (token.operator !== 'not') values -= 1
    if (values < 1) return 0
  }
  return values
}

export const findChildren = (node: Template): Template[] =>
  (node.children ? toValueSync(node.children(false, true)) : []) as Template[]

function findVariables(nodes: Template[]): Omit<ParsedTemplate, 'nodes'> {
  const { variables, globals, locals } = analyzeSync(nodes, { partials: false })
  const [all, outside, assigned] = [variables, globals, locals].map(group => Object.values(group).flat())
  const outsideKeys = new Set(outside!.map(toKey))
  for (const variable of all!) if (!outsideKeys.has(toKey(variable))) checkInside(variable)
  return { uses: toUses(outside!), assigned: toUses(assigned!) }
}

const toKey = ({ location }: Variable) => `${location.row}:${location.col}`

/** Refuses fields of variables that the template assigns: they are values without fields. */
function checkInside(variable: Variable): void {
  const [root, field, ...others] = variable.segments
  const isField = root === 'forloop' && loopFields.includes(String(field)) && others.length === 0
  if (field === undefined || isField) return
  throw new TemplateError(`${String(root)} has no field ${String(field).slice(0, 50)}`, toPosition(variable))
}

const toPosition = ({ location }: Variable): VariableUse['position'] => [location.row, location.col]

function toUses(variables: Variable[]): VariableUse[] {
  return variables
    .map(variable => ({ name: toName(variable), position: toPosition(variable) }))
    .sort((a, b) => a.position[0] - b.position[0] || a.position[1] - b.position[1])
}

function toName(variable: Variable): string {
  if (variable.segments.every(segment => typeof segment === 'string')) return variable.segments.join('.')
  throw new TemplateError('a variable needs a constant name, such as contact.name', toPosition(variable))
}
