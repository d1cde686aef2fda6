/** The replies of a route in the OpenAPI document: JSON, a file or a stream, and every error, each with an example. */
import { toEventText } from './http/event-stream.ts'
import type { Components, Json } from './openapi-schemas.ts'
import { toCodeAndStatus } from './problem.ts'
import { problemExample } from './problem-example.ts'
import type { DownloadRoute, EventStreamRoute, FileType, Route } from './route.ts'
import { listProblems } from './route-refusals.ts'
import { Type } from './schema.ts'

const headerRef = (name: string) => ({ $ref: `#/components/headers/${name}` })

export function toResponses(route: Route, components: Components): Json {
  return {
    ...('createdStatus' in route && route.createdStatus
      ? {
          [route.createdStatus]: {
            description: 'Created.',
            content: successContent(route, components),
          },
        }
      : {}),
    [route.status]: {
      description: route.status === 204 ? 'Done. The reply has no body.' : route.summary,
      headers: {
        'X-Request-Id': headerRef('RequestId'),
        RateLimit: headerRef('RateLimit'),
        'RateLimit-Policy': headerRef('RateLimitPolicy'),
      },
      ...(route.status === 204 ? {} : { content: successContent(route, components) }),
    },
    ...('acceptsRange' in route
      ? {
          206: {
            description: 'The part of the file that the header `Range` requests.',
            content: successContent(route, components),
          },
        }
      : {}),
    ...problemReplies(route),
  }
}

function successContent(route: Route, components: Components): Json {
  if ('open' in route) return { 'text/event-stream': eventStream(route, components) }
  if ('download' in route) return files(route, components)
  return jsonContent(components.ref(route.reply, 'received'), route.replyExample)
}

/**
 * OpenAPI 3.1 can describe a stream only as text. So each event has a description, an example, and a schema in
 * `x-itemSchema`, as `itemSchema` in OpenAPI 3.2.
 */
function eventStream(route: EventStreamRoute, components: Components): Json {
  const error = {
    description: 'An error, with the body of any error reply. It is the last event of the stream.',
    data: Type.Unsafe({ $ref: '#/components/schemas/Problem' }),
    example: problemExample(route, 'INTERNAL'),
  }
  const all = Object.entries({ ...route.events, error })
  const lines = all.map(([name, { description }]) => `- \`${name}\`: ${description}`)
  const examples = all.map(([event, { example }]) => toEventText({ event, data: example }))
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

/** OpenAPI 3.1 cannot describe binary files. JSON Lines have the schema of a line in `x-itemSchema`, as in 3.2. */
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

export function jsonContent(schema: unknown, example: unknown): Json {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } }
}

function problemReplies(route: Route): Json {
  const byStatus = Map.groupBy(listProblems(route), problem => toCodeAndStatus(problem).status)
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [
      status,
      {
        description: same.map(problem => toCodeAndStatus(problem).code).join(', '),
        headers: {
          'X-Request-Id': headerRef('RequestId'),
          ...(status === 429 || status === 503 ? { 'Retry-After': headerRef('RetryAfter') } : {}),
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(
              same.map(problem => [toCodeAndStatus(problem).code, { value: problemExample(route, problem) }]),
            ),
          },
        },
      },
    ]),
  )
}
