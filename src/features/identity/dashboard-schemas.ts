/** What signing in and settings look like from outside. */

import { byName, id, nullable, oneOf, type Static, strictObject, Type, time } from '../../kit/schema.ts'
import { roles } from '../../kit/settings/setting.ts'
import { workspaceSchema } from './schemas.ts'

/** NIST SP 800-63B-4, section 3.1.1.2, and OWASP: 15 characters where a password is all there is, any of them, up to 64 at least. */
const password = Type.String({
  minLength: 15,
  maxLength: 256,
  description: 'The password: 15 characters or more, of any kind.',
})
const token = Type.String({ pattern: '^[\\w-]{43}$', description: 'The token that the operator handed out.' })
const email = Type.String({ minLength: 3, maxLength: 320, description: 'The e-mail address of the user.' })

export const NewSession = strictObject(
  {
    email,
    password: Type.String({ minLength: 1, maxLength: 256, description: 'The password of the user.' }),
    workspace: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'The slug of the workspace. Needed if you work in several of this service.',
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
    user: strictObject(
      {
        id: id('The user.'),
        email: Type.String({ description: 'The e-mail address that they sign in with.' }),
        name: Type.String({ description: 'Their name.' }),
        role: oneOf(roles, {
          description: 'What they may do: agents all but webhooks and what the settings keep for others.',
        }),
      },
      { description: 'The person who is signed in.' },
    ),
    workspace: workspaceSchema('The workspace that they work in.'),
    environments: Type.Array(environment, {
      description: 'What the header `X-Environment` may name; without it a request is for live.',
    }),
    createdAt: time('When they signed in.'),
    expiresAt: time(
      'When they have to sign in again, at the latest. A session that is not used for 24 hours ends as well.',
    ),
  },
  { title: 'Session' },
)
export type Session = Static<typeof Session>
export const sessionExample: Session = {
  user: {
    id: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
    email: 'marta@soler.example',
    name: 'Marta Soler',
    role: 'agent',
  },
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

const settingRole = (what: string) => oneOf(roles, { description: `The least role that may ${what} it.` })

export const SettingRecord = strictObject(
  {
    name: Type.String({ description: 'The name.' }),
    scope: oneOf(['workspace', 'environment'], { description: 'Whether live and test share the value.' }),
    description: Type.String({ description: 'What it is for.' }),
    roles: strictObject({ read: settingRole('read'), write: settingRole('change') }),
    schema: Type.Unknown({ description: 'The JSON Schema of the value.' }),
    value: Type.Unknown({ description: 'The value; null if `valueOmitted`.' }),
    valueOmitted: Type.Boolean({ description: 'The value is too large for a list: get the setting alone.' }),
    isDefault: Type.Boolean({ description: 'Nobody has set it.' }),
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
  description: 'New values by the names of settings. All of them are changed, or none.',
})
