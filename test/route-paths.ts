/** Paths of routes that lead to something: what their parameters name is made first. */
import { describedFeatures } from '../src/app.ts'
import { hashKeyValue } from '../src/kit/key.ts'
import type { Route } from '../src/kit/route.ts'
import type { TestApp } from './harness.ts'
import { makeLeads } from './make.ts'

/** Makes what a path parameter names, in the tenant of a key; `at` is the path up to it, with what that names made. */
type Maker = (app: TestApp, key: string, at: string) => Promise<string>

/** A new path with a parameter needs a line here. */
const makers: Record<string, Maker> = {
  '/extractions/{id}': (app, key) => make(app, key, '/extractions', reply => reply.extractionId),
  '/leads/{id}': async ({ database }, key) => {
    const holder = await database.findApiKey(hashKeyValue(key))
    return (await makeLeads(database, holder!.tenantId, [{}]))[0]!
  },
  '/leads/{id}/notes/{noteId}': (app, key, at) => make(app, key, '/leads/{id}/notes', ({ id }) => id, at),
  '/platforms/{platform}': async () => 'portal_a',
  '/webhooks/{id}': (app, key) => make(app, key, '/webhooks', reply => reply.id),
}

/** What must be done with what a path names before this route can work on it. */
const preparations: Record<string, (app: TestApp, key: string, id: string) => Promise<unknown>> = {
  '/extractions/{id}/retry': (app, key, id) => app.call('POST', `/extractions/${id}/cancel`, { key }),
}

async function make(
  app: TestApp,
  key: string,
  path: string,
  idOf: (reply: Record<string, string>) => string | undefined,
  at = path,
): Promise<string> {
  const creation = describedFeatures()
    .flatMap(({ routes }) => routes)
    .find(route => route.method === 'POST' && route.path === path)!
  const body = creation.example
  const reply = await app.call<Record<string, string>>('POST', at, { key, body })
  if (reply.status !== creation.status) throw new Error(`POST ${at} answered ${reply.status}: ${reply.text}`)
  return idOf(reply.body)!
}

/** What the parameter at the end of a path names, such as `/leads/{id}`. */
export function makeNamed(app: TestApp, key: string, path: string, at: string): Promise<string> {
  const maker = makers[path]
  if (!maker) throw new Error(`tell in test/route-paths.ts how to make what ${path} names`)
  return maker(app, key, at)
}

/** The path of a route with what it names made in the tenant of a key. */
export async function pathTo(app: TestApp, { path }: Route, key: string): Promise<string> {
  let made = path
  for (const [parameter] of path.matchAll(/\{\w+\}/g)) {
    const upToIt = path.slice(0, path.indexOf(parameter) + parameter.length)
    const id = await makeNamed(app, key, upToIt, made.slice(0, made.indexOf(`/${parameter}`)))
    await preparations[path]?.(app, key, id)
    made = made.replace(parameter, id)
  }
  return made
}
