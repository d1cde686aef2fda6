/** Renders a parsed template. */
import type { Template } from 'liquidjs'
import { engine } from './engine.ts'
import type { TextFormats } from './formats.ts'
import { type EscapeOutput, LimitError, RenderContext, textMaxLength } from './limits.ts'
import { Piece, type TypedValue } from './piece.ts'
import { TemplateError, toTemplateError } from './template-error.ts'

export interface RenderedText {
  text: string
  /** The unresolved variables that the text would print. */
  missing: string[]
}

/**
 * `values`: by the names of all variables that the template may use; null: unresolved. Throws TemplateError if the
 * template fails with these values. `escapeOutput`: called with each output, in their order.
 */
export function renderBody(
  nodes: Template[],
  values: ReadonlyMap<string, TypedValue | null>,
  formats: TextFormats,
  escapeOutput: EscapeOutput = output => output,
): RenderedText {
  const context = new RenderContext(engine, toScope(values), { formats, escapeOutput })
  try {
    const text: string = engine.renderSync(nodes, context)
    if (text.length > textMaxLength)
      throw new LimitError(`the text has more than ${textMaxLength} characters`)
    return { text: text.trim(), missing: [...context.missing] }
  } catch (error) {
    const name = findUndefined(error)
    // The condition before its assignment was not met.
    if (name !== null) return { text: '', missing: [...context.missing, name] }
    throw error instanceof LimitError ? new TemplateError(error.message, [1, 1]) : toTemplateError(error)
  }
}

function findUndefined(error: unknown): string | null {
  const { originalError } = error as { originalError?: Error & { variableName?: string } }
  if (originalError?.name === 'InternalUndefinedVariableError') return originalError.variableName ?? null
  return originalError === undefined ? null : findUndefined(originalError)
}

/** Nests names with a dot: `contact.name` becomes `{ contact: { name } }`. */
function toScope(values: ReadonlyMap<string, TypedValue | null>): object {
  const scope: Record<string, Piece | Record<string, Piece>> = Object.create(null)
  for (const [name, content] of values) {
    const [root, field] = name.split('.') as [string, string?]
    const piece = new Piece(content, [name])
    if (field === undefined) scope[root] = piece
    else {
      scope[root] ??= Object.create(null) as Record<string, Piece>
      ;(scope[root] as Record<string, Piece>)[field] = piece
    }
  }
  return scope
}
