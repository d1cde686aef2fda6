/** Prepares the objects of a route's path so that the route can be called. */
import { describeFeatures } from '../src/app.ts'
import { optOut } from '../src/features/privacy/service.ts'
import { sql } from '../src/kit/db/index.ts'
import { hashKeyValue } from '../src/kit/key.ts'
import { storeDraft } from './ai-replies.ts'
import { awaitConfirmation, beginAppointment } from './appointments.ts'
import type { TestApp } from './harness.ts'

/** Returns the tenant of a key. */
export async function findTenant({ database }: TestApp, key: string): Promise<string> {
  return (await database.findApiKey(hashKeyValue(key)))!.tenantId
}

/** By route path: prepares the object so that the route can be called. */
export const preparations: Record<string, (app: TestApp, key: string, id: string) => Promise<unknown>> = {
  // Ends the dry run, because no worker runs jobs here.
  '/leads/imports/{id}/start': async ({ database }, key, id) => {
    const holder = await database.findApiKey(hashKeyValue(key))
    await database.withTenant({ tenantId: holder!.tenantId }, tx =>
      sql`
        update imports set dry_run = true, status = 'COMPLETED', file_kept_until = now() + interval '1 hour'
        where tenant_id = ${holder!.tenantId} and id = ${id}`.execute(tx),
    )
  },
  '/scheduling/appointments/{id}/confirm': async (app, key, id) =>
    awaitConfirmation(app, await findTenant(app, key), id),
  // They have begun.
  '/scheduling/appointments/{id}/no-show': async (app, key, id) =>
    beginAppointment(app, await findTenant(app, key), id),
  '/scheduling/appointments/{id}/outcome': async (app, key, id) =>
    beginAppointment(app, await findTenant(app, key), id),
  // Only a queued message can be withdrawn.
  '/messages/{id}': async (app, key, id) => {
    const tenantId = await findTenant(app, key)
    await app.database.withTenant({ tenantId }, tx =>
      sql`
        update messages set status = 'queued', failure = null, failed_at = null
        where tenant_id = ${tenantId} and id = ${id}`.execute(tx),
    )
  },
  // The person asks for messages again, after an opt-out.
  '/messages/{id}/opt-in': async ({ database }, key, id) => {
    const { tenantId } = (await database.findApiKey(hashKeyValue(key)))!
    await database.ownerPool.query(
      `update aldaba.api_keys k set created_by = u.id
      from aldaba.users u join aldaba.tenants t using (workspace_id) where t.id = $1 and k.tenant_id = t.id`,
      [tenantId],
    )
    const author = { keyId: null, userId: null }
    const identity = { kind: 'phone', value: '+34612345678' } as const
    await database.withTenant({ tenantId }, async tx => {
      await optOut(tx, [identity], { channel: 'chat', note: null }, author)
      await sql`
        update messages set direction = 'in', status = 'received', content = '{"intent": "opt_in"}', created_at = now() + interval '1 hour'
        where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
      await sql`
        insert into conversation_identities (tenant_id, account_id, kind, value, conversation_id, last_seen_at)
        select tenant_id, account_id, ${identity.kind}, ${identity.value}, conversation_id, now() from messages
        where tenant_id = ${tenantId} and id = ${id} on conflict do nothing`.execute(tx)
    })
  },
  // Ready to start.
  '/conversations/{id}/ai': async (app, key, id) => storeDraft(app, await findTenant(app, key), id),
  '/campaigns/{id}/status': (app, key, id) => {
    const location = { id: 'barcelona', label: 'Barcelona' }
    const segmentation = { filters: { operation: 'sale', propertyType: 'homes', location } }
    const body = { platform: 'portal_a', mode: 'extract_only', segmentation }
    return app.call('PATCH', `/campaigns/${id}`, { key, body })
  },
  '/campaigns/{id}/widget': makeWidgetCampaign,
  '/campaigns/{id}/widget/key': makeWidgetCampaign,
  '/fichas/{id}/qr.svg': (app, key, id) => app.call('POST', `/fichas/${id}/share`, { key, body: {} }),
  '/leads/imports/{id}/undo': (app, key, id) => app.call('POST', `/leads/imports/${id}/cancel`, { key }),
  '/leads/imports/{id}': (app, key, id) => app.call('POST', `/leads/imports/${id}/cancel`, { key }),
  '/leads/{id}/merge': async ({ database }, key) => {
    const holder = await database.findApiKey(hashKeyValue(key))
    const { example } = describeFeatures()
      .flatMap(({ routes }) => routes)
      .find(route => route.operation === 'mergeLead')!
    await database.withTenant({ tenantId: holder!.tenantId }, tx =>
      sql`
        insert into leads (tenant_id, id, created_at, updated_at)
        values (${holder!.tenantId}, ${(example as { leadId: string }).leadId}, now(), now())
        on conflict do nothing`.execute(tx),
    )
  },
  '/leads/{id}/lawful-basis': (app, key, id) =>
    app.call('PUT', `/leads/${id}/lawful-basis`, { key, body: { kind: 'contract' } }),
  '/extractions/{id}/retry': (app, key, id) => app.call('POST', `/extractions/${id}/cancel`, { key }),
}

function makeWidgetCampaign(app: TestApp, key: string, id: string) {
  return app.call('PATCH', `/campaigns/${id}`, {
    key,
    body: { platform: 'widget', mode: 'extract_and_contact' },
  })
}
