/** The OpenAPI document of the dashboard's own routes, for its client. They are no part of the API's document. */
import { toRoute } from './anonymous-route.ts'
import { collectProblemFields, type Feature } from './feature.ts'
import { dashboardPrefix } from './http/server.ts'
import { type OpenApiDocument, sharedComponents } from './openapi.ts'
import { toOperation } from './openapi-operations.ts'
import { Components, type Json } from './openapi-schemas.ts'
import { problemSchema } from './problem-schema.ts'
import type { Route } from './route.ts'
import { sessionCookieName } from './session.ts'

/** Builds the document of these features. `publicUrl` and `basePaths` give the servers. */
export function dashboardDocument(
  features: Feature[],
  where: { publicUrl: string; basePaths: string[] },
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
      description: `The session. Without https its name is \`${sessionCookieName(false)}\`.`,
    },
  })
  return {
    openapi: '3.1.0',
    info: {
      title: 'Aldaba, the dashboard',
      version: '1.0',
      description:
        'Routes for people who are signed in. The cookie of their session opens the API as well; `X-Environment` names the environment, live if it is omitted.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: where.basePaths.map(basePath => ({ url: where.publicUrl + basePath })),
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ session: [] }],
    paths,
    webhooks: {},
    // None of these has an ETag.
    components: { ...shared, parameters: { idempotencyKey: shared.parameters.idempotencyKey } },
  }
}

/** Whatever changes something has to come from the dashboard itself. */
function withOrigin(route: Route): Route {
  if (route.method === 'GET') return route
  return { ...route, errors: ['ORIGIN_NOT_ALLOWED', ...(route.errors ?? [])] }
}
