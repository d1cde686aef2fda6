/** Converts a route to an operation of the OpenAPI document, with its parameters and body. */
import { jsonContent, toResponses } from './openapi-replies.ts'
import type { Components, Json } from './openapi-schemas.ts'
import type { Route } from './route.ts'
import { listScopes } from './route-refusals.ts'
import type { TObject } from './schema.ts'

export function toOperation(route: Route, components: Components): Json {
  const scopes = listScopes(route)
  const names = scopes.map(scope => `\`${scope}\``).join(' and ')
  const scopeNote =
    scopes.length === 0 ? 'Any valid key.' : `${scopes.length === 1 ? 'Scope' : 'Scopes'}: ${names}.`
  return {
    operationId: route.operation,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, scopeNote].filter(Boolean).join('\n\n'),
    security: [{ apiKey: scopes }, { bearer: scopes }],
    parameters: [
      ...parameters(route.params, 'path', components),
      ...parameters(route.query, 'query', components),
      ...(route.method === 'POST' ? [{ $ref: '#/components/parameters/idempotencyKey' }] : []),
      ...(route.matchesETag ? [{ $ref: '#/components/parameters/ifMatch' }] : []),
    ],
    ...requestBody(route, components),
    responses: toResponses(route, components),
  }
}

function requestBody({ body, example, upload }: Route, components: Components): Json {
  if (upload) {
    const content = upload.types.map(type => {
      const example = upload.examples?.[type] ?? upload.example
      const json = upload.schemas?.[type]
      if (json) return [type, { schema: components.ref(json, 'sent'), example: JSON.parse(example) }]
      return [type, { schema: { type: 'string', description: 'The content of the file.' }, example }]
    })
    return { requestBody: { required: true, content: Object.fromEntries(content) } }
  }
  if (!body) return {}
  return { requestBody: { required: true, content: jsonContent(components.ref(body, 'sent'), example) } }
}

function parameters(schema: TObject | undefined, location: 'path' | 'query', components: Components): Json[] {
  const required = new Set((schema as { required?: string[] } | undefined)?.required ?? [])
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = components.ref(property, 'parameter') as { description?: string }
    const hasDefault = 'default' in rest
    return {
      name,
      in: location,
      required: location === 'path' || (required.has(name) && !hasDefault),
      ...(description ? { description } : {}),
      schema: rest,
    }
  })
}
