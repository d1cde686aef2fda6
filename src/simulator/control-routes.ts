/** What simulated providers do on request over HTTP, for programs that do not run in their process. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { compile, type Static, type TSchema } from '../kit/schema.ts'
import { readBody } from './read-body.ts'

export const controlPath = '/__simulator'
/** The last messages that a control address shows. */
export const shownMax = 100
const bodyMaxBytes = 1_000_000

export interface ControlReply {
  status: number
  body: object
}

type Handler = (body: Buffer) => ControlReply | Promise<ControlReply>

/** Answers requests to paths below `controlPath`. `routes`: by method and rest of the path, such as `POST /faults`. */
export function createControlRoutes(routes: Record<string, Handler>) {
  const reply = async (request: IncomingMessage): Promise<ControlReply> => {
    const path = URL.parse(request.url ?? '', 'http://localhost')?.pathname ?? ''
    const name = `${request.method} ${path.slice(controlPath.length)}`
    if (!path.startsWith(controlPath) || !Object.hasOwn(routes, name))
      return refuse(
        404,
        `Try ${Object.keys(routes)
          .map(route => route.replace(' ', ` ${controlPath}`))
          .join(', ')}.`,
      )
    try {
      return await routes[name]!(await readBody(request, bodyMaxBytes))
    } catch (error) {
      return refuse(400, (error as Error).message)
    }
  }
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body } = await reply(request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
}

export const refuse = (status: number, error: string): ControlReply => ({ status, body: { error } })

export function read<Schema extends TSchema>(
  schema: Schema,
  use: (value: Static<Schema>) => ControlReply | Promise<ControlReply>,
): Handler {
  const validate = compile(schema)
  return body => {
    const value = parseJson(body)
    const [error] = validate(value)
    return error ? refuse(400, JSON.stringify(error)) : use(value as Static<Schema>)
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}
