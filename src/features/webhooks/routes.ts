/** Webhook subscriptions over HTTP. */
import { getNow } from '../../kit/clock/clock.ts'
import type { Cipher } from '../../kit/crypto.ts'
import type { Tx } from '../../kit/db/index.ts'
import { notifyOnCommit } from '../../kit/db/notifications.ts'
import type { EventDefinition } from '../../kit/events/event.ts'
import { toEventSchema } from '../../kit/events/event-schema.ts'
import type { HttpClient } from '../../kit/http/client.ts'
import { toJsonText } from '../../kit/json-text.ts'
import type { Metrics } from '../../kit/metrics.ts'
import { createPager, pageQuery, pageSchema, slicePage } from '../../kit/page.ts'
import { type InputError, notFound, Problem, type ProblemType, throwIfInvalid } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { id, strictObject, Type } from '../../kit/schema.ts'
import type { Catalogue } from './events.ts'
import { validateHeaders } from './headers.ts'
import * as queries from './queries.ts'
import {
  CreatedSubscription,
  EventType,
  RotatedSecret,
  SecretRotation,
  type webhookSchemas,
} from './schemas.ts'
import { addPreviousSecret } from './secrets.ts'
import { subscriptionsTopic } from './sending/queries.ts'
import { newSecret } from './sending/signature.ts'
import { Subscription, subscriptionExample } from './subscription-schema.ts'
import { disableSubscription, enableSubscription } from './subscription-status.ts'

export interface WebhooksDependencies {
  http: HttpClient
  cipher: Cipher
  metrics: Metrics
  /** The events of the other features. */
  events: EventDefinition[]
  /** The timeout of a request to a receiver; default: 15 s. */
  receiverTimeoutMs?: number | undefined
}

type Schemas = ReturnType<typeof webhookSchemas>

const tag = 'Webhooks'
const params = strictObject({ id: id('The subscription.') })
/** Limited because every event may be sent to each of them. */
const subscriptionsMax = 100

const tooManySubscriptions: ProblemType = {
  code: 'TOO_MANY_WEBHOOKS',
  status: 422,
  meaning: 'The environment has as many subscriptions as it may.',
  action: 'Delete a subscription that is no longer used.',
  example: `There are ${subscriptionsMax} subscriptions already, the maximum. Delete one that is no longer used.`,
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
      operation: 'listSubscriptions',
      tag,
      summary: 'List subscriptions, newest first',
      scope: 'webhooks:read',
      query: strictObject(pageQuery),
      status: 200,
      reply: pageSchema(Subscription),
      replyExample: { data: [subscriptionExample], nextCursor: null },
      errors: ['INVALID_CURSOR'],
      async handle({ query, caller, tx }) {
        const pager = createPager('webhooks', caller.tenantId, query)
        return pager.reply(await queries.listSubscriptions(tx, query.limit, pager.after))
      },
    }),
    eventTypesRoute(catalogue),
    route({
      method: 'GET',
      path: '/webhooks/{id}',
      operation: 'getSubscription',
      tag,
      summary: 'Retrieve a subscription',
      scope: 'webhooks:read',
      params,
      status: 200,
      reply: Subscription,
      replyExample: subscriptionExample,
      handle: async ({ params, tx }) =>
        toJsonText(assertFound(await queries.findSubscription(tx, params.id))),
    }),
    updateRoute(http, cipher, schemas),
    route({
      method: 'DELETE',
      path: '/webhooks/{id}',
      operation: 'deleteSubscription',
      tag,
      summary: 'Delete a subscription',
      description: 'Pending deliveries are dropped.',
      scope: 'webhooks:write',
      params,
      status: 204,
      reply: Type.Null(),
      async handle({ params, tx }) {
        if (!(await queries.deleteSubscription(tx, params.id))) throw notFound('subscription')
        await notifySender(tx, params.id)
        return null
      },
    }),
    rotateRoute(cipher),
  ]
}

function createRoute(http: HttpClient, cipher: Cipher, { NewSubscription }: Schemas): Route {
  return route({
    method: 'POST',
    path: '/webhooks',
    operation: 'createSubscription',
    tag,
    summary: 'Subscribe to events',
    description: `The reply contains the secret that verifies signatures; it is shown only once. At most ${subscriptionsMax} subscriptions are allowed.`,
    scope: 'webhooks:write',
    body: NewSubscription,
    example: { url: subscriptionExample.url, events: subscriptionExample.events, description: 'CRM' },
    status: 201,
    reply: CreatedSubscription,
    replyExample: { ...subscriptionExample, secret: secretExample },
    errors: [tooManySubscriptions],
    check: ({ body }) => validateTarget(http, body),
    findErrors: ({ body }) => findHostErrors(http, body.url),
    isOutgoing: true,
    prepare: async ({ body }) => throwIfInvalid(await findHostErrors(http, body.url)),
    async handle({ body, tx }) {
      const { url, events = ['*'], description = null, headers = {} } = body
      if ((await queries.countSubscriptions(tx)) >= subscriptionsMax)
        throw new Problem(tooManySubscriptions, tooManySubscriptions.example)
      const secret = newSecret()
      const subscriptionId = await queries.insertSubscription(tx, {
        url,
        events,
        description,
        secret: cipher.encrypt(secret),
        ...encryptHeaders(cipher, headers),
      })
      return { ...JSON.parse((await queries.findSubscription(tx, subscriptionId))!), secret }
    },
  })
}

function updateRoute(http: HttpClient, cipher: Cipher, { SubscriptionChanges }: Schemas): Route {
  return route({
    method: 'PATCH',
    path: '/webhooks/{id}',
    operation: 'updateSubscription',
    tag,
    summary: 'Update, disable or enable a subscription',
    description: 'Omitted fields keep their value; `headers` replaces all headers.',
    scope: 'webhooks:write',
    params,
    body: SubscriptionChanges,
    example: { events: ['lead.created', 'lead.updated'] },
    status: 200,
    reply: Subscription,
    replyExample: { ...subscriptionExample, events: ['lead.created', 'lead.updated'] },
    check: ({ body }) => validateTarget(http, body),
    findErrors: ({ body }) => findHostErrors(http, body.url),
    isOutgoing: true,
    prepare: async ({ body }) => throwIfInvalid(await findHostErrors(http, body.url)),
    async handle({ params, body, tx }) {
      const { status, headers, ...changes } = body
      const stored = { ...changes, ...(headers ? encryptHeaders(cipher, headers) : {}) }
      assertFound(await queries.lockSubscription(tx, params.id))
      if (Object.keys(stored).length > 0) await queries.updateSubscription(tx, params.id, stored)
      if (status === 'disabled') await disableSubscription(tx, params.id, 'user')
      if (status === 'enabled') await enableSubscription(tx, params.id)
      await notifySender(tx, params.id)
      return toJsonText((await queries.findSubscription(tx, params.id))!)
    },
  })
}

function rotateRoute(cipher: Cipher): Route {
  return route({
    method: 'POST',
    path: '/webhooks/{id}/rotate-secret',
    operation: 'rotateSubscriptionSecret',
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
    replyExample: { secret: secretExample, previousSecretExpiresAt: '2026-11-03T10:00:00.000Z' },
    async handle({ params, body, tx }) {
      const overlapHours = body.overlapHours ?? 24
      const subscription = assertFound(await queries.lockSubscription(tx, params.id))
      const now = getNow(tx)
      const expiresAt = new Date(now.getTime() + overlapHours * 3_600_000)
      const secret = newSecret()
      await queries.storeSecrets(tx, params.id, {
        secret: cipher.encrypt(secret),
        previousSecrets: await addPreviousSecret(cipher, subscription.previousSecrets, {
          secret: await cipher.decrypt(subscription.secret),
          expiresAt,
          now,
        }),
      })
      await notifySender(tx, params.id)
      return { secret, previousSecretExpiresAt: overlapHours > 0 ? expiresAt.toISOString() : null }
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
    query: strictObject(pageQuery),
    reply: pageSchema(EventType),
    replyExample: { data: events.slice(0, 1).map(describeEvent), nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller }) {
      const pager = createPager('webhooks/event-types', caller.tenantId, query)
      const { page, last } = slicePage(events, pager, query.limit, ({ type }) => type)
      return pager.reply({ json: JSON.stringify(page.map(describeEvent)), last })
    },
  })
}

function describeEvent(event: EventDefinition) {
  return { type: event.type, summary: event.summary, ...toEventSchema(event) }
}

/** Enough for a host name in use to resolve. A name not resolved by then is checked at each delivery. */
const resolveTimeoutMs = 2000

async function findHostErrors(http: HttpClient, url: string | undefined): Promise<InputError[]> {
  if (url === undefined) return []
  return toRefusalErrors(await http.findHostRefusal(url, { timeoutMs: resolveTimeoutMs }))
}

function toRefusalErrors(refusal: string | null): InputError[] {
  if (!refusal) return []
  return [{ path: '/url', code: 'ADDRESS_REFUSED', message: `Aldaba cannot call this URL: ${refusal}.` }]
}

/** Checks the URL and the headers without resolving the host. */
function validateTarget(
  http: HttpClient,
  { url, headers = {} }: { url?: string; headers?: Record<string, string> },
): InputError[] {
  return [
    ...toRefusalErrors(url === undefined ? null : http.findUrlRefusal(url)),
    ...validateHeaders(headers),
  ]
}

function encryptHeaders(
  cipher: Cipher,
  headers: Record<string, string>,
): { headers: Buffer | null; header_names: string[] } {
  const names = Object.keys(headers).sort()
  return {
    headers: names.length === 0 ? null : cipher.encrypt(JSON.stringify(headers)),
    header_names: names,
  }
}

/** Makes the sender read the subscription again. Requests under way end with the old settings. */
const notifySender = (tx: Tx, subscriptionId: string) =>
  notifyOnCommit(tx, `${subscriptionsTopic} ${subscriptionId}`)

function assertFound<T>(subscription: T | null): T {
  if (subscription === null) throw notFound('subscription')
  return subscription
}
