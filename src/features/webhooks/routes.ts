/** Subscribing to events over HTTP. */
import { nowOf } from '../../kit/clock/clock.ts'
import type { Cipher } from '../../kit/crypto.ts'
import { notifyAtCommit } from '../../kit/db/changes.ts'
import type { Tx } from '../../kit/db/index.ts'
import type { EventDefinition } from '../../kit/events/event.ts'
import { eventBody } from '../../kit/events/event-body.ts'
import type { HttpClient } from '../../kit/http/client.ts'
import { jsonText } from '../../kit/json-text.ts'
import type { Metrics } from '../../kit/metrics.ts'
import { cutPage, pageOf, pageQuery, pageThrough } from '../../kit/page.ts'
import { type InputError, notFound, Problem, type ProblemType, refuseIfAny } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { closed, id, Type } from '../../kit/schema.ts'
import { disableWebhook, enableWebhook } from './disabling.ts'
import type { Catalogue } from './events.ts'
import { errorsOfHeaders } from './headers.ts'
import * as queries from './queries.ts'
import { CreatedWebhook, EventType, RotatedSecret, SecretRotation, type webhookSchemas } from './schemas.ts'
import { withFormer } from './secrets.ts'
import { subscriptionsTopic } from './sending/queries.ts'
import { newSecret } from './sending/signature.ts'
import { Webhook, webhookExample } from './webhook-schema.ts'

export interface WebhooksDependencies {
  http: HttpClient
  cipher: Cipher
  metrics: Metrics
  /** Those of the other features. */
  events: EventDefinition[]
  /** How long a receiver may take; 15 s unless told. */
  receiverTimeoutMs?: number | undefined
}

type Schemas = ReturnType<typeof webhookSchemas>

const tag = 'Webhooks'
const params = closed({ id: id('The subscription.') })
/** Every event is sent to each of them. */
const webhooksMax = 100

const tooManyWebhooks: ProblemType = {
  code: 'TOO_MANY_WEBHOOKS',
  status: 422,
  example: `There are ${webhooksMax} subscriptions already: delete one that is no longer used.`,
}
const secretExample = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

export function webhookRoutes(
  { cipher, http }: WebhooksDependencies,
  catalogue: Catalogue,
  schemas: Schemas,
): Route[] {
  return [
    createRoute(http, cipher, schemas),
    route({
      method: 'GET',
      path: '/webhooks',
      operation: 'listWebhooks',
      tag,
      summary: 'List subscriptions, newest first',
      scope: 'webhooks:read',
      query: closed(pageQuery),
      status: 200,
      reply: pageOf(Webhook),
      replyExample: { data: [webhookExample], nextCursor: null },
      errors: ['INVALID_CURSOR'],
      async handle({ query, caller, tx }) {
        const list = pageThrough('webhooks', caller.tenantId, query)
        return list.reply(await queries.listWebhooks(tx, query.limit, list.after))
      },
    }),
    eventTypesRoute(catalogue),
    route({
      method: 'GET',
      path: '/webhooks/{id}',
      operation: 'getWebhook',
      tag,
      summary: 'Get a subscription',
      scope: 'webhooks:read',
      params,
      status: 200,
      reply: Webhook,
      replyExample: webhookExample,
      handle: async ({ params, tx }) => jsonText(found(await queries.findWebhook(tx, params.id))),
    }),
    updateRoute(http, cipher, schemas),
    route({
      method: 'DELETE',
      path: '/webhooks/{id}',
      operation: 'deleteWebhook',
      tag,
      summary: 'Delete a subscription',
      description: 'Pending deliveries are dropped.',
      scope: 'webhooks:write',
      params,
      status: 204,
      reply: Type.Null(),
      async handle({ params, tx }) {
        if (!(await queries.deleteWebhook(tx, params.id))) throw notFound('subscription')
        await notifySender(tx, params.id)
        return null
      },
    }),
    rotateRoute(cipher),
  ]
}

function createRoute(http: HttpClient, cipher: Cipher, { NewWebhook }: Schemas): Route {
  return route({
    method: 'POST',
    path: '/webhooks',
    operation: 'createWebhook',
    tag,
    summary: 'Subscribe to events',
    description: `The reply contains the secret that verifies signatures; it is shown only once. At most ${webhooksMax} subscriptions are allowed.`,
    scope: 'webhooks:write',
    body: NewWebhook,
    example: { url: webhookExample.url, events: webhookExample.events, description: 'CRM' },
    status: 201,
    reply: CreatedWebhook,
    replyExample: { ...webhookExample, secret: secretExample },
    errors: [tooManyWebhooks],
    check: ({ body }) => errorsOfTarget(http, body),
    findErrors: ({ body }) => findErrorsOfHost(http, body.url),
    isOutgoing: true,
    prepare: async ({ body }) => refuseIfAny(await findErrorsOfHost(http, body.url)),
    async handle({ body, tx }) {
      const { url, events = ['*'], description = null, headers = {} } = body
      if ((await queries.countWebhooks(tx)) >= webhooksMax)
        throw new Problem(tooManyWebhooks, tooManyWebhooks.example)
      const secret = newSecret()
      const webhookId = await queries.insertWebhook(tx, {
        ...{ url, events, description, secret: cipher.encrypt(secret) },
        ...storedHeaders(cipher, headers),
      })
      return { ...JSON.parse((await queries.findWebhook(tx, webhookId))!), secret }
    },
  })
}

function updateRoute(http: HttpClient, cipher: Cipher, { WebhookChanges }: Schemas): Route {
  return route({
    method: 'PATCH',
    path: '/webhooks/{id}',
    operation: 'updateWebhook',
    tag,
    summary: 'Update, disable or enable a subscription',
    description: 'Omitted fields keep their value; `headers` replaces all headers.',
    scope: 'webhooks:write',
    params,
    body: WebhookChanges,
    example: { events: ['lead.created', 'lead.updated'] },
    status: 200,
    reply: Webhook,
    replyExample: { ...webhookExample, events: ['lead.created', 'lead.updated'] },
    check: ({ body }) => errorsOfTarget(http, body),
    findErrors: ({ body }) => findErrorsOfHost(http, body.url),
    isOutgoing: true,
    prepare: async ({ body }) => refuseIfAny(await findErrorsOfHost(http, body.url)),
    async handle({ params, body, tx }) {
      const { status, headers, ...changes } = body
      const stored = { ...changes, ...(headers ? storedHeaders(cipher, headers) : {}) }
      found(await queries.lockWebhook(tx, params.id))
      if (Object.keys(stored).length > 0) await queries.updateWebhook(tx, params.id, stored)
      if (status === 'disabled') await disableWebhook(tx, params.id, 'user')
      if (status === 'enabled') await enableWebhook(tx, params.id)
      await notifySender(tx, params.id)
      return jsonText((await queries.findWebhook(tx, params.id))!)
    },
  })
}

function rotateRoute(cipher: Cipher): Route {
  return route({
    method: 'POST',
    path: '/webhooks/{id}/rotate-secret',
    operation: 'rotateWebhookSecret',
    tag,
    summary: 'Rotate the signing secret',
    description:
      'For `overlapHours`, each message carries a signature with the old and with the new secret, so that you can update the receiver without losing messages.',
    scope: 'webhooks:write',
    params,
    body: SecretRotation,
    example: { overlapHours: 24 },
    status: 200,
    reply: RotatedSecret,
    replyExample: { secret: secretExample, formerSecretUntil: '2026-11-03T10:00:00.000Z' },
    async handle({ params, body, tx }) {
      const overlapHours = body.overlapHours ?? 24
      const webhook = found(await queries.lockWebhook(tx, params.id))
      const now = nowOf(tx)
      const until = new Date(now.getTime() + overlapHours * 3_600_000)
      const secret = newSecret()
      await queries.storeSecrets(tx, params.id, {
        secret: cipher.encrypt(secret),
        formerSecrets: await withFormer(cipher, webhook.formerSecrets, {
          secret: await cipher.decrypt(webhook.secret),
          ...{ until, now },
        }),
      })
      await notifySender(tx, params.id)
      return { secret, formerSecretUntil: overlapHours > 0 ? until.toISOString() : null }
    },
  })
}

function eventTypesRoute(catalogue: Catalogue): Route {
  const events = [...catalogue.values()]
  return route({
    method: 'GET',
    path: '/webhooks/event-types',
    operation: 'listEventTypes',
    tag,
    summary: 'List the types of events, with the schema and an example of each message',
    scope: 'webhooks:read',
    status: 200,
    query: closed(pageQuery),
    reply: pageOf(EventType),
    replyExample: { data: events.slice(0, 1).map(describeEvent), nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller }) {
      const list = pageThrough('webhooks/event-types', caller.tenantId, query)
      const { page, last } = cutPage(events, list, query.limit, ({ type }) => type)
      return list.reply({ json: JSON.stringify(page.map(describeEvent)), last })
    },
  })
}

function describeEvent(event: EventDefinition) {
  return { type: event.type, summary: event.summary, ...eventBody(event) }
}

/** Longer than a name that somebody uses takes to be resolved; what is not known by then is checked when it is called. */
const resolvingMaxMs = 2000

async function findErrorsOfHost(http: HttpClient, url: string | undefined): Promise<InputError[]> {
  if (url === undefined) return []
  return errorsOfRefusal(await http.findRefusal(url, { timeoutMs: resolvingMaxMs }))
}

function errorsOfRefusal(refusal: string | null): InputError[] {
  if (!refusal) return []
  return [{ path: '/url', code: 'ADDRESS_REFUSED', message: `This address can't be called: ${refusal}.` }]
}

/** What the URL and the headers themselves show; the host is resolved after that. */
function errorsOfTarget(
  http: HttpClient,
  { url, headers = {} }: { url?: string; headers?: Record<string, string> },
): InputError[] {
  return [...errorsOfRefusal(url === undefined ? null : http.refusal(url)), ...errorsOfHeaders(headers)]
}

function storedHeaders(
  cipher: Cipher,
  headers: Record<string, string>,
): { headers: Buffer | null; header_names: string[] } {
  const names = Object.keys(headers).sort()
  return {
    headers: names.length === 0 ? null : cipher.encrypt(JSON.stringify(headers)),
    header_names: names,
  }
}

/** What is being sent right now ends as it began; all else is sent as it is now. */
const notifySender = (tx: Tx, webhookId: string) => notifyAtCommit(tx, `${subscriptionsTopic} ${webhookId}`)

function found<T>(webhook: T | null): T {
  if (webhook === null) throw notFound('subscription')
  return webhook
}
