/** Webhook subscriptions over HTTP. */
import type { Cipher } from '../../kit/crypto.ts'
import type { HttpClient } from '../../kit/http/client.ts'
import { jsonText } from '../../kit/json-text.ts'
import { pageOf, pageQuery, pageThrough } from '../../kit/page.ts'
import { invalidInput, notFound } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { closed, id, Type } from '../../kit/schema.ts'
import { deleteWebhook, findWebhook, insertWebhook, listWebhooks } from './queries.ts'
import { CreatedWebhook, NewWebhook, Webhook, webhookExample } from './schemas.ts'
import { newSecret } from './signature.ts'

const params = closed({ id: id('The subscription.') })

export function webhookRoutes({ cipher, http }: { cipher: Cipher; http: HttpClient }): Route[] {
  return [
    route({
      method: 'POST',
      path: '/webhooks',
      operation: 'createWebhook',
      tag: 'Webhooks',
      summary: 'Subscribe to events',
      description: 'The reply holds the secret that verifies signatures, this once.',
      scope: 'webhooks:write',
      body: NewWebhook,
      example: { url: webhookExample.url, events: webhookExample.events, description: 'CRM' },
      status: 201,
      reply: CreatedWebhook,
      replyExample: { ...webhookExample, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
      async handle({ body, tx }) {
        const refusal = http.refusal(body.url)
        if (refusal)
          throw invalidInput('/url', 'ADDRESS_REFUSED', `This address can't be called: ${refusal}.`)
        const secret = newSecret()
        const webhookId = await insertWebhook(tx, {
          url: body.url,
          events: body.events ?? ['*'],
          description: body.description ?? null,
          secret: cipher.encrypt(secret),
        })
        return { ...JSON.parse((await findWebhook(tx, webhookId))!), secret }
      },
    }),
    route({
      method: 'GET',
      path: '/webhooks',
      operation: 'listWebhooks',
      tag: 'Webhooks',
      summary: 'Subscriptions, newest first',
      scope: 'webhooks:read',
      query: closed(pageQuery),
      status: 200,
      reply: pageOf(Webhook),
      replyExample: { data: [webhookExample], nextCursor: null },
      errors: ['INVALID_CURSOR'],
      async handle({ query, caller, tx }) {
        const list = pageThrough('webhooks', caller.tenantId, query)
        return list.reply(await listWebhooks(tx, query.limit, list.after))
      },
    }),
    route({
      method: 'GET',
      path: '/webhooks/{id}',
      operation: 'getWebhook',
      tag: 'Webhooks',
      summary: 'A subscription',
      scope: 'webhooks:read',
      params,
      status: 200,
      reply: Webhook,
      replyExample: webhookExample,
      async handle({ params, tx }) {
        const json = await findWebhook(tx, params.id)
        if (!json) throw notFound('webhook')
        return jsonText(json)
      },
    }),
    route({
      method: 'DELETE',
      path: '/webhooks/{id}',
      operation: 'deleteWebhook',
      tag: 'Webhooks',
      summary: 'End a subscription',
      description: 'What was still to be delivered to it is dropped.',
      scope: 'webhooks:write',
      params,
      status: 204,
      reply: Type.Null(),
      async handle({ params, tx }) {
        if (!(await deleteWebhook(tx, params.id))) throw notFound('webhook')
        return null
      },
    }),
  ]
}
