/** What a variable of the catalogue is, and what its value is read from. */
import type { Words } from '../../documents/words.ts'
import type { Lead } from '../leads/schemas.ts'
import type { TypedValue, TypedValues, VariableType } from './liquid/piece.ts'

/** What the values are read from. */
export interface ValueSources {
  /** Null: the text is not about a lead. */
  lead: Pick<Lead, 'contact' | 'property'> | null
  agent: { name: string; email: string } | null
  workspace: { name: string | null; phone: string | null; email: string | null; website: string | null }
  /** Null: the text is not about an appointment. */
  appointment: AppointmentValues | null
  /** The words of the language of the text; English if there are none. */
  words: Words
}

/** What texts say about an appointment. */
export interface AppointmentValues {
  start: Temporal.Instant
  /** IANA: that of the visitor. */
  timezone: string
  /** Where it takes place, in the language of a locale; null: unknown. */
  formatPlace(locale: string): string | null
  agentName: string | null
  /** Where the visitor sees, reschedules and cancels it. */
  link: string | null
}

export interface CatalogueVariable {
  name: string
  type: VariableType
  /** For people, in English. */
  label: string
  example: TypedValue
  read(sources: ValueSources): TypedValue | null
}

type Read<T extends VariableType> = (sources: ValueSources) => TypedValues[T] | null | undefined

export function define<T extends VariableType>(
  name: string,
  type: T,
  [label, example]: [string, TypedValues[T]],
  read: Read<T>,
): CatalogueVariable {
  const toTyped = (value: TypedValues[T]) => ({ type, value }) as unknown as TypedValue
  return {
    name,
    type,
    label,
    example: toTyped(example),
    read(sources) {
      const value = read(sources)
      return value === null || value === undefined ? null : toTyped(value)
    },
  }
}
