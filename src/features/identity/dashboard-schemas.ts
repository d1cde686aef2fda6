/** API schemas of sessions and settings. */

import { byName, id, nullable, oneOf, type Static, strictObject, Type, time } from '../../kit/schema.ts'
import { roles } from '../../kit/settings/setting.ts'
import { User, userExample, workspaceSchema } from './schemas.ts'

/**
 * By NIST SP 800-63B-4, section 3.1.1.2, and OWASP: at least 15 characters if the password is the only factor, any
 * characters, and at least 64 accepted.
 */
const password = Type.String({
  minLength: 15,
  maxLength: 256,
  description: 'The password: at least 15 characters, of any kind.',
})
const token = Type.String({ pattern: '^[\\w-]{43}$', description: 'The token that the operator gave you.' })
const email = Type.String({ minLength: 3, maxLength: 320, description: 'The e-mail address of the user.' })

export const NewSession = strictObject(
  {
    email,
    password: Type.String({ minLength: 1, maxLength: 256, description: 'The password of the user.' }),
    workspace: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'The slug of the workspace. Required if you are a user of several workspaces.',
      }),
    ),
  },
  { title: 'NewSession' },
)
export const newSessionExample: Static<typeof NewSession> = {
  email: 'marta@soler.example',
  password: 'four words nobody guesses',
}

export const NewPassword = strictObject({ token, password }, { title: 'NewPassword' })
export const newPasswordExample: Static<typeof NewPassword> = {
  token: 'Zk3v1n0aQ8s5WmB2tY7uXc4dE6fG9hJ-_pLrKoIiNqM',
  password: 'four words nobody guesses',
}

const environment = oneOf(['live', 'test'])

export const Session = strictObject(
  {
    user: User,
    workspace: workspaceSchema('The workspace of the session.'),
    environments: Type.Array(environment, {
      description: 'The values of the header `X-Environment`; without it, a request is for live.',
    }),
    createdAt: time('When the user signed in.'),
    expiresAt: time(
      'When the session ends and the user must sign in again. A session not used for 24 hours ends earlier.',
    ),
  },
  { title: 'Session' },
)
export type Session = Static<typeof Session>
export const sessionExample: Session = {
  user: userExample,
  workspace: {
    id: '01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f',
    name: 'Inmobiliaria Soler',
    slug: 'soler',
    timezone: 'Europe/Madrid',
    country: 'ES',
    currency: 'EUR',
    plan: 'self-hosted',
  },
  environments: ['live', 'test'],
  createdAt: '2026-11-02T10:00:00.000Z',
  expiresAt: '2026-12-02T10:00:00.000Z',
}

const settingRole = (what: string) => oneOf(roles, { description: `The lowest role that may ${what} it.` })

export const SettingRecord = strictObject(
  {
    name: Type.String({ description: 'The name.' }),
    scope: oneOf(['workspace', 'environment'], {
      description: '`workspace`: live and test share the value; `environment`: each has its own.',
    }),
    description: Type.String({ description: 'The purpose of the setting.' }),
    roles: strictObject({ read: settingRole('read'), write: settingRole('change') }),
    schema: Type.Unknown({ description: 'The JSON Schema of the value.' }),
    value: Type.Unknown({ description: 'The value; null if `valueOmitted`.' }),
    valueOmitted: Type.Boolean({
      description: 'true: the value is too large for a list; get this setting to read it.',
    }),
    isDefault: Type.Boolean({ description: 'true: the setting was never set.' }),
    changedAt: nullable(time('When it was changed; null: never.')),
    changedBy: nullable(id('The user who changed it; null: nobody, or the operator.')),
  },
  { title: 'Setting' },
)

export const SettingList = strictObject(
  { data: Type.Array(SettingRecord, { description: 'The settings that your role may read.' }) },
  { title: 'SettingList' },
)

export const SettingChanges = byName(Type.Unknown(), 64, {
  title: 'SettingChanges',
  description: 'The new values by the names of the settings. Either all are changed or none.',
})
