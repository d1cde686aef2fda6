/** Bounds of parsing and rendering. They count work, not time, so that a slow moment fails no template. */
import { Context, type Liquid } from 'liquidjs'
import type { TextFormats } from './formats.ts'

/** The longest text of a template. */
export const bodyMaxLength = 10_000
/** The longest value of an expression, and the longest rendered text. */
export const textMaxLength = 20_000
/** Outputs and tags of a text. liquidjs searches the position of each from the start of the text. */
export const partsMax = 400
/** The characters of one of them. */
export const partMaxLength = 1000
/** What a short one counts as in `bodiesMaxSize`. */
export const partMinSize = 20
/** The characters of the variables and tags of all texts that are checked at once. */
export const bodiesMaxSize = 40_000
/** The characters of all of them within loops: each is evaluated for each item. */
export const loopMaxLength = 500
/** Tags that contain each other. */
export const nestingMax = 10
/** Texts, tags, outputs, filters and operators that one rendering may evaluate. */
const stepsMax = 2000
/** Characters that filters may create in one rendering. */
const charactersMax = 200_000

/** A template that exceeds a bound of rendering. */
export class LimitError extends Error {}

/** Escapes what an output prints. `names`: the variables that it comes from. */
export type EscapeOutput = (output: string, names: readonly string[]) => string

/** The state of one rendering. */
export class RenderContext extends Context {
  readonly formats: TextFormats
  readonly escapeOutput: EscapeOutput
  readonly missing = new Set<string>()
  #steps = 0
  #characters = 0
  #printed = 0

  constructor(
    liquid: Liquid,
    scope: object,
    { formats, escapeOutput }: Pick<RenderContext, 'formats' | 'escapeOutput'>,
  ) {
    // liquidjs checks its limits before each node: here, each check is a step. Ranges use its memory limit: none is allowed.
    const renderLimit = { use: () => {}, check: () => this.addStep() }
    const memoryLimit = { use: failOnRange, check: () => {} }
    super(
      scope,
      liquid.options,
      { sync: true },
      {
        renderLimit: renderLimit as unknown as Context['renderLimit'],
        memoryLimit: memoryLimit as unknown as Context['memoryLimit'],
        liquid,
      },
    )
    this.formats = formats
    this.escapeOutput = escapeOutput
  }

  addStep(): void {
    this.#steps += 1
    if (this.#steps > stepsMax) throw new LimitError(`the template needs more than ${stepsMax} steps`)
  }

  /** Counts a text that a filter is about to create. */
  addText(length: number): void {
    this.#characters += length
    if (length > textMaxLength || this.#characters > charactersMax)
      throw new LimitError(`the filters create more than ${textMaxLength} characters`)
  }

  addPrinted(length: number): void {
    this.#printed += length
    if (this.#printed > textMaxLength)
      throw new LimitError(`the text has more than ${textMaxLength} characters`)
  }
}

function failOnRange(): never {
  throw new LimitError('ranges such as (1..10) are not allowed')
}
