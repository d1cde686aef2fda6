/** What is wrong with a template, and where. */
import { didYouMean } from '../../../kit/did-you-mean.ts'
import { filterNames } from './filters.ts'

/** The message is for the author of the template, without its position. */
export class TemplateError extends Error {
  readonly line: number
  readonly column: number

  constructor(message: string, [line, column]: readonly number[]) {
    super(message)
    this.line = line!
    this.column = column!
  }

  /** `line 2, column 5: there is no filter upcas; did you mean upcase?` */
  describe(): string {
    return `line ${this.line}, column ${this.column}: ${this.message}`
  }
}

/** The parts of an error of liquidjs. */
interface LiquidFailure extends Error {
  token?: { getPosition(): number[] }
  originalError?: Error
}

/** Converts what liquidjs has thrown. Any other error is a defect of the program, and is returned as it is. */
export function toTemplateError(error: unknown): Error {
  if (error instanceof TemplateError) return error
  const { token, originalError, message } = error as LiquidFailure
  if (!token) return error as Error
  if (originalError instanceof TemplateError) return originalError
  // liquidjs appends the position to its own messages.
  const text = (originalError?.message ?? message).replace(/(, line:\d+, col:\d+)+$/, '')
  return new TemplateError(explain(text), token.getPosition())
}

function explain(message: string): string {
  const filter = /^undefined filter: (.*)$/s.exec(message)?.[1]
  if (filter !== undefined)
    return `there is no filter ${filter.slice(0, 50)}${didYouMean(filter, filterNames) || `; the filters are ${filterNames.join(', ')}`}`
  const unclosed = /^(output|tag) (.*) not closed$/s.exec(message)
  if (unclosed) return `${unclosed[2]!.slice(0, 50)} is not closed`
  return message.slice(0, 300)
}
