/** The OpenAPI document in the repository is current, valid and complete, and its examples match their schemas. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { listStaleFiles } from '../scripts/generate.ts'
import { describeFeatures } from '../src/app.ts'
import { messageExample } from '../src/kit/events/event-schema.ts'
import { type InputError, toCodeAndStatus } from '../src/kit/problem.ts'
import type { Route } from '../src/kit/route.ts'
import { listProblems, listScopes } from '../src/kit/route-refusals.ts'
import { compile, strictObject, type TSchema, type Validate } from '../src/kit/schema.ts'
import { makeDatabase, startTestAppForTest } from './harness.ts'

interface Content {
  'application/json': { schema: TSchema; example?: unknown; examples?: Record<string, { value: unknown }> }
  'text/event-stream'?: {
    example: string
    'x-itemSchema': { oneOf: { properties: { event: { const: string } } }[] }
  }
}
interface Operation {
  operationId: string
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters?: { name?: string; $ref?: string; in?: string; required?: boolean; schema?: TSchema }[]
  requestBody?: { content: Content }
  responses: Record<string, { headers?: Record<string, unknown>; content?: Content }>
}
type Paths = Record<string, Record<string, Operation>>

const root = new URL('../', import.meta.url).pathname
const document = JSON.parse(readFileSync(`${root}openapi.json`, 'utf8'))
const features = describeFeatures()
const routes = features.flatMap(feature => feature.routes)
const subscribeRoute = routes.find(({ method, path }) => method === 'POST' && path === '/webhooks')!
const getOperation = (method: string, path: string) =>
  (document.paths as Paths)[`/public/v1${path}`]![method.toLowerCase()]!

/** Adds the schemas that a node refers to, directly and through others. */
function collectReferred(node: unknown, referred: Record<string, TSchema> = {}): Record<string, TSchema> {
  for (const [, name] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (Object.hasOwn(referred, name!)) continue
    referred[name!] = document.components.schemas[name!]
    collectReferred(referred[name!], referred)
  }
  return referred
}

const validators = new Map<string, Validate>()
/**
 * Validates a value against a schema of the document, with the schemas that it refers to. The others, half a megabyte, would
 * be compiled and kept with each one. Most replies have the same schema.
 */
function validateValue(schema: TSchema, value: unknown): InputError[] {
  const key = JSON.stringify(schema)
  const components = { schemas: collectReferred(schema) }
  const validate = validators.get(key) ?? compile({ ...schema, components } as TSchema)
  validators.set(key, validate)
  return validate(structuredClone(value))
}

/** Every property of every schema below a node, with its path. */
function listProperties(node: unknown, path = ''): { path: string; property: object }[] {
  if (typeof node !== 'object' || node === null) return []
  const { properties = {} } = node as { properties?: Record<string, object> }
  const here = Object.entries(properties).map(([name, property]) => ({ path: `${path}/${name}`, property }))
  const isData = (key: string) => ['default', 'example', 'examples', 'enum', 'const'].includes(key)
  const below = Object.entries(node).flatMap(([key, value]) => {
    if (key !== 'properties') return isData(key) ? [] : listProperties(value, `${path}/${key}`)
    return Object.entries(value as object).flatMap(([name, each]) => listProperties(each, `${path}/${name}`))
  })
  return [...here, ...below]
}

/** True if it has a description, or refers to a component with one. */
function isDescribed({
  description,
  $ref,
  anyOf,
}: {
  description?: string
  $ref?: string
  anyOf?: object[]
}) {
  if (description) return description.length > 5 && description.endsWith('.')
  const at = $ref?.split('/').slice(1)
  const component = at?.reduce((all: Record<string, never>, name) => all[name]!, document)
  if (component) return isDescribed(component)
  return Boolean(anyOf?.some(isDescribed))
}

it('is current, like the types generated from routes and database: else run npm run generate', async () => {
  expect(await listStaleFiles(await makeDatabase())).toEqual([])
})

it.each(['openapi.json', 'dashboard-openapi.json'])(
  "%s passes a public linter's recommended rules without an error or a warning",
  async file => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        `${root}node_modules/.bin/redocly`,
        'lint',
        file,
        '--extends=recommended',
        '--format=json',
        // `/leads/imports/{id}` beside `/leads/{id}/timeline`: ids are UUIDs, so none is "imports".
        '--skip-rule=no-ambiguous-paths',
      ],
      {
        cwd: root,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    ).catch(error => error)
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] })
  },
)

it('is served as in the repository, except for the server URL', async () => {
  const app = await startTestAppForTest({ env: { ROLE: 'api', PUBLIC_URL: 'https://leads.example' } })
  const reply = await fetch(`${app.url}/openapi.json`)
  expect(reply.headers.get('content-type')).toContain('application/json')
  expect(await reply.json()).toEqual({ ...document, servers: [{ url: 'https://leads.example' }] })
})

it('has every route once, and no other', () => {
  const documented = Object.entries(document.paths as Paths).flatMap(([path, operations]) =>
    Object.keys(operations).map(method => `${method.toUpperCase()} ${path}`),
  )
  expect(documented.toSorted()).toEqual(
    routes.map(({ method, path }) => `${method} /public/v1${path}`).sort(),
  )
  expect(new Set(routes.map(route => route.operation)).size).toBe(routes.length)
})

describe('describes', () => {
  it('every property, also of components', () => {
    const components = Object.keys(document.components.schemas)
    expect(listProperties(document).filter(({ property }) => !isDescribed(property))).toEqual([])
    expect(listProperties(document).length).toBeGreaterThan(10 * components.length)
  })

  it('every parameter and header', () => {
    const operations = Object.values(document.paths as Paths).flatMap(item => Object.values(item))
    const described = [
      ...operations.flatMap(({ parameters = [] }) => parameters),
      ...Object.values(document.components.parameters),
      ...Object.values(document.components.headers),
    ] as object[]
    expect(described.filter(one => !isDescribed(one))).toEqual([])
  })
})

it('pages every list', () => {
  const listFields = ({ reply }: Route) =>
    Object.keys((reply as { properties?: object } | undefined)?.properties ?? {})
  // The feed has no end: `nextAfter` is the position for the next request. Slots are limited by their range.
  const others = ['listEvents', 'listSlots']
  const lists = routes.filter(
    ({ operation, ...route }) =>
      route.method === 'GET' && listFields(route as Route).includes('data') && !others.includes(operation),
  )
  expect(lists.length).toBeGreaterThan(10)
  for (const { path, query, ...route } of lists) {
    expect(listFields(route as Route), path).toContain('nextCursor')
    expect(Object.keys(query?.properties ?? {}), path).toEqual(expect.arrayContaining(['limit', 'cursor']))
  }
})

describe.each(routes.map(route => [`${route.method} ${route.path}`, route] as const))(
  '%s',
  (_name, route) => {
    const operation = getOperation(route.method, route.path)

    it('has a name, a summary, and the scope it needs', () => {
      expect(operation.operationId).toMatch(/^[a-z]+([A-Z][a-z]+)+$/)
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/)
      const scopes = listScopes(route)
      expect(operation.security).toEqual([{ apiKey: scopes }, { bearer: scopes }])
      const notes = scopes.length === 0 ? ['Any valid key.'] : scopes.map(scope => `\`${scope}\``)
      for (const note of notes) expect(operation.description).toContain(note)
    })

    it('has its path and query parameters, Idempotency-Key on a POST, and If-Match where it is supported', () => {
      const documented = (operation.parameters ?? []).map(({ name, $ref }) => name ?? $ref)
      const parameters = (schema: { properties?: object } | undefined) =>
        Object.keys(schema?.properties ?? {})
      expect(documented).toEqual([
        ...parameters(route.params),
        ...parameters(route.query),
        ...(route.method === 'POST' ? ['#/components/parameters/idempotencyKey'] : []),
        ...(route.matchesETag ? ['#/components/parameters/ifMatch'] : []),
      ])
      expect(parameters(route.params)).toEqual([...route.path.matchAll(/\{(\w+)\}/g)].map(match => match[1]))
    })

    it('has every error reply, by status and code', () => {
      for (const { code, status } of listProblems(route).map(toCodeAndStatus)) {
        const reply = operation.responses[status]
        const { schema, examples } = reply!.content!['application/json']
        expect(Object.keys(examples ?? {})).toContain(code)
        const example = examples![code]!.value
        expect(example).toMatchObject({ statusCode: status, code })
        expect(validateValue(schema, example)).toEqual([])
        expect(reply!.headers).toHaveProperty('X-Request-Id')
      }
    })

    it('has an example of an input error that it reports itself', () => {
      const { examples } = operation.responses[400]!.content!['application/json']
      const { errors } = examples!.INVALID_INPUT!.value as { errors: [InputError] }
      const name = errors[0].path.slice(1)
      const wrong = [{}, [], 'x', 'x'.repeat(30_000), -1000, 0.5, true, null]
      const found = [route.params, route.query ?? strictObject({}), route.body].flatMap((schema, at) => {
        if (!schema) return []
        const validate = compile(schema, at === 2 ? 'body' : 'text')
        const valid = at === 2 ? (route.example as object) : {}
        return wrong.flatMap(value => validate(structuredClone({ ...valid, [name]: value })))
      })
      expect(found).toContainEqual(errors[0])
    })

    it('has an example of its body that fits its schema', () => {
      expect(Boolean(operation.requestBody)).toBe(Boolean(route.body ?? route.upload))
      for (const type of route.upload?.types ?? []) {
        const text = route.upload!.examples?.[type] ?? route.upload!.example
        const { schema, example } = operation.requestBody!.content[type as 'application/json']
        expect(example).toEqual(route.upload!.schemas?.[type] ? JSON.parse(text) : text)
        expect(validateValue(schema, example)).toEqual([])
      }
      if (!route.body) return
      const { schema, example } = operation.requestBody!.content['application/json']
      expect(example).toEqual(route.example)
      expect(example).toBeDefined()
      expect(validateValue(schema, example)).toEqual([])
      expect(compile(route.body)(structuredClone(route.example))).toEqual([])
    })

    it('has an example of its final event that has ended, if it streams progress', () => {
      if (!('open' in route) || !('end' in route.events)) return
      expect(route.events.end!.example).toMatchObject({
        status: 'COMPLETED',
        finishedAt: expect.any(String),
        progress: { percent: 100 },
      })
    })

    it('has an example of its reply that fits its schema', () => {
      const { content } = operation.responses[route.status]!
      if ('open' in route) {
        const documented = content!['text/event-stream']!
        const names = Object.keys(route.events)
        expect(documented['x-itemSchema'].oneOf.map(({ properties }) => properties.event.const)).toEqual([
          ...names,
          'error',
        ])
        for (const name of names) {
          const { data, example } = route.events[name]!
          expect(documented.example).toContain(`event: ${name}\ndata: ${JSON.stringify(example)}\n\n`)
          expect(compile(data)(structuredClone(example))).toEqual([])
        }
        return
      }
      if ('download' in route) {
        const documented = content as unknown as Record<string, object>
        expect(Object.keys(documented)).toEqual(Object.keys(route.types))
        for (const [type, file] of Object.entries(route.types)) {
          if ('isBinary' in file) {
            expect(documented[type]).toEqual({ schema: { description: file.description } })
            continue
          }
          const { example, item } = file
          expect(documented[type]).toMatchObject({ schema: { type: 'string' }, example })
          for (const line of item ? example.trim().split('\n') : [])
            expect(compile(item!)(JSON.parse(line))).toEqual([])
        }
        return
      }
      expect(content === undefined).toBe(route.status === 204)
      if (!content) return
      const { schema, example } = content['application/json']
      expect([example === undefined, validateValue(schema, example)]).toEqual([false, []])
      expect(compile(route.reply)(structuredClone(route.replyExample))).toEqual([])
    })
  },
)

describe.each(features.flatMap(feature => feature.events).map(event => [event.type, event] as const))(
  'the webhook %s',
  (type, event) => {
    it('has a schema and a matching example', () => {
      const { schema } = document.webhooks[type].post.requestBody.content['application/json']
      const id = '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f'
      const body = {
        id,
        type,
        timestamp: '2026-11-02T10:00:00.000Z',
        environment: 'test',
        workspaceId: id,
        sequence: 1,
        data: (messageExample(event) as { data: object }).data,
      }
      expect(validateValue(schema, body)).toEqual([])
      expect(validateValue(schema, { ...body, type: 'another' })).not.toEqual([])
      expect(compile(event.data)(structuredClone(event.example))).toEqual([])
    })

    it('can be named by a subscription', () => {
      expect(compile(subscribeRoute.body!)({ url: 'https://crm.example/hooks', events: [type] })).toEqual([])
    })
  },
)
