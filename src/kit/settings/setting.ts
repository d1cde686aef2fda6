/** A setting of a workspace or an environment, declared by a feature in `settings`. */
import type { InputError } from '../problem.ts'
import { compile, type Static, type TSchema } from '../schema.ts'

/** The roles of users in a workspace. Each includes the rights of those before it. */
export const roles = ['agent', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

export interface Setting<T extends TSchema = TSchema> {
  /** Unique among all features; camelCase. */
  name: string
  /** `workspace`: live and test share one value. `environment`: each has its own value. */
  scope: 'workspace' | 'environment'
  /** One sentence for users. */
  description: string
  /** Limit every string and list in it: the whole value may have 2,000,000 characters as JSON. */
  schema: T
  /**
   * The value until one is set. If values are objects, fields missing from a stored value have the default's values, so
   * that a later version may add fields. Any other change of the schema needs a migration of the stored values.
   */
  default: Static<T>
  /** The lowest role that may read or change it in the dashboard. The operator may always do both. */
  roles: { read: Role; write: Role }
  /** Returns errors that a schema cannot express. Called for values that fit the schema. */
  check?(value: Static<T>): InputError[]
}

/** Declares a setting. */
export const setting = <T extends TSchema>(definition: Setting<T>): Setting<T> => definition

const validators = new WeakMap<Setting, (value: unknown) => InputError[]>()

/** Returns the errors of a value; none if it is valid for this setting. Fills in defaults of the schema. */
export function checkValue<T extends TSchema>(setting: Setting<T>, value: unknown): InputError[] {
  let validate = validators.get(setting)
  if (!validate) {
    validate = compile(setting.schema)
    validators.set(setting, validate)
  }
  const errors = validate(value)
  return errors.length > 0 ? errors : (setting.check?.(value as Static<T>) ?? [])
}

/** Throws if the default of a setting is invalid. */
export function checkDefaults(settings: Setting[]): void {
  for (const each of settings) {
    const [error] = checkValue(each, structuredClone(each.default))
    if (error) throw new Error(`the default of the setting ${each.name}: ${error.path} ${error.message}`)
  }
}
