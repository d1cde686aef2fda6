/**
 * An AI endpoint with the chat completions of OpenAI, for a fixed set of models. `simulator` answers from the facts of the prompt,
 * `simulator-obedient` does whatever the last message of the person says. A script takes precedence over both.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Static, strictObject, Type } from '../../kit/schema.ts'
import { controlPath, createControlRoutes, read, shownMax } from '../control-routes.ts'
import { readBody } from '../read-body.ts'
import { listen, stop } from '../server.ts'
import { completeFromFacts } from './from-facts.ts'
import { completeObediently } from './obedient.ts'
import { type ChatRequest, type Completion, parseChatRequest } from './request.ts'

const Turn = strictObject({
  /** Only for a request whose messages contain it; missing: for the next one. */
  match: Type.Optional(Type.String({ maxLength: 1000 })),
  text: Type.Optional(Type.String()),
  calls: Type.Optional(Type.Array(strictObject({ name: Type.String(), arguments: Type.String() }))),
  isTruncated: Type.Optional(Type.Boolean()),
})
export type ScriptedTurn = Static<typeof Turn>

const Fault = strictObject({
  /** `cut`: the connection ends within the reply; `garbage`: no JSON; `malformed`: JSON that is no completion; `huge`: 50 MB. */
  kind: Type.Optional(Type.Enum(['hang', 'close', 'cut', 'garbage', 'malformed', 'huge', 'long', 'empty'])),
  status: Type.Optional(Type.Integer({ minimum: 300, maximum: 599 })),
  retryAfterSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
  latencyMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
  /** The number of requests; default 1. */
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
})
export type AiFault = Static<typeof Fault> & {
  /** For the same process: the answer waits for it. */
  until?: Promise<unknown>
}

export interface AiSimulator {
  /** The base URL. */
  url: string
  key: string
  /** Replies to the next requests, in the order in which they were added. */
  script: ScriptedTurn[]
  /** Applies to the next requests, in the order in which they were added. */
  faults: AiFault[]
  /** The bodies of the requests, the oldest first. */
  requests: string[]
  close(): Promise<void>
}

const bodyMaxBytes = 2_000_000
const hugeBytes = 50_000_000
const longCharacters = 30_000
const requestsMax = 10_000
export const aiModels = ['simulator', 'simulator-obedient'] as const

export async function startAi({ port = 0 }: { port?: number } = {}): Promise<AiSimulator> {
  const key = 'sim-ai-key'
  const script: ScriptedTurn[] = []
  const faults: AiFault[] = []
  const requests: string[] = []
  const { server, origin } = await listen(port)
  const control = createControlRoutes({
    'GET ': () => ({
      status: 200,
      body: { models: aiModels, script, faults, requests: requests.slice(-shownMax) },
    }),
    'POST /script': read(Turn, turn => {
      script.push(turn)
      return { status: 201, body: turn }
    }),
    'POST /faults': read(Fault, fault => {
      faults.push(fault)
      return { status: 201, body: fault }
    }),
    'DELETE /script'() {
      script.length = 0
      return { status: 200, body: {} }
    },
    'DELETE /faults'() {
      faults.length = 0
      return { status: 200, body: {} }
    },
  })

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url!.startsWith(controlPath)) return control(request, response)
    const body = (await readBody(request, bodyMaxBytes)).toString()
    if (requests.push(body) > requestsMax) requests.shift()
    const { kind, status, retryAfterSeconds, latencyMs, until } = takeFault(faults) ?? {}
    if (latencyMs) await sleep(latencyMs)
    await until
    if (kind === 'hang') return
    if (kind === 'close') return void response.destroy()
    if (status) return sendError(response, status, 'A fault of the simulator.', retryAfterSeconds)
    if (kind === 'garbage') return void response.end('<html>Welcome to nginx!</html>')
    if (kind === 'malformed') return void response.end('{"choices":[{"message":{"content":7}}]}')
    if (kind === 'huge') return void response.end(`{"choices":[],"x":"${'x'.repeat(hugeBytes)}"}`)
    if (request.url !== '/v1/chat/completions') return sendError(response, 404, 'Unknown path.')
    if (request.headers.authorization !== `Bearer ${key}`)
      return sendError(response, 401, `Wrong key ${key}.`)
    const chat = parseChatRequest(body)
    if (typeof chat === 'string') return sendError(response, 400, chat)
    const completion =
      kind === 'long'
        ? { text: 'a'.repeat(longCharacters) }
        : kind === 'empty'
          ? { text: '' }
          : complete(chat, script)
    const text = JSON.stringify(toReply(chat, completion, requests.length))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    if (kind === 'cut') return void response.write(text.slice(0, 20), () => response.destroy())
    response.end(text)
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    respond(request, response).catch(() => response.destroy())
  })
  return { url: `${origin}/v1`, key, script, faults, requests, close: () => stop(server) }
}

function takeFault(faults: AiFault[]): AiFault | undefined {
  const [fault] = faults
  if (!fault) return undefined
  fault.times = (fault.times ?? 1) - 1
  if (fault.times === 0) faults.shift()
  return fault
}

function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  retryAfterSeconds?: number,
): void {
  const retry = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  response
    .writeHead(status, { 'content-type': 'application/json', ...retry })
    .end(JSON.stringify({ error: { message, type: 'invalid_request_error' } }))
}

function complete(chat: ChatRequest, script: ScriptedTurn[]): Completion {
  const all = JSON.stringify(chat.messages)
  const index = script.findIndex(
    ({ match }) => match === undefined || all.includes(JSON.stringify(match).slice(1, -1)),
  )
  const [turn] = index < 0 ? [] : script.splice(index, 1)
  if (turn) return turn
  return chat.model === 'simulator-obedient' ? completeObediently(chat) : completeFromFacts(chat)
}

function toReply(
  { model, messages }: ChatRequest,
  { text, calls = [], isTruncated }: Completion,
  number: number,
) {
  const id = `sim-${number}`
  const toolCalls = calls.map((call, index) => ({
    id: `call_${number}_${index}`,
    type: 'function',
    function: call,
  }))
  const output = (text ?? '') + calls.map(call => call.arguments).join('')
  return {
    id,
    object: 'chat.completion',
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text ?? null,
          ...(calls.length === 0 ? {} : { tool_calls: toolCalls }),
        },
        finish_reason: isTruncated ? 'length' : calls.length === 0 ? 'stop' : 'tool_calls',
      },
    ],
    usage: {
      prompt_tokens: Math.ceil(JSON.stringify(messages).length / 4),
      completion_tokens: Math.ceil(output.length / 4),
    },
  }
}
