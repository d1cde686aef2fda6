/** What simulated providers do on request over HTTP, for programs that do not run in their process. */
import { compile, type Static, type TSchema } from '../kit/schema.ts'

export const controlPath = '/__simulator'
/** The last messages that a control address shows. */
export const shownMax = 100

export interface ControlReply {
  status: number
  body: object
}

type Handler = (body: Buffer) => ControlReply | Promise<ControlReply>

/** Answers requests to paths below `controlPath`. `routes`: by method and rest of the path, such as `POST /faults`. */
export function createControlRoutes(routes: Record<string, Handler>) {
  return async (method: string, path: string, body: Buffer): Promise<ControlReply> => {
    const name = `${method} ${path.slice(controlPath.length)}`
    return Object.hasOwn(routes, name)
      ? routes[name]!(body)
      : refuse(404, `Try ${Object.keys(routes).join(', ')} at ${controlPath}.`)
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
