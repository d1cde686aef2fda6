/** The template engine: Liquid without files, includes and ranges, with the filters of `filters.ts`. */

import type { Emitter } from 'liquidjs'
import { defaultOperators, evalToken, ForTag, Liquid, type Operators } from 'liquidjs'
import { filters } from './filters.ts'
import { bodyMaxLength, type RenderContext } from './limits.ts'
import { formatContent, Piece, toPiece } from './piece.ts'

/** The tags that contain others, with those that divide them. */
export const blockTags: Record<string, readonly string[]> = {
  if: ['elsif', 'else'],
  unless: ['elsif', 'else'],
  case: ['when', 'else'],
  for: ['else'],
}
export const simpleTags: readonly string[] = ['assign', 'break', 'continue']

/** A loop over a list that is unresolved prints nothing, so the list is missing unless there is an `else`. */
class LoopTag extends ForTag {
  override *render(context: RenderContext, emitter: Emitter): ReturnType<ForTag['render']> {
    const piece = toPiece(yield evalToken(this.collection, context))
    if (Piece.contentOf(piece) === null && this.elseTemplates.length === 0)
      for (const name of Piece.namesOf(piece)) context.missing.add(name)
    return yield* super.render(context, emitter)
  }
}

/** Converts a printed value to text. liquidjs calls it as the last filter of each output. */
function print(this: { context: RenderContext }, value: unknown): string {
  const { context } = this
  const piece = toPiece(value)
  const content = Piece.contentOf(piece)
  if (content === null) {
    for (const name of Piece.namesOf(piece)) context.missing.add(name)
    return ''
  }
  const text = context.escapeOutput(formatContent(content, context.formats), Piece.namesOf(piece))
  context.addPrinted(text.length)
  return text
}

/** The operators of liquidjs, each counted as a step. */
const operators = Object.fromEntries(
  Object.entries(defaultOperators).map(([name, operator]) => [
    name,
    (...operands: unknown[]) => {
      ;(operands.at(-1) as RenderContext).addStep()
      return (operator as (...operands: unknown[]) => unknown)(...operands)
    },
  ]),
) as unknown as Operators

function createEngine(): Liquid {
  const liquid = new Liquid({
    // Without this, an include would read files; the tags that include are removed besides.
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    strictVariables: true,
    lenientIf: true,
    parseLimit: bodyMaxLength,
    operators,
    outputEscape: print as (value: unknown) => string,
  })
  const allowed = [...Object.keys(blockTags), ...simpleTags]
  for (const name of Object.keys(liquid.tags)) if (!allowed.includes(name)) delete liquid.tags[name]
  for (const name of Object.keys(liquid.filters)) delete liquid.filters[name]
  liquid.registerTag('for', LoopTag)
  for (const [name, filter] of Object.entries(filters)) liquid.registerFilter(name, filter as never)
  return liquid
}

export const engine = createEngine()
