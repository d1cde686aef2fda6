/** Generates the OpenAPI 3.1 document from the features. */
import { toTypeScriptSample } from './code-sample.ts'
import type { EventDefinition } from './events/event.ts'
import { messageExample, messageSchema } from './events/event-schema.ts'
import { collectProblemFields, collectScopes, type EventMessages, type Feature } from './feature.ts'
import { apiPrefix } from './http/server.ts'
import { toOperation } from './openapi-operations.ts'
import { jsonContent } from './openapi-replies.ts'
import { Components, type Json } from './openapi-schemas.ts'
import { problemSchema } from './problem-schema.ts'

export interface OpenApiDocument {
  openapi: string
  info: Json
  servers: Json[]
  tags: Json[]
  security: Json[]
  paths: Record<string, Json>
  webhooks: Record<string, Json>
  components: { schemas: Json; securitySchemes: Json; headers: Json; responses: Json; parameters: Json }
}

/** Builds the document from the features. The servers are `publicUrl` with each of `basePaths`. */
export function openApiDocument(
  features: Feature[],
  location: { publicUrl: string; basePaths: string[] },
): OpenApiDocument {
  const components = new Components()
  const paths: Record<string, Json> = {}
  for (const route of features.flatMap(({ routes }) => routes)) {
    const path = apiPrefix + route.path
    const operation = { ...toOperation(route, components), 'x-codeSamples': [toTypeScriptSample(route)] }
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
  }
  const events = features.flatMap(({ events }) => events)
  const messages = features.find(({ messages }) => messages)?.messages
  const webhooks = messages
    ? Object.fromEntries(events.map(event => [event.type, toWebhook(event, messages, components)]))
    : {}
  components.ref(problemSchema(collectProblemFields(features)), 'received')
  const tags: Record<string, string> = Object.assign({}, ...features.map(({ tags }) => tags))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Aldaba',
      version: '1.0',
      description:
        'Real-estate lead generation: portals, extractions, leads, valuations, property sheets and signed webhooks.\n\nEvery request carries an API key, in `X-Api-Key` or as `Authorization: Bearer`.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: location.basePaths.map(basePath => ({ url: location.publicUrl + basePath })),
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ apiKey: [] }, { bearer: [] }],
    paths,
    webhooks,
    components: sharedComponents(components, {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'The API key. Recommended.' },
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description: `The same key. Scopes: ${collectScopes(features).join(', ')}. \`:write\` implies \`:read\`; a key without scopes has full access.`,
      },
    }),
  }
}

/** Returns the components. Call it last, after all operations have added their schemas. */
export function sharedComponents(
  components: Components,
  securitySchemes: Json,
): OpenApiDocument['components'] {
  return {
    schemas: components.schemas,
    securitySchemes,
    headers: replyHeaders,
    responses: {},
    parameters: { idempotencyKey, ifMatch },
  }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A key of your choice that makes it safe to repeat the request. For 24 hours, a request with the same key returns the first reply again, with `Idempotent-Replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` that you received when you read the object. If the object has changed since, the reply is 412, so that no change is lost.',
  schema: { type: 'string' },
}

const replyHeaders: Json = {
  RequestId: { description: 'The id of this request.', schema: { type: 'string' } },
  RateLimit: {
    description: 'The remaining requests, and the seconds until the limit is renewed (IETF draft).',
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description: 'The limit and its window in seconds (IETF draft).',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'The number of seconds to wait before the next attempt.',
    schema: { type: 'integer' },
  },
}

function toWebhook(
  event: EventDefinition,
  { tag, description, responses }: EventMessages,
  components: Components,
): Json {
  return {
    post: {
      operationId: `on${event.type.replace(/(^|[._])(\w)/g, (_all, _dot, letter) => letter.toUpperCase())}`,
      tags: [tag],
      summary: event.summary,
      description,
      security: [],
      requestBody: {
        required: true,
        content: jsonContent(components.ref(messageSchema(event), 'received'), messageExample(event)),
      },
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, description]) => [status, { description }]),
      ),
    },
  }
}
