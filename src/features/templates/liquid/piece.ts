/** A value inside a template, with the variables that it comes from. */
import { Drop } from 'liquidjs'
import type { TextFormats } from './formats.ts'

export const variableTypes = ['text', 'number', 'money', 'date', 'list'] as const
export type VariableType = (typeof variableTypes)[number]

export interface TypedValues {
  text: string
  number: number
  money: { amount: number; currency: string }
  date: Temporal.Instant
  list: string[]
}

export type TypedValue = { [T in VariableType]: { type: T; value: TypedValues[T] } }[VariableType]

/**
 * The value of a variable or of an expression. Without a content, it is unresolved: filters pass it on, and printing it
 * reports its variables as missing.
 */
export class Piece extends Drop {
  readonly #content: TypedValue | null
  readonly #names: readonly string[]

  constructor(content: TypedValue | null, names: readonly string[]) {
    super()
    // An empty literal is intended: `replace: ", ", ""`.
    this.#content = content !== null && names.length > 0 && isEmpty(content) ? null : content
    this.#names = names
  }

  static contentOf(piece: Piece): TypedValue | null {
    return piece.#content
  }

  /** The variables that it comes from. */
  static namesOf(piece: Piece): readonly string[] {
    return piece.#names
  }

  /** The value that conditions and loops see. */
  override valueOf(): string | number | string[] | null {
    const content = this.#content
    if (content === null) return null
    switch (content.type) {
      case 'money':
        return content.value.amount
      case 'date':
        return content.value.toString()
      default:
        return content.value
    }
  }
}

function isEmpty({ type, value }: TypedValue): boolean {
  if (type === 'text') return value.trim() === ''
  return type === 'list' && value.length === 0
}

/** Converts what liquidjs passes to a filter: a variable, or a literal of the template. */
export function toPiece(value: unknown): Piece {
  if (value instanceof Piece) return value
  if (typeof value === 'string') return new Piece({ type: 'text', value }, [])
  if (typeof value === 'number') return new Piece({ type: 'number', value }, [])
  if (typeof value === 'boolean') return new Piece({ type: 'text', value: String(value) }, [])
  if (Array.isArray(value)) return new Piece({ type: 'list', value: value.map(String) }, [])
  return new Piece(null, [])
}

/** Formats the content of a piece as the text that a person reads. */
export function formatContent(content: TypedValue, formats: TextFormats): string {
  switch (content.type) {
    case 'text':
      return content.value
    case 'number':
      return formats.number(content.value)
    case 'money':
      return formats.money(content.value)
    case 'date':
      return formats.date(content.value, 'long')
    case 'list':
      return formats.list(content.value)
  }
}
