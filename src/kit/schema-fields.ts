/** Builders for the fields of settings and configurations: a reply has all of them, a request any. */
import type { TOptional } from 'typebox'
import { nullable, type TSchema, Type, visible } from './schema.ts'

type Optionals<T> = { [K in keyof T]: T[K] extends TSchema ? TOptional<T[K]> : never }

/** The same fields, each optional. */
export const toOptional = <T extends Record<string, TSchema>>(fields: T) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, Type.Optional(field)]),
  ) as Optionals<T>

/** An address with a host: the format `uri` accepts `https://` too. */
export const httpsPattern = '^https://[^/?#:@]'

/** A text that people read; not blank. */
export const text = (maxLength: number, description: string) =>
  Type.String({ maxLength, pattern: visible, description })

export const integer = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description })

export const nullableText = (maxLength: number, description: string) => nullable(text(maxLength, description))

/** `HH:MM` by the wall clock. */
export const clockTime = (description: string) =>
  Type.String({
    pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
    description,
    examples: ['09:00', '24:00'],
  })

export const timezone = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, description, examples: ['Europe/Madrid'] })
