/** A setting of a workspace or of an environment, declared by a feature as data: `settings` of its `Feature`. */
import type { InputError } from '../problem.ts'
import { compile, type Static, type TSchema } from '../schema.ts'

/** A person's role in a workspace. Each includes those before it. */
export const roles = ['agent', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

export interface Setting<T extends TSchema = TSchema> {
  /** Unique among all features; camelCase. */
  name: string
  /** `workspace`: live and test share one value. `environment`: each has its own. */
  scope: 'workspace' | 'environment'
  /** One sentence for whoever sets it. */
  description: string
  /** Every string and list in it has a bound: the whole value may have 2,000,000 characters as JSON. */
  schema: T
  /**
   * The value as long as nobody has set one. If values are objects, a stored one that lacks a field has the field of the default:
   * so a later version may add fields. Any other change of the schema needs a migration of what is stored.
   */
  default: Static<T>
  /** The least role that may read or change it in the dashboard. The operator may do both. */
  roles: { read: Role; write: Role }
  /** Rules that a schema can't state, for values that fit it. */
  check?(value: Static<T>): InputError[]
}

/** Declares a setting, with the type of its value. */
export const setting = <T extends TSchema>(definition: Setting<T>): Setting<T> => definition

const validators = new WeakMap<Setting, (value: unknown) => InputError[]>()

/** Returns the errors of a value, none if it is one of this setting. Fills in defaults of the schema. */
export function checkValue<T extends TSchema>(setting: Setting<T>, value: unknown): InputError[] {
  let validate = validators.get(setting)
  if (!validate) {
    validate = compile(setting.schema)
    validators.set(setting, validate)
  }
  const errors = validate(value)
  return errors.length > 0 ? errors : (setting.check?.(value as Static<T>) ?? [])
}

/** Throws if a setting is declared with a default that is none of its values. */
export function checkDefaults(settings: Setting[]): void {
  for (const each of settings) {
    const [error] = checkValue(each, structuredClone(each.default))
    if (error) throw new Error(`the default of the setting ${each.name}: ${error.path} ${error.message}`)
  }
}
