/**
 * Reads and writes settings in a transaction of the tenant. There is no cache: a new value takes effect in the next
 * transaction of every process.
 */
import { type RawBuilder, sql } from 'kysely'
import { machineNow } from '../clock/clock.ts'
import { getTenantId } from '../db/context.ts'
import type { Tx } from '../db/index.ts'
import { Problem, throwIfInvalid } from '../problem.ts'
import { sanitizeJson } from '../sanitize-text.ts'
import type { Static, TSchema } from '../schema.ts'
import { checkValue, type Setting } from './setting.ts'

/** Larger values (in characters of JSON) are left out of lists. */
const listedMaxLength = 16_384

/** The author of a change. */
export interface ChangedBy {
  /** Null: the operator, on the command line. */
  userId: string | null
}

/** A setting with its value, for lists. */
export interface SettingRecord extends Pick<Setting, 'name' | 'scope' | 'description' | 'roles' | 'schema'> {
  /** Null if `valueOmitted`. */
  value: unknown
  /** The value is too large for a list: read the setting alone. */
  valueOmitted: boolean
  isDefault: boolean
  /** ISO 8601; null: never set. */
  changedAt: string | null
  /** The id of a user; null: set by the operator, or never. */
  changedBy: string | null
}

type Values<S extends Record<string, Setting>> = { [name in keyof S]: Static<S[name]['schema']> }

/** Returns the value of a setting; its default if it was never set. */
export async function readSetting<T extends TSchema>(tx: Tx, setting: Setting<T>): Promise<Static<T>> {
  return (await readSettings(tx, { value: setting })).value
}

/** Returns the values of several settings in one statement, under the keys of `settings`. */
export async function readSettings<S extends Record<string, Setting>>(
  tx: Tx,
  settings: S,
): Promise<Values<S>> {
  const byScope = Map.groupBy(Object.values(settings), ({ scope }) => scope)
  const parts = [...byScope].map(
    ([scope, some]) =>
      sql`select name, value from ${sqlStoredRows(tx, scope)} and name = any(${some.map(({ name }) => name)}::text[])`,
  )
  const { rows } = await sql<{ name: string; value: unknown }>`${sql.join(parts, sql` union all `)}`.execute(
    tx,
  )
  const stored = new Map(rows.map(({ name, value }) => [name, value]))
  const values = Object.entries(settings).map(([name, setting]) => [
    name,
    stored.has(setting.name) ? withDefaults(setting, stored.get(setting.name)) : setting.default,
  ])
  return Object.fromEntries(values)
}

/** True if the setting has another value than null. Cheaper than reading a large one. */
export async function hasValue(tx: Tx, { scope, name }: Setting): Promise<boolean> {
  const { rows } = await sql`
    select from ${sqlStoredRows(tx, scope)} and name = ${name} and value <> 'null'::jsonb`.execute(tx)
  return rows.length > 0
}

/**
 * Sets a value, and fills in defaults of the schema. Throws 400 INVALID_INPUT with paths into the value if it is
 * invalid. If the value is the same as before, nothing changes, including `changedAt`.
 */
export function writeSetting<T extends TSchema>(
  tx: Tx,
  setting: Setting<T>,
  value: unknown,
  by: ChangedBy,
): Promise<void> {
  return changeSetting(tx, setting, () => value, by)
}

/** Sets a value computed from the current one. Concurrent changes of the workspace's settings wait. */
export async function changeSetting<T extends TSchema>(
  tx: Tx,
  setting: Setting<T>,
  change: (current: Static<T>) => unknown,
  { userId }: ChangedBy,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(aldaba.current_workspace()::text, 3))`.execute(tx)
  const current = await readSetting(tx, setting)
  const value = change(structuredClone(current))
  throwIfInvalid(checkValue(setting, value))
  const row = sql`${setting.name}, ${sanitizeJson(value)}::jsonb, ${new Date(machineNow())}, ${userId}::uuid`
  const update = sql`set value = excluded.value, changed_at = excluded.changed_at, changed_by = excluded.changed_by`
  if (setting.scope === 'workspace')
    await sql`
      insert into workspace_settings as s (workspace_id, name, value, changed_at, changed_by)
      values (aldaba.current_workspace(), ${row})
      on conflict (workspace_id, name) do update ${update} where s.value <> excluded.value`.execute(tx)
  else
    await sql`
      insert into environment_settings as s (tenant_id, name, value, changed_at, changed_by)
      values (${getTenantId(tx)}, ${row})
      on conflict (tenant_id, name) do update ${update} where s.value <> excluded.value`.execute(tx)
}

/** Returns these settings with their values, in their order. */
export async function listSettings(tx: Tx, settings: Setting[]): Promise<SettingRecord[]> {
  const { rows } = await sql<StoredSetting>`
    ${sqlStoredSettings(tx, 'workspace')} union all ${sqlStoredSettings(tx, 'environment')}`.execute(tx)
  const stored = new Map(rows.map(row => [`${row.scope} ${row.name}`, row]))
  return settings.map(setting => toRecord(setting, stored.get(`${setting.scope} ${setting.name}`)))
}

/** Returns the setting of this name. Throws 404 NOT_FOUND if there is none. */
export function getSetting(settings: Setting[], name: string): Setting {
  const found = settings.find(setting => setting.name === name)
  if (found) return found
  const names = settings.map(setting => setting.name)
  throw new Problem('NOT_FOUND', `There is no setting ${name.slice(0, 100)}. Settings: ${names.join(', ')}.`)
}

interface StoredSetting {
  scope: Setting['scope']
  name: string
  value: unknown
  valueOmitted: boolean
  changedAt: string
  changedBy: string | null
}

const sqlStoredSettings = (tx: Tx, scope: Setting['scope']) => sql`
  select ${scope}::text as scope, name, case when length(value::text) <= ${listedMaxLength} then value end as value,
    length(value::text) > ${listedMaxLength} as "valueOmitted", aldaba.iso_time(changed_at) as "changedAt", changed_by as "changedBy"
  from ${sqlStoredRows(tx, scope)}`

/** SQL: the stored settings of the transaction's workspace or environment; a condition may follow. */
function sqlStoredRows(tx: Tx, scope: Setting['scope']): RawBuilder<unknown> {
  return scope === 'workspace'
    ? sql`workspace_settings where workspace_id = aldaba.current_workspace()`
    : sql`environment_settings where tenant_id = ${getTenantId(tx)}`
}

function toRecord(setting: Setting, stored: StoredSetting | undefined): SettingRecord {
  const { name, scope, description, roles, schema } = setting
  const valueOmitted = stored?.valueOmitted ?? false
  return {
    name,
    scope,
    description,
    roles,
    schema,
    value: valueOmitted ? null : stored ? withDefaults(setting, stored.value) : setting.default,
    valueOmitted,
    isDefault: stored === undefined,
    changedAt: stored?.changedAt ?? null,
    changedBy: stored?.changedBy ?? null,
  }
}

function withDefaults<T extends TSchema>(setting: Setting<T>, stored: unknown): Static<T> {
  const value = isObject(stored) && isObject(setting.default) ? { ...setting.default, ...stored } : stored
  return value as Static<T>
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
