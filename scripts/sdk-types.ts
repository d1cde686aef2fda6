/**
 * Generates the SDK's types from the OpenAPI document: inputs and replies of each operation, and data of each
 * webhook.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { compile } from 'json-schema-to-typescript'
import { apiPrefix } from '../src/kit/http/server.ts'
import type { OpenApiDocument } from '../src/kit/openapi.ts'

const execFileAsync = promisify(execFile)

type Schema = Record<string, unknown>
interface Content {
  'application/json': { schema: Schema }
  'text/event-stream'?: { 'x-itemSchema': { oneOf: { properties: Record<string, Schema> }[] } }
}
type Property = [name: string, schema: Schema, required: boolean]

interface Operation {
  operationId: string
  summary: string
  parameters?: {
    $ref?: string
    name: string
    in: string
    required: boolean
    description?: string
    schema: Schema
  }[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

interface Endpoint {
  method: string
  path: string
  operation: Operation
}

const head =
  '/** The inputs, replies and webhooks of the API. Generated from openapi.json by `npm run generate`. */'

/** Returns the text of `sdk/types.generated.ts`, which depends only on the document. */
export async function generateSdkTypes(openapi: OpenApiDocument): Promise<string> {
  const endpoints = listEndpoints(openapi)
  const events = listEvents(openapi)
  const schema = {
    ...toObjectSchema(
      endpoints.map(({ operation }) => [operation.operationId, toOperationSchema(operation), true]),
    ),
    $defs: {
      ...openapi.components.schemas,
      WebhookEvent: { oneOf: events },
    },
  }
  const types = await compile(adaptSchema(schema) as Schema, 'Operations', {
    additionalProperties: false,
    bannerComment: '',
    format: false,
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
  })
  return formatSource([head, tidyTypes(types), renderConstants(endpoints)].join('\n\n'))
}

function listEndpoints({ paths }: OpenApiDocument): Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.slice(apiPrefix.length),
      operation: operation as Operation,
    })),
  )
}

function findSuccess({ responses }: Operation): Partial<Content> | undefined {
  const success = Object.keys(responses).find(status => status.startsWith('2'))!
  return responses[success]?.content
}

/** The schema of each event's body: a reference to `ExtractionCompletedEvent`, for one. */
function listEvents({ webhooks }: OpenApiDocument): Schema[] {
  return Object.values(webhooks).map(
    ({ post }) => (post as Operation).requestBody!.content['application/json'].schema,
  )
}

/**
 * The schema of an operation: its `params`, `query` and `body`, and its `reply` or the `event`s of its stream. Absent
 * parts are omitted.
 */
function toOperationSchema(operation: Operation): Schema {
  const { parameters = [], requestBody, summary } = operation
  const listParameters = (where: string): Property[] =>
    parameters
      .filter(parameter => parameter.in === where)
      .map(({ name, schema, description, required }) => [name, { ...schema, description }, required])
  const params = listParameters('path')
  const query = listParameters('query')
  const success = findSuccess(operation)
  const file = { tsType: success ? 'ReadableStream<Uint8Array>' : 'undefined' }
  const reply = success?.['application/json']?.schema ?? file
  const parts: Property[] = []
  if (params.length > 0) parts.push(['params', toObjectSchema(params), true])
  if (query.length > 0) parts.push(['query', toObjectSchema(query), query.some(([, , required]) => required)])
  // A body that is not JSON is a file. A Blob has its media type.
  const json = requestBody?.content['application/json'] as { schema: Schema } | undefined
  if (requestBody) {
    const blob = { tsType: 'Blob' }
    const hasFile = Object.keys(requestBody.content).some(type => type !== 'application/json')
    parts.push(['body', json ? (hasFile ? { anyOf: [json.schema, blob] } : json.schema) : blob, true])
  }
  const stream = success?.['text/event-stream']
  parts.push(stream ? ['event', toStreamedEvent(stream), true] : ['reply', reply, true])
  return { ...toObjectSchema(parts), description: `${summary}.` }
}

/** The events of a stream without `error`, which ends the stream: the SDK throws it. */
function toStreamedEvent({ 'x-itemSchema': { oneOf } }: NonNullable<Content['text/event-stream']>): Schema {
  const events = oneOf.filter(({ properties }) => properties.event!.const !== 'error')
  return {
    oneOf: events.map(({ properties: { event, data } }) =>
      toObjectSchema([
        ['event', event!, true],
        ['data', data!, true],
        ['id', { type: 'string' }, false],
      ]),
    ),
  }
}

function toObjectSchema(properties: Property[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map(([name, schema]) => [name, schema])),
    required: properties.filter(([, , required]) => required).map(([name]) => name),
  }
}

/** Points references to `$defs`, and writes records in the form that the compiler supports. */
function adaptSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(adaptSchema)
  if (typeof node !== 'object' || node === null) return node
  const schema = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, adaptSchema(value)]),
  ) as {
    $ref?: unknown
    patternProperties?: Record<string, Schema>
  }
  const { $ref, patternProperties, ...rest } = schema
  if (typeof $ref === 'string') return { ...rest, $ref: $ref.replace('#/components/schemas/', '#/$defs/') }
  if (patternProperties) return { ...rest, additionalProperties: Object.values(patternProperties)[0] }
  return schema
}

/** Removes the compiler's remarks, puts short comments on one line, and separates types by an empty line. */
function tidyTypes(types: string): string {
  return types
    .replace(/( \* ?\n)? \* This interface was referenced by .*\n \* via the `definition` .*\n/g, '')
    .replace(/\/\*\*\n \*\/\n/g, '')
    .replace(/\/\*\*\n\s*\* (.*)\n\s*\*\//g, '/** $1 */')
    .replace(/\{\n\[k: string\]: (.*)\n\}/g, 'Record<string, $1>')
    .replace(/^(.*[})])\n(?=(\/\*\* .*\n)?export)/gm, '$1\n\n')
}

function renderConstants(endpoints: Endpoint[]): string {
  const entries = endpoints.map(
    ({ operation, method, path }) =>
      `${operation.operationId}: { method: '${method}', path: '${path}'${takesETag(operation) ? ', matchesETag: true' : ''} },`,
  )
  return [
    '/** Every path begins with it, after the base URL. */',
    `export const apiPrefix = '${apiPrefix}'`,
    '',
    '/** Method and path of each operation. */',
    `export const operations = { ${entries.join('\n')} } as const satisfies Record<keyof Operations, { method: string; path: string; matchesETag?: true }>`,
  ].join('\n')
}

function takesETag({ parameters = [] }: Operation): boolean {
  return parameters.some(({ $ref }) => $ref === '#/components/parameters/ifMatch')
}

/** Formats the text like the rest of the code. */
async function formatSource(source: string): Promise<string> {
  const biome = new URL('../node_modules/@biomejs/biome/bin/biome', import.meta.url).pathname
  const formatting = execFileAsync(process.execPath, [biome, 'format', '--stdin-file-path=sdk/types.ts'])
  formatting.child.stdin!.end(source)
  return (await formatting).stdout
}
