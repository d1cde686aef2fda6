/** The OpenAPI document of the dashboard's routes. They are not part of the API's document. */
import { toRoute } from './anonymous-route.ts'
import { collectProblemFields, type Feature } from './feature.ts'
import { dashboardPrefix } from './http/server.ts'
import { type OpenApiDocument, sharedComponents } from './openapi.ts'
import { toOperation } from './openapi-operations.ts'
import { Components, type Json } from './openapi-schemas.ts'
import { problemSchema } from './problem-schema.ts'
import type { Route } from './route.ts'
import { sessionCookieName } from './session.ts'

/** Builds the document from the features. The servers are `publicUrl` with each of `basePaths`. */
export function dashboardDocument(
  features: Feature[],
  location: { publicUrl: string; basePaths: string[] },
): OpenApiDocument {
  const components = new Components()
  const paths: Record<string, Json> = {}
  const add = (route: Route, security: Json[]) => {
    const path = dashboardPrefix + route.path
    const { description = `${route.summary}.` } = route
    const operation = { ...toOperation(withOrigin(route), components), description, security }
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
  }
  const routes = features.flatMap(({ dashboardRoutes = [] }) => dashboardRoutes)
  const anonymousRoutes = features.flatMap(({ anonymousRoutes = [] }) => anonymousRoutes).map(toRoute)
  for (const route of routes) add(route, [{ session: [] }])
  for (const route of anonymousRoutes) add(route, [])
  components.ref(problemSchema(collectProblemFields(features)), 'received')
  const tags: Record<string, string> = Object.assign({}, ...features.map(each => each.dashboardTags))
  const shared = sharedComponents(components, {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookieName(true),
      description: `The session cookie. Without https its name is \`${sessionCookieName(false)}\`.`,
    },
  })
  return {
    openapi: '3.1.0',
    info: {
      title: 'Aldaba dashboard',
      version: '1.0',
      description:
        'Routes for signed-in users. The session cookie also authenticates calls to the API. The header `X-Environment` selects the environment, `live` by default.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: location.basePaths.map(basePath => ({ url: location.publicUrl + basePath })),
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ session: [] }],
    paths,
    webhooks: {},
    // Dashboard routes have no ETags.
    components: { ...shared, parameters: { idempotencyKey: shared.parameters.idempotencyKey } },
  }
}

/** Adds the error of requests from other origins to routes that change something. */
function withOrigin(route: Route): Route {
  if (route.method === 'GET') return route
  return { ...route, errors: ['ORIGIN_NOT_ALLOWED', ...(route.errors ?? [])] }
}
