/** Sample public routes of every kind: a page with a form, a widget for other sites, an inbound webhook. */
import { type Database, sql } from '../src/kit/db/index.ts'
import { isSignatureValid } from '../src/kit/http/hub-signature.ts'
import { newId } from '../src/kit/id.ts'
import { hashKeyValue } from '../src/kit/key.ts'
import { Problem } from '../src/kit/problem.ts'
import { formBody, jsonBody, rawBody } from '../src/kit/public-body.ts'
import { type PublicRoute, publicRoute } from '../src/kit/public-route.ts'
import { strictObject, Type } from '../src/kit/schema.ts'

export const agencyOrigin = 'https://agency.example'
export const hookSecret = 'the secret of the ad network'

/** The token is a key, whose tenant is read from the database. */
async function findKeyByToken(database: Database, token: string) {
  const key = await database.findApiKey(hashKeyValue(token))
  return key && !key.revokedAt ? { tenantId: key.tenantId, name: key.id } : null
}

const page = (body: string, status: 200 | 422 = 200) => ({ type: 'text/html' as const, body, status })

const booking = publicRoute({
  path: '/form/{token}',
  kind: 'page',
  findResource: findKeyByToken,
  async get({ query }) {
    return page(query.has('done') ? '<p>Booked</p>' : '<form method="post"><input name="name"></form>')
  },
  post: {
    body: formBody({ maxBytes: 1000 }),
    async handle({ body }) {
      const names = body.getAll('name')
      return names.some(name => name !== '') ? { redirect: '?done' } : page('<p>Your name?</p>', 422)
    },
  },
})

const widget = publicRoute({
  path: '/widget/{token}/leads',
  kind: 'json',
  findResource: findKeyByToken,
  origins: () => [agencyOrigin],
  post: {
    body: jsonBody(strictObject({ email: Type.String({ format: 'email' }) }), { maxBytes: 1000 }),
    handle: async ({ body, resource }) => ({ json: { ...body, tenantId: resource.tenantId }, status: 201 }),
  },
})

const hook = publicRoute({
  path: '/hooks/{token}',
  kind: 'plain',
  limits: { token: 600 },
  findResource: findKeyByToken,
  get: async ({ query }) => ({ text: query.get('hub.challenge') ?? '' }),
  post: {
    body: rawBody({ maxBytes: 100_000 }),
    async handle({ database, resource, body, headers }) {
      if (!isSignatureValid(body, headers['x-hub-signature-256'], hookSecret))
        throw new Problem('UNAUTHENTICATED', 'The signature is not that of this body.')
      await database.withTenant(resource, tx =>
        sql`insert into hook_bodies (tenant_id, id, body) values (${resource.tenantId}, ${newId()}, ${body})`.execute(
          tx,
        ),
      )
      return { text: 'ok', status: 202 }
    },
  },
})

export const samples: PublicRoute[] = [booking, widget, hook]

/** Makes the table in which the webhook sample stores the received bodies. */
export async function makeHookTable({ ownerPool }: Database): Promise<void> {
  await ownerPool.query(`
    create table hook_bodies (tenant_id uuid not null, id uuid not null, body bytea not null, primary key (tenant_id, id));
    call isolate_tenant_table('hook_bodies')`)
}
