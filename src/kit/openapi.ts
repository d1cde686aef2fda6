/** The OpenAPI 3.1 document, made from the list of routes and events; never written by hand. */
import type { EventDefinition } from './event.ts'
import { messageExample, messageSchema } from './event-body.ts'
import { eventText } from './http/event-stream.ts'
import { apiPrefix } from './http/server.ts'
import { cursorErrorExample, inputErrorExample } from './input-example.ts'
import { Components, type Json } from './openapi-schemas.ts'
import { type InputError, listedErrorsMax, type ProblemCode, problemStatus } from './problem.ts'
import { type DownloadRoute, type EventStreamRoute, type FileType, problemsOf, type Route } from './route.ts'
import { closed, type TObject, Type } from './schema.ts'
import { scopes } from './scope.ts'

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

/** What every error reply holds. */
export const problemSchema = closed(
  {
    statusCode: Type.Integer({ description: 'The HTTP status of the reply.' }),
    code: Type.String({ description: 'The kind of error. Stable, for programs.' }),
    message: Type.String({ description: 'What is wrong and what to do, for people.' }),
    requestId: Type.String({ description: 'The id of the request. Quote it when you ask for help.' }),
    existingLeadId: Type.Optional(
      Type.String({ format: 'uuid', description: 'The known lead. Only on `LEAD_EXISTS`.' }),
    ),
    mergedIntoLeadId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'The lead that the requested one was merged into. Only on `NOT_FOUND`.',
      }),
    ),
    errors: Type.Optional(
      Type.Array(
        closed({
          path: Type.String({ description: 'A JSON pointer into the body, or `/name` of a parameter.' }),
          code: Type.String({ description: 'The kind of fault. Stable, for programs.' }),
          message: Type.String({ description: 'What is wrong with this value, for people.' }),
        }),
        {
          description: `Everything that is wrong with the input, at most ${listedErrorsMax} errors. Only on errors of the input.`,
        },
      ),
    ),
    moreErrors: Type.Optional(
      Type.Integer({
        description:
          'The number of errors that `errors` leaves out, if there are any. At most a thousand errors of the body and a thousand of the parameters are counted.',
      }),
    ),
  },
  { title: 'Problem', description: 'Why a request was refused.' },
)

/** Builds the document. `publicUrl` and `basePaths` give the servers. */
export function openApiDocument(
  routes: Route[],
  events: EventDefinition[],
  where: { publicUrl: string; basePaths: string[] },
): OpenApiDocument {
  const components = new Components()
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = apiPrefix + route.path
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, components) }
  }
  const webhooks = Object.fromEntries(events.map(event => [event.type, webhook(event, components)]))
  components.ref(problemSchema, 'received')
  return {
    openapi: '3.1.0',
    info: {
      title: 'Aldaba',
      version: '1.0',
      description:
        'Real-estate lead generation: portals, extractions, leads and signed webhooks.\n\nEvery request carries an API key, in `X-Api-Key` or as `Authorization: Bearer`.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: where.basePaths.map(basePath => ({ url: where.publicUrl + basePath })),
    tags: [...new Set(routes.map(route => route.tag))].map(name => ({
      name,
      description: tagDescriptions[name] ?? name,
    })),
    security: [{ apiKey: [] }, { bearer: [] }],
    paths,
    webhooks,
    components: {
      schemas: components.schemas,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'The API key. Recommended.' },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: `The same key. Scopes: ${scopes.join(', ')}. \`:write\` implies \`:read\`; a key without scopes has full access.`,
        },
      },
      headers: replyHeaders,
      responses: {},
      parameters: { idempotencyKey, ifMatch },
    },
  }
}

const tagDescriptions: Record<string, string> = {
  Identity: 'The current workspace and its usage.',
  Platforms: 'Supported portals, their filters and locations.',
  Extractions: 'Asynchronous jobs that pull leads from a portal.',
  Leads: 'People with a property to sell or let, and where they were found.',
  Imports: 'Leads from files, with what became of each row; tried first and undone if wanted.',
  Suppressions:
    'Who is not contacted: opt-outs, exclusion lists, and whom the workspace itself leaves alone.',
  Valuations: 'What a property is worth, from comparable ones, with every step of the sum.',
  Webhooks: 'Signed notifications of what happens, as Standard Webhooks has them.',
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A key of your choice that makes it safe to repeat the request: within 24 hours, a repetition with the same key gets the first reply again, with `Idempotent-Replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` that you received when you read the object. If somebody has changed it since, the request is refused with 412, so that no change is lost.',
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
  RetryAfter: { description: 'Seconds to wait before trying again.', schema: { type: 'integer' } },
}

const headerRef = (name: string) => ({ $ref: `#/components/headers/${name}` })

function operation(route: Route, components: Components): Json {
  const scopeNote = route.scope === 'any' ? 'Any valid key.' : `Scope: \`${route.scope}\`.`
  const roles = route.scope === 'any' ? [] : [route.scope]
  return {
    operationId: route.operation,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, scopeNote].filter(Boolean).join('\n\n'),
    security: [{ apiKey: roles }, { bearer: roles }],
    parameters: [
      ...parameters(route.params, 'path', components),
      ...parameters(route.query, 'query', components),
      ...(route.method === 'POST' ? [{ $ref: '#/components/parameters/idempotencyKey' }] : []),
      ...(route.matchesETag ? [{ $ref: '#/components/parameters/ifMatch' }] : []),
    ],
    ...requestBody(route, components),
    responses: {
      ...('createdStatus' in route && route.createdStatus
        ? {
            [route.createdStatus]: {
              description: 'Created.',
              content: successContent(route, components),
            },
          }
        : {}),
      [route.status]: {
        description: route.status === 204 ? 'Done; there is no body.' : route.summary,
        headers: {
          'X-Request-Id': headerRef('RequestId'),
          RateLimit: headerRef('RateLimit'),
          'RateLimit-Policy': headerRef('RateLimitPolicy'),
        },
        ...(route.status === 204 ? {} : { content: successContent(route, components) }),
      },
      ...problemReplies(route),
    },
  }
}

function requestBody({ body, example, upload }: Route, components: Components): Json {
  if (upload) {
    const content = upload.types.map(type => {
      const example = upload.examples?.[type] ?? upload.example
      return [type, { schema: { type: 'string', description: 'The file itself.' }, example }]
    })
    return { requestBody: { required: true, content: Object.fromEntries(content) } }
  }
  if (!body) return {}
  return { requestBody: { required: true, content: jsonContent(components.ref(body, 'sent'), example) } }
}

function successContent(route: Route, components: Components): Json {
  if ('open' in route) return { 'text/event-stream': eventStream(route, components) }
  if ('download' in route) return files(route, components)
  return jsonContent(components.ref(route.reply, 'received'), route.replyExample)
}

/** OpenAPI 3.1 knows a stream as text alone: what each event holds is told in words, by example, and as 3.2 would have it. */
function eventStream({ events }: EventStreamRoute, components: Components): Json {
  const error = {
    description: 'What went wrong, as in any error reply. It is the last event of the stream.',
    data: problemSchema,
    example: problemExample('INTERNAL'),
  }
  const all = Object.entries({ ...events, error })
  const lines = all.map(([name, { description }]) => `- \`${name}\`: ${description}`)
  const examples = all.map(([event, { example }]) => eventText({ event, data: example }))
  return {
    schema: {
      type: 'string',
      description: ['Server-sent events with data in JSON:', '', ...lines].join('\n'),
    },
    example: examples.join(''),
    'x-itemSchema': {
      oneOf: all.map(([event, { data }]) => ({
        type: 'object',
        required: ['event', 'data'],
        properties: {
          event: { type: 'string', const: event, description: 'The name of the event.' },
          data: components.ref(data, 'received'),
        },
      })),
    },
  }
}

/** A file is text, whatever it holds, or bytes, of which 3.1 says nothing; of lines of JSON it is told as 3.2 would have it. */
function files({ types }: DownloadRoute, components: Components): Json {
  return Object.fromEntries(
    Object.entries(types).map(([type, file]) => [type, fileContent(file, components)]),
  )
}

function fileContent(file: FileType, components: Components): Json {
  const { description } = file
  if ('isBinary' in file) return { schema: { description } }
  return {
    schema: { type: 'string', description },
    example: file.example,
    ...(file.item ? { 'x-itemSchema': components.ref(file.item, 'received') } : {}),
  }
}

function jsonContent(schema: unknown, example: unknown): Json {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } }
}

function parameters(schema: TObject | undefined, where: 'path' | 'query', components: Components): Json[] {
  const required = new Set((schema as { required?: string[] } | undefined)?.required ?? [])
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = components.ref(property, 'parameter') as { description?: string }
    const hasDefault = 'default' in rest
    return {
      name,
      in: where,
      required: where === 'path' || (required.has(name) && !hasDefault),
      ...(description ? { description } : {}),
      schema: rest,
    }
  })
}

function problemReplies(route: Route): Json {
  const examples = { INVALID_INPUT: [inputErrorExample(route)], INVALID_CURSOR: [cursorErrorExample(route)] }
  const byStatus = Map.groupBy(problemsOf(route), code => problemStatus[code])
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [
      status,
      {
        description: same.join(', '),
        headers: {
          'X-Request-Id': headerRef('RequestId'),
          ...(status === 429 || status === 503 ? { 'Retry-After': headerRef('RetryAfter') } : {}),
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(
              same.map(code => [
                code,
                { value: problemExample(code, examples[code as keyof typeof examples]) },
              ]),
            ),
          },
        },
      },
    ]),
  )
}

function problemExample(code: ProblemCode, errors?: InputError[]): Json {
  return {
    statusCode: problemStatus[code],
    code,
    message: 'What is wrong and what to do, for people.',
    requestId: '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f',
    ...(errors ? { errors } : {}),
  }
}

function webhook(event: EventDefinition, components: Components): Json {
  return {
    post: {
      operationId: `on${event.type.replace(/(^|[._])(\w)/g, (_all, _dot, letter) => letter.toUpperCase())}`,
      tags: ['Webhooks'],
      summary: event.summary,
      description:
        'Sent to each subscription of this type, with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.',
      security: [],
      requestBody: {
        required: true,
        content: jsonContent(components.ref(messageSchema(event), 'received'), messageExample(event)),
      },
      responses: {
        '2XX': { description: 'The message was received. Anything else is retried.' },
        '4XX': { description: 'The message is retried; 410 disables the subscription.' },
      },
    },
  }
}
