/** What a workspace, a key and their usage look like from outside. */
import { quotaNames } from '../../kit/quota-names.ts'
import { closed, id, nullable, oneOf, type Static, Type, time } from '../../kit/schema.ts'

export const Key = closed(
  {
    id: id('The key.'),
    name: Type.String(),
    environment: oneOf(['live', 'test']),
    scopes: Type.Array(Type.String(), { description: 'Empty: full access.' }),
    prefix: Type.String({ description: 'How its value begins.' }),
    last4: Type.String({ description: 'How its value ends.' }),
    createdAt: time('Created.'),
    createdBy: nullable(id('The user who created it.')),
    expiresAt: nullable(time('When it stops working.')),
    lastUsedAt: nullable(time('Last used, to the minute.')),
    revokedAt: nullable(time('When it was revoked.')),
  },
  { title: 'Key' },
)

const whole = nullable(Type.Integer({ minimum: 0 }))

export const Me = closed(
  {
    workspace: closed({
      id: id('The workspace.'),
      name: Type.String(),
      slug: Type.String(),
      timezone: Type.String({ description: 'IANA name.' }),
      country: Type.String({ description: 'ISO 3166-1 alpha-2.' }),
      currency: Type.String({ description: 'ISO 4217.' }),
      plan: Type.String(),
    }),
    key: Key,
    usage: closed({
      period: closed({
        start: time('First moment of the month, in the time zone of the workspace.'),
        end: time('First moment of the next.'),
      }),
      quotas: Type.Array(
        closed({
          name: oneOf(quotaNames),
          limit: { ...whole, description: 'Null: unlimited.' } as typeof whole,
          used: Type.Integer({ minimum: 0 }),
          remaining: whole,
          resetsAt: time('Renewed.'),
        }),
      ),
      rateLimit: closed({
        limit: Type.Integer({ description: 'Requests in the window.' }),
        windowSeconds: Type.Integer(),
      }),
    }),
    notices: Type.Array(
      closed({
        code: oneOf(['WEBHOOK_DISABLED']),
        message: Type.String({ description: 'What happened and what to do, for people.' }),
        objectId: id('What it is about.'),
        at: time('When it happened.'),
      }),
      { description: 'What somebody should look at, newest first; gone once it is seen to.' },
    ),
  },
  { title: 'Me' },
)

export type Me = Static<typeof Me>

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
        'The webhook to crm.example was disabled: Deliveries have failed for 5 days. Enable it and recover what it missed, or delete it.',
      objectId: '01980a4e-2222-7c3e-9d7a-2f6b1c0d9e8f',
      at: '2026-11-02T10:00:00.000Z',
    },
  ],
}
