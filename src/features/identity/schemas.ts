/** API schemas of the workspace, the key and the usage. */
import type { Quota } from '../../kit/quota.ts'
import { id, nullable, oneOf, type Static, strictObject, Type, time } from '../../kit/schema.ts'
import { roles } from '../../kit/settings/setting.ts'

export const Key = strictObject(
  {
    id: id('The key.'),
    name: Type.String({ description: 'The name of the key.' }),
    environment: oneOf(['live', 'test'], {
      description: 'The environment of the key: the key can access only its data.',
    }),
    scopes: Type.Array(Type.String(), { description: 'The scopes of the key; empty: all scopes.' }),
    prefix: Type.String({ description: 'The first characters of the value.' }),
    last4: Type.String({ description: 'The last four characters of the value.' }),
    createdAt: time('When it was created.'),
    createdBy: nullable(id('The user who created it; null: it was created on the command line.')),
    expiresAt: nullable(time('When it stops working; null: never.')),
    lastUsedAt: nullable(time('When it was last used, to the minute; null: never.')),
    revokedAt: nullable(time('When it was revoked; null: it is not revoked.')),
  },
  {
    title: 'Key',
    description: 'The API key of the request, without its value; null: the request has a session instead.',
  },
)

export const User = strictObject(
  {
    id: id('The user.'),
    email: Type.String({ description: 'The e-mail address, used to sign in.' }),
    name: Type.String({ description: 'The name.' }),
    role: oneOf(roles, {
      description: 'The role. Agents can do everything except webhooks and settings that need a higher role.',
    }),
  },
  { title: 'User', description: 'A user of the workspace.' },
)
export const userExample: Static<typeof User> = {
  id: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
  email: 'marta@soler.example',
  name: 'Marta Soler',
  role: 'agent',
}

export const Assignee = strictObject(
  {
    id: User.properties.id,
    name: User.properties.name,
    active: Type.Boolean({ description: 'False: their access was revoked. They get no e-mails.' }),
  },
  { title: 'Assignee', description: 'A user of the workspace, without the address and the role.' },
)

export const workspaceSchema = (description: string) =>
  strictObject(
    {
      id: id('The workspace.'),
      name: Type.String({ description: 'The name of the agency.' }),
      slug: Type.String({ description: 'The short name that commands use.' }),
      timezone: Type.String({ description: 'The time zone, by its IANA name.' }),
      country: Type.String({ description: 'The country, ISO 3166-1 alpha-2.' }),
      currency: Type.String({ description: 'The currency, ISO 4217.' }),
      plan: Type.String({ description: 'The plan of the workspace.' }),
    },
    { description },
  )

const units = (description: string) => nullable(Type.Integer({ minimum: 0, description }))

/** Makes the schema of the reply with these quotas. */
export const meSchema = (quotas: Quota[]) =>
  strictObject(
    {
      workspace: workspaceSchema('The workspace of the request.'),
      key: nullable(Key),
      usage: strictObject(
        {
          period: strictObject(
            {
              start: time('The start of the month, in the time zone of the workspace.'),
              end: time('The start of the next month.'),
            },
            { description: 'The month that the quotas count.' },
          ),
          quotas: Type.Array(
            strictObject({
              name: oneOf(
                quotas.map(({ name }) => name),
                { description: 'The quota.' },
              ),
              limit: units('The units allowed in a month; null: unlimited.'),
              used: Type.Integer({ minimum: 0, description: 'The units used in this month.' }),
              remaining: units('The units left in this month; null: unlimited.'),
              resetsAt: time('When the quota is renewed.'),
            }),
            { description: 'The monthly quotas of the environment.' },
          ),
          rateLimit: strictObject(
            {
              limit: Type.Integer({ description: 'The requests allowed in the window.' }),
              windowSeconds: Type.Integer({ description: 'The length of the window, in seconds.' }),
            },
            { description: 'The rate limit of the key.' },
          ),
        },
        { description: 'The usage and limits of the workspace.' },
      ),
      notices: Type.Array(
        strictObject({
          code: oneOf(['WEBHOOK_DISABLED'], { description: 'The type of the notice; stable, for programs.' }),
          message: Type.String({ description: 'What happened and what to do, for people.' }),
          objectId: id('The object of the notice: for `WEBHOOK_DISABLED`, the subscription.'),
          at: time('When it happened.'),
        }),
        { description: 'What needs attention, newest first. A notice goes away once its cause is solved.' },
      ),
    },
    { title: 'Me' },
  )

export type Me = Static<ReturnType<typeof meSchema>>

export const meExample: Me = {
  workspace: {
    id: '01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f',
    name: 'Inmobiliaria Soler',
    slug: 'soler',
    timezone: 'Europe/Madrid',
    country: 'ES',
    currency: 'EUR',
    plan: 'self-hosted',
  },
  key: {
    id: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
    name: 'CRM',
    environment: 'live',
    scopes: ['extractions:write', 'leads:read'],
    prefix: 'svc_live_',
    last4: '9xQz',
    createdAt: '2026-11-02T10:00:00.000Z',
    createdBy: null,
    expiresAt: null,
    lastUsedAt: '2026-11-02T10:05:00.000Z',
    revokedAt: null,
  },
  usage: {
    period: { start: '2026-10-31T23:00:00Z', end: '2026-11-30T23:00:00Z' },
    quotas: [
      {
        name: 'maxExtractionsPerMonth',
        limit: 100,
        used: 12,
        remaining: 88,
        resetsAt: '2026-11-30T23:00:00Z',
      },
    ],
    rateLimit: { limit: 600, windowSeconds: 60 },
  },
  notices: [
    {
      code: 'WEBHOOK_DISABLED',
      message:
        'The subscription to crm.example was disabled: Deliveries have failed for 5 days. Enable it and recover the missed events, or delete it.',
      objectId: '01980a4e-2222-7c3e-9d7a-2f6b1c0d9e8f',
      at: '2026-11-02T10:00:00.000Z',
    },
  ],
}
