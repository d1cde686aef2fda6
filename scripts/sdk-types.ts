/**
 * Generates the SDK's types from the OpenAPI document: inputs and replies of each operation, and data of each
 * webhook.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { compile } from 'json-schema-to-typescript'
import { apiPrefix } from '../src/kit/http/server.ts'
import type { OpenApiDocument } from '../src/kit/openapi.ts'

const run = promisify(execFile)

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

interface Address {
  method: string
  path: string
  operation: Operation
}

const head =
  '/** The inputs, replies and webhooks of the API. Generated from openapi.json by `npm run generate`. */'

/** The text of `sdk/types.generated.ts`; the same for the same document. */
export async function sdkTypes(openapi: OpenApiDocument): Promise<string> {
  const addresses = listAddresses(openapi)
  const events = listEvents(openapi)
  const schema = {
    ...object(addresses.map(({ operation }) => [operation.operationId, exchange(operation), true])),
    $defs: {
      ...openapi.components.schemas,
      WebhookEvent: { oneOf: events },
    },
  }
  const types = await compile(adapt(schema) as Schema, 'Operations', {
    additionalProperties: false,
    bannerComment: '',
    format: false,
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
  })
  return format([head, tidy(types), constants(addresses)].join('\n\n'))
}

function listAddresses({ paths }: OpenApiDocument): Address[] {
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
 * What a call takes, and its `reply` or the `event`s of its stream. Parts that an operation does not have are left
 * out.
 */
function exchange(operation: Operation): Schema {
  const { parameters = [], requestBody, summary } = operation
  const group = (where: string): Property[] =>
    parameters
      .filter(parameter => parameter.in === where)
      .map(({ name, schema, description, required }) => [name, { ...schema, description }, required])
  const params = group('path')
  const query = group('query')
  const success = findSuccess(operation)
  const file = { tsType: success ? 'ReadableStream<Uint8Array>' : 'undefined' }
  const reply = success?.['application/json']?.schema ?? file
  const parts: Property[] = []
  if (params.length > 0) parts.push(['params', object(params), true])
  if (query.length > 0) parts.push(['query', object(query), query.some(([, , required]) => required)])
  // What is no JSON is a file, which brings its type.
  const json = requestBody?.content['application/json'] as { schema: Schema } | undefined
  if (requestBody) parts.push(['body', json?.schema ?? { tsType: 'Blob' }, true])
  const stream = success?.['text/event-stream']
  parts.push(stream ? ['event', streamedEvent(stream), true] : ['reply', reply, true])
  return { ...object(parts), description: `${summary}.` }
}

/** A refusal that ends the stream is thrown, and so is no event of it. */
function streamedEvent({ 'x-itemSchema': { oneOf } }: NonNullable<Content['text/event-stream']>): Schema {
  const events = oneOf.filter(({ properties }) => properties.event!.const !== 'error')
  return {
    oneOf: events.map(({ properties: { event, data } }) =>
      object([
        ['event', event!, true],
        ['data', data!, true],
        ['id', { type: 'string' }, false],
      ]),
    ),
  }
}

function object(properties: Property[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map(([name, schema]) => [name, schema])),
    required: properties.filter(([, , required]) => required).map(([name]) => name),
  }
}

/** References lead to their new place, and a record says so plainly. */
function adapt(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(adapt)
  if (typeof node !== 'object' || node === null) return node
  const schema = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, adapt(value)])) as {
    $ref?: unknown
    patternProperties?: Record<string, Schema>
  }
  const { $ref, patternProperties, ...rest } = schema
  if (typeof $ref === 'string') return { ...rest, $ref: $ref.replace('#/components/schemas/', '#/$defs/') }
  if (patternProperties) return { ...rest, additionalProperties: Object.values(patternProperties)[0] }
  return schema
}

/** Without the compiler's remarks on itself; short comments on one line, and a line between types. */
function tidy(types: string): string {
  return types
    .replace(/( \* ?\n)? \* This interface was referenced by .*\n \* via the `definition` .*\n/g, '')
    .replace(/\/\*\*\n \*\/\n/g, '')
    .replace(/\/\*\*\n\s*\* (.*)\n\s*\*\//g, '/** $1 */')
    .replace(/\{\n\[k: string\]: (.*)\n\}/g, 'Record<string, $1>')
    .replace(/^}\n(?=(\/\*\* .*\n)?export)/gm, '}\n\n')
}

function constants(addresses: Address[]): string {
  const entries = addresses.map(
    ({ operation, method, path }) =>
      `${operation.operationId}: { method: '${method}', path: '${path}'${takesETag(operation) ? ', matchesETag: true' : ''} },`,
  )
  return [
    '/** Below the base address, before every path. */',
    `export const apiPrefix = '${apiPrefix}'`,
    '',
    '/** Where each operation is found. */',
    `export const operations = { ${entries.join('\n')} } as const satisfies Record<keyof Operations, { method: string; path: string; matchesETag?: true }>`,
  ].join('\n')
}

function takesETag({ parameters = [] }: Operation): boolean {
  return parameters.some(({ $ref }) => $ref === '#/components/parameters/ifMatch')
}

/** As the rest of the code is formatted. */
async function format(source: string): Promise<string> {
  const biome = new URL('../node_modules/@biomejs/biome/bin/biome', import.meta.url).pathname
  const formatting = run(process.execPath, [biome, 'format', '--stdin-file-path=sdk/types.ts'])
  formatting.child.stdin!.end(source)
  return (await formatting).stdout
}
