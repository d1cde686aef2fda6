/** The Bot API of Telegram on loopback, and people who write to the bot, with faults by seed. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { controlPath } from '../control-routes.ts'
import { readBody } from '../read-body.ts'
import { listen, stop } from '../server.ts'
import { type ApiReply, answer, type BotState, fail, type ReceivedMessage } from './bot-api.ts'
import { createTelegramControl } from './control.ts'
import { createTelegramFaults, type TelegramFaults } from './faults.ts'

export type { ReceivedMessage, TelegramFaults }

export interface TelegramSimulator {
  /** The base URL of the provider. */
  url: string
  token: string
  /** What people received, the oldest first. */
  received: readonly ReceivedMessage[]
  /** Queries of pressed buttons that were answered. */
  answered: readonly string[]
  /** Posts a message of a person; `content` has the fields of the Bot API. Returns the id of the message. */
  say(personId: number, content: Record<string, unknown>): Promise<number>
  /** Posts that a person pressed a button of a message. */
  press(personId: number, message: ReceivedMessage, data: string): Promise<void>
  /** Posts any update. */
  post(update: Record<string, unknown>): Promise<void>
  /** Blocks or unblocks the bot, and posts that. */
  block(personId: number, isBlocked: boolean): Promise<void>
  /** Stores a file that a person sent; returns its id. */
  addFile(bytes: Buffer): string
  /** Replaces the faults. They begin again with the seed. */
  setFaults(faults: TelegramFaults): void
  /** From now on the old token is refused. */
  revokeToken(): void
  close(): Promise<void>
}

const bodyMaxBytes = 60_000_000
const updateTimeoutMs = 5000

export async function startTelegram({
  seed = 1,
  faults = {},
  port = 0,
}: {
  seed?: number
  faults?: TelegramFaults
  /** Any free one by default or if it is in use. */
  port?: number
} = {}): Promise<TelegramSimulator> {
  let chance = createTelegramFaults(seed, faults)
  const bot = { id: 700_000_000 + seed, username: 'agency_bot' }
  const state: BotState = {
    bot,
    token: `${bot.id}:simulated-token-of-the-bot`,
    people: new Set(),
    blockedBy: new Set(),
    received: [],
    files: new Map(),
    webhook: { url: '', secret: '' },
    lastError: null,
    answered: [],
    nextMessageId: 1,
  }
  const updates = createUpdates(state, () => chance.nextUpdate())
  const say: TelegramSimulator['say'] = async (personId, content) => {
    state.people.add(personId)
    const messageId = state.nextMessageId++
    await updates.post({ message: { message_id: messageId, ...toPrivate(personId), ...content } })
    return messageId
  }
  const setFaults = (changed: TelegramFaults) => {
    chance = createTelegramFaults(seed, changed)
  }
  const control = createTelegramControl({ state, say, setFaults })
  const { server, origin } = await listen(port)
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const answer = request.url!.startsWith(controlPath)
      ? control(request, response)
      : respond(state, chance, request, response)
    answer.catch(() => response.destroy())
  })
  return {
    url: origin,
    token: state.token,
    received: state.received,
    answered: state.answered,
    post: updates.post,
    say,
    async press(personId, { messageId, fields }, data) {
      const message = { message_id: messageId, ...toPrivate(personId), reply_markup: fields.reply_markup }
      const id = `${personId}${state.nextMessageId++}`
      await updates.post({ callback_query: { id, from: toPrivate(personId).from, message, data } })
    },
    async block(personId, isBlocked) {
      if (isBlocked) state.blockedBy.add(personId)
      else state.blockedBy.delete(personId)
      await updates.post({
        my_chat_member: {
          ...toPrivate(personId),
          old_chat_member: { status: isBlocked ? 'member' : 'kicked' },
          new_chat_member: { status: isBlocked ? 'kicked' : 'member' },
        },
      })
    },
    addFile(bytes) {
      const id = `file-${state.files.size}`
      state.files.set(id, { bytes, path: `documents/${id}.bin` })
      return id
    },
    setFaults,
    revokeToken() {
      state.token = `${bot.id}:another-token-of-the-same-bot`
    },
    close: () => stop(server),
  }
}

const toSeconds = (ms: number) => Math.floor(ms / 1000)

function toPrivate(personId: number) {
  return {
    date: toSeconds(Date.now()),
    chat: { id: personId, type: 'private', first_name: 'Marta' },
    from: { id: personId, is_bot: false, first_name: 'Marta', last_name: 'Soler' },
  }
}

type Chance = ReturnType<typeof createTelegramFaults>

/** Posts updates to the webhook, one after the other. */
function createUpdates(state: BotState, nextFault: Chance['nextUpdate']) {
  let updateId = 1
  let late: string | null = null
  const send = async (body: string) => {
    const { url, secret } = state.webhook
    if (url === '') return
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
      body,
      signal: AbortSignal.timeout(updateTimeoutMs),
    }).catch(() => null)
    await reply?.arrayBuffer()
    if (!reply?.ok)
      state.lastError = {
        at: toSeconds(Date.now()),
        message: reply ? `Wrong response from the webhook: ${reply.status}` : 'Connection refused',
      }
  }
  return {
    async post(update: Record<string, unknown>) {
      const body = JSON.stringify({ update_id: updateId++, ...update })
      const fault = nextFault()
      if (fault === 'lost') return
      if (fault === 'late' && late === null) {
        late = body
        return
      }
      await send(body)
      if (fault === 'repeated') await send(body)
      if (late !== null) {
        await send(late)
        late = null
      }
    },
  }
}

async function respond(
  state: BotState,
  chance: Chance,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, token, path] = /^\/(?:file\/)?bot([^/]+)\/(.+)$/.exec(request.url ?? '') ?? []
  if (token === undefined || path === undefined) return sendJson(response, fail(404, 'Not Found'))
  if (request.url!.startsWith('/file/')) return sendFile(state, token, path, response)
  if (Number(request.headers['content-length'] ?? 0) > bodyMaxBytes)
    return sendJson(response, fail(413, 'Request Entity Too Large'))
  const call = await readCall(request)
  if (chance.latencyMs > 0) await sleep(chance.latencyMs)
  const fault = chance.nextCall()
  if (fault === 'rateLimited')
    return sendJson(response, fail(429, 'Too Many Requests: retry after 1', { retry_after: 1 }))
  if (fault === 'unavailable') return sendGatewayError(response)
  const reply = answer(state, token, path, call)
  if (fault === 'unavailableAfter') return sendGatewayError(response)
  if (fault === 'replyLost') {
    response.destroy()
    return
  }
  sendJson(response, reply)
}

async function readCall(request: IncomingMessage) {
  const type = request.headers['content-type'] ?? ''
  const body = await readBody(request, bodyMaxBytes)
  if (!type.startsWith('multipart/')) {
    return { fields: body.length > 0 ? JSON.parse(body.toString()) : {}, file: null }
  }
  const form = await new Response(body, { headers: { 'content-type': type } }).formData()
  const fields: Record<string, unknown> = {}
  let file: Buffer | null = null
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = value
    else file = Buffer.from(await value.arrayBuffer())
  }
  return { fields, file }
}

function sendFile(state: BotState, token: string, path: string, response: ServerResponse): void {
  const file = [...state.files.values()].find(one => one.path === path)
  if (token !== state.token || !file) {
    sendJson(response, fail(404, 'Not Found'))
    return
  }
  response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file.bytes)
}

function sendGatewayError(response: ServerResponse): void {
  response.writeHead(502, { 'content-type': 'text/html' }).end('<html>502 Bad Gateway</html>')
}

function sendJson(response: ServerResponse, { status, body }: ApiReply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
