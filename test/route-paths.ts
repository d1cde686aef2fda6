/** Calls any route: makes the objects of its path first, and sends its own example. */

import { expect } from 'vitest'
import { describeFeatures } from '../src/app.ts'
import { conversationExample } from '../src/features/messaging/conversations/schemas.ts'
import { submissionExample } from '../src/features/templates/examples.ts'
import { sql } from '../src/kit/db/index.ts'
import { newId } from '../src/kit/id.ts'
import { hashKeyValue } from '../src/kit/key.ts'
import { toCodeAndStatus } from '../src/kit/problem.ts'
import type { Route } from '../src/kit/route.ts'
import { listProblems } from '../src/kit/route-refusals.ts'
import { storeAdConnection, storeLeadForm } from './ads.ts'
import { storeAgenda, storeAgent, storeCalendar } from './agents.ts'
import { storeDraft } from './ai-replies.ts'
import { storeAppointment, storeBookable } from './appointments.ts'
import {
  storeApprovingAccount,
  storeConversation,
  storeFailedMessage,
  storeLabel,
  storeTask,
} from './conversations.ts'
import { toExampleRequest } from './example-requests.ts'
import { addPhoto, storeFicha } from './fichas.ts'
import type { CallOptions, Reply, TestApp } from './harness.ts'
import { makeLeads } from './make.ts'
import { fillMarket, makeListingsAround } from './market.ts'
import { drawImage } from './media.ts'
import { findTenant, preparations } from './route-preparations.ts'

/**
 * Makes the object of a path parameter in the tenant of a key. `parentPath` is the path before it, with existing ids.
 */
type Maker = (app: TestApp, key: string, parentPath: string) => Promise<string>

/** Objects that are not made by a POST of the example to the parent path. */
const makers: Record<string, Maker> = {
  '/extractions/{id}': (app, key) => createObject(app, key, '/extractions', reply => reply.extractionId),
  '/leads/{id}': async ({ database }, key) => {
    const holder = await database.findApiKey(hashKeyValue(key))
    return (await makeLeads(database, holder!.tenantId, [{}]))[0]!
  },
  // Creates a lead, so that the feed has an event.
  '/events/{id}': (app, key) => createObject(app, key, '/leads', ({ id }) => id),
  // An id with characters that separate paths.
  '/leads/by-external-id/{externalId}': async (app, key) => {
    const externalId = `crm/${newId()}`
    const reply = await app.call('POST', '/leads', { key, body: { externalId } })
    if (reply.status !== 201) throw new Error(`POST /leads answered ${reply.status}: ${reply.text}`)
    return encodeURIComponent(externalId)
  },
  // A stored operation that no worker runs, so that it stays pending.
  '/leads/operations/{id}': async ({ database }, key) => {
    const holder = await database.findApiKey(hashKeyValue(key))
    const operationId = newId()
    await database.withTenant({ tenantId: holder!.tenantId }, tx =>
      sql`
        insert into lead_operations (tenant_id, id, kind, selection, last_lead_id, created_at)
        values (${holder!.tenantId}, ${operationId}, 'delete', '{"ids": []}', ${operationId}, now())`.execute(
        tx,
      ),
    )
    return operationId
  },
  '/campaigns/{id}/runs/{runId}': async ({ database }, key, parentPath) => {
    const { tenantId } = (await database.findApiKey(hashKeyValue(key)))!
    const runId = newId()
    await database.withTenant({ tenantId }, tx =>
      sql`
        insert into campaign_runs (tenant_id, id, campaign_id, status, incremental, started_at, finished_at)
        values (${tenantId}, ${runId}, ${parentPath.split('/')[2]}, 'completed', false, now(), now())`.execute(
        tx,
      ),
    )
    return runId
  },
  '/campaigns/{id}/recipients/{recipientId}': async ({ database }, key, parentPath) => {
    const { tenantId } = (await database.findApiKey(hashKeyValue(key)))!
    const recipientId = newId()
    await database.withTenant({ tenantId }, tx =>
      sql`
        insert into campaign_recipients (tenant_id, id, campaign_id, status, joined_at, updated_at)
        values (${tenantId}, ${recipientId}, ${parentPath.split('/')[2]}, 'waiting', now(), now())`.execute(
        tx,
      ),
    )
    return recipientId
  },
  '/campaigns/{id}/digests/{digestId}': async ({ database }, key, parentPath) => {
    const { tenantId } = (await database.findApiKey(hashKeyValue(key)))!
    const digestId = newId()
    await database.withTenant({ tenantId }, tx =>
      sql`
        insert into campaign_digests (tenant_id, id, campaign_id, due_at, until_id, types, counts, created_at)
        values (${tenantId}, ${digestId}, ${parentPath.split('/')[2]}, now(), ${digestId}, '{new}',
          '{ "new": 1, "cheaper": 0, "gone": 0 }', now())`.execute(tx),
    )
    return digestId
  },
  '/leads/{id}/merges/{mergeId}': async (app, key, parentPath) => {
    const holder = await app.database.findApiKey(hashKeyValue(key))
    const [leadId] = await makeLeads(app.database, holder!.tenantId, [{}])
    const lead = parentPath.slice(0, parentPath.lastIndexOf('/'))
    const { body } = await app.call<{ mergeId: string }>('POST', `${lead}/merge`, { key, body: { leadId } })
    return body.mergeId
  },
  '/leads/{id}/duplicates/{otherLeadId}': async ({ database }, key, parentPath) => {
    const { tenantId } = (await database.findApiKey(hashKeyValue(key)))!
    const [otherLeadId] = await makeLeads(database, tenantId, [{}])
    const pair = { lead_id: parentPath.split('/')[2]!, other_lead_id: otherLeadId! }
    await database.withTenant({ tenantId }, tx =>
      tx
        .insertInto('lead_duplicates')
        .values({ tenant_id: tenantId, ...pair, score: 1, reason: 'same address', created_at: new Date() })
        .execute(),
    )
    return otherLeadId!
  },
  '/platforms/{platform}': async () => 'portal_a',
  // An account that live has too.
  '/accounts/{id}': async (app, key) => {
    const { body } = await app.call<{ id: string }>('POST', '/accounts', {
      key,
      body: {
        provider: 'manual_email',
        displayName: 'Ana',
        credentials: { address: `${newId()}@agency.example` },
      },
    })
    return body.id
  },
  // An image, because only images have a preview.
  '/media/{id}': async (app, key) => {
    const rawBody = await drawImage(20, 10)
    const { body } = await app.call<{ id: string }>('POST', '/media', {
      key,
      rawBody,
      contentType: 'image/png',
    })
    return body.id
  },
  '/sandbox/listings/{listingId}': async ({ app }) => [...(await app.getSimulator()).listings][0]!.id,
  '/conversations/{id}': async (app, key) => storeConversation(app, await findTenant(app, key)),
  '/ai-replies/{id}': async (app, key) => {
    const tenantId = await findTenant(app, key)
    return storeDraft(app, tenantId, await storeConversation(app, tenantId))
  },
  '/conversations/labels/{id}': async (app, key) => storeLabel(app, await findTenant(app, key)),
  '/messages/{id}': async (app, key) => storeFailedMessage(app, await findTenant(app, key)),
  '/messaging/tasks/{id}': async (app, key) => storeTask(app, await findTenant(app, key)),
  // Stored, because in live the network itself would answer.
  '/ads/connections/{id}': async (app, key) => storeAdConnection(app, await findTenant(app, key)),
  '/ads/connections/{id}/forms/{formId}': async (app, key, parentPath) => {
    await storeLeadForm(app, await findTenant(app, key), parentPath.split('/')[3]!)
    return '1'
  },
  '/scheduling/calendars/{id}': storeCalendar,
  '/scheduling/appointments/{id}': async (app, key) => storeAppointment(app, await findTenant(app, key)),
  '/scheduling/holds/{id}': async (app, key) => {
    const eventTypeId = await createObject(app, key, '/scheduling/event-types', ({ id }) => id)
    const path = `/scheduling/event-types/${eventTypeId}/holds`
    return createObject(app, key, '/scheduling/event-types/{id}/holds', ({ id }) => id, path)
  },
  '/suppressions/{id}': (app, key) =>
    createObject(app, key, '/suppressions', ({ data }) => (data as unknown as { id: string }[])[0]!.id),
  '/fichas/{id}/photos/{photo}': async (app, key, parentPath) => {
    await addPhoto(app, parentPath.split('/')[2]!, key)
    return '1'
  },
  // Stored, because no worker makes sheets here.
  '/fichas/{id}': async (app, key) => {
    const holder = await app.database.findApiKey(hashKeyValue(key))
    return storeFicha(app, holder!.tenantId)
  },
  '/valuations/{id}': async (app, key) => {
    await fillMarketFor(app, key)
    return createObject(app, key, '/valuations', ({ id }) => id)
  },
  '/webhooks/{id}/deliveries/{deliveryId}': (app, key, parentPath) =>
    createObject(app, key, '/webhooks/{id}/test', ({ id }) => id, parentPath.replace(/deliveries$/, 'test')),
}

async function createObject(
  app: TestApp,
  key: string,
  path: string,
  getId: (reply: Record<string, string>) => string | undefined,
  parentPath = path,
): Promise<string> {
  const creation = describeFeatures()
    .flatMap(({ routes }) => routes)
    .find(route => route.method === 'POST' && route.path === path)
  if (!creation) throw new Error(`add to test/route-paths.ts how to make the object of ${path}/{id}`)
  await storeExampleAgent(app, key, creation)
  const reply = await app.call<Record<string, string>>('POST', parentPath, {
    key,
    ...toExampleRequest(creation),
  })
  if (reply.status !== creation.status)
    throw new Error(`POST ${parentPath} answered ${reply.status}: ${reply.text}`)
  return getId(reply.body)!
}

/** Makes the object of the last path parameter, such as `/leads/{id}`. Returns its id. */
export function makeResource(app: TestApp, key: string, path: string, parentPath: string): Promise<string> {
  const maker = makers[path]
  if (maker) return maker(app, key, parentPath)
  return createObject(app, key, path.slice(0, path.lastIndexOf('/')), ({ id }) => id, parentPath)
}

/** The examples that create something of scheduling name an agent. */
async function storeExampleAgent(
  app: TestApp,
  key: string,
  { path, method }: Pick<Route, 'path' | 'method'>,
): Promise<void> {
  if (path.startsWith('/scheduling/') && method === 'POST') await storeAgent(app, key)
}

/** Stores listings that the example is compared with. */
async function fillMarketFor({ database }: TestApp, key: string): Promise<void> {
  const { environment } = (await database.findApiKey(hashKeyValue(key)))!
  await fillMarket(database, environment, makeListingsAround({ latitude: 41.3917, longitude: 2.1611 }))
}

/** Makes the objects of a route's path in the tenant of a key. Returns the path. */
export async function makePath(
  app: TestApp,
  { path, method, operation }: Route,
  key: string,
): Promise<string> {
  if (path === '/valuations' && method === 'POST') await fillMarketFor(app, key)
  // Its example names an event type.
  if (operation === 'bookAppointment') await storeBookable(app, await findTenant(app, key))
  // Its example names an agenda.
  if (operation === 'createCalendar') await storeAgenda(app, key)
  await storeExampleAgent(app, key, { path, method })
  // Its example names an account and a lead.
  if (path === '/conversations' && method === 'POST')
    await storeConversation(
      app,
      await findTenant(app, key),
      conversationExample as { accountId: string; leadId: string },
    )
  // Their examples name an account.
  if (operation === 'submitTemplate' || operation === 'syncTemplates')
    await storeApprovingAccount(app, await findTenant(app, key), submissionExample.accountId)
  let resolved = path
  for (const [parameter] of path.matchAll(/\{\w+\}/g)) {
    const prefix = path.slice(0, path.indexOf(parameter) + parameter.length)
    const id = await makeResource(app, key, prefix, resolved.slice(0, resolved.indexOf(`/${parameter}`)))
    await preparations[path]?.(app, key, id)
    resolved = resolved.replace(parameter, id)
  }
  return resolved
}

/** The path of a route with unknown ids. */
export const toUnknownPath = ({ path }: Route) => path.replaceAll(/\{\w+\}/g, () => newId())

/** Routes with their names, for `describe.each`. */
export const withNames = (routeList: Route[]) =>
  routeList.map(route => [`${route.method} ${route.path}`, route] as const)

export interface ProblemBody {
  code: string
  message: string
  errors: { path: string; code: string }[]
}

/** Calls a route; an error that the route does not declare fails the test. */
export async function sendTo(
  app: TestApp,
  route: Route,
  path: string,
  options: CallOptions,
): Promise<Reply<ProblemBody>> {
  const reply = await app.call<ProblemBody>(route.method, path, options)
  if (reply.status >= 400) expect(listProblemCodes(route)).toContain(reply.body.code)
  return reply
}

/** Every error code that the route declares. */
export function listProblemCodes(route: Route): string[] {
  return listProblems(route).map(problem => toCodeAndStatus(problem).code)
}
