/** Routes of the dashboard for settings. A role sees and changes only the settings that allow it. */
import type { Caller } from '../../kit/auth.ts'
import { type InputError, notFound, Problem, throwIfInvalid } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { strictObject, Type } from '../../kit/schema.ts'
import { checkValue, type Role, roles, type Setting } from '../../kit/settings/setting.ts'
import { getSetting, listSettings, readSetting, writeSetting } from '../../kit/settings/setting-store.ts'
import { SettingChanges, SettingList, SettingRecord } from './dashboard-schemas.ts'

const tag = 'Settings'
/** A setting may have up to 2,000,000 characters, such as a logo. */
const bodyMaxBytes = 2.5 * 1024 * 1024
const params = strictObject({ name: Type.String({ maxLength: 64, description: 'The setting.' }) })

const settingExample = {
  name: 'example',
  scope: 'workspace' as const,
  description: 'An example.',
  roles: { read: 'agent' as const, write: 'admin' as const },
  schema: { type: 'string' },
  value: 'a value',
  valueOmitted: false,
  isDefault: false,
  changedAt: '2026-11-02T10:00:00.000Z',
  changedBy: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
}

/** `settings`: the settings of all features. */
export function settingsRoutes(settings: Setting[]): Route[] {
  const readable = (caller: Caller) => settings.filter(each => hasRole(caller, each.roles.read))
  return [
    route({
      method: 'GET',
      path: '/settings',
      operation: 'listSettings',
      tag,
      summary: 'List the settings of the workspace and of the environment',
      scope: 'any',
      status: 200,
      reply: SettingList,
      replyExample: { data: [settingExample] },
      handle: async ({ caller, tx }) => ({ data: await listSettings(tx, readable(caller)) }),
    }),
    route({
      method: 'GET',
      path: '/settings/{name}',
      operation: 'getSetting',
      tag,
      summary: 'Retrieve a setting',
      scope: 'any',
      params,
      status: 200,
      reply: SettingRecord,
      replyExample: settingExample,
      async handle({ caller, params: { name }, tx }) {
        const found = readable(caller).find(each => each.name === name)
        if (!found) throw notFound('setting')
        const [record] = await listSettings(tx, [found])
        return { ...record!, value: await readSetting(tx, found), valueOmitted: false }
      },
    }),
    route({
      method: 'PATCH',
      path: '/settings',
      operation: 'changeSettings',
      tag,
      summary: 'Change settings',
      description: 'Omitted settings keep their value. The reply has the changed settings.',
      scope: 'any',
      body: SettingChanges,
      bodyMaxBytes,
      example: {},
      status: 200,
      reply: SettingList,
      replyExample: { data: [settingExample] },
      errors: ['INSUFFICIENT_SCOPE'],
      errorExamples: { INSUFFICIENT_SCOPE: 'Changing branding requires the role admin.' },
      async handle({ caller, body, tx }) {
        const changes = Object.entries(body as Record<string, unknown>)
        throwIfInvalid(changes.flatMap(([name, value]) => validateChange(settings, name, value)))
        const changed = changes.map(([name, value]) => ({ setting: getSetting(settings, name), value }))
        for (const { setting, value } of changed) {
          requireRole(caller, setting)
          await writeSetting(tx, setting, value, { userId: caller.userId })
        }
        return {
          data: await listSettings(
            tx,
            changed.map(({ setting }) => setting),
          ),
        }
      },
    }),
  ]
}

function validateChange(settings: Setting[], name: string, value: unknown): InputError[] {
  const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const setting = settings.find(each => each.name === name)
  if (!setting) return [{ path, code: 'UNKNOWN_FIELD', message: 'is not a known setting' }]
  return checkValue(setting, value).map(error => ({ ...error, path: path + error.path }))
}

const hasRole = ({ role }: Caller, required: Role) => roles.indexOf(role!) >= roles.indexOf(required)

function requireRole(caller: Caller, { name, roles: { write } }: Setting): void {
  if (hasRole(caller, write)) return
  throw new Problem('INSUFFICIENT_SCOPE', `Changing ${name} requires the role ${write}.`)
}
