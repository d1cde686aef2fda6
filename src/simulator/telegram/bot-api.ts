/** What the simulated Bot API does: the methods that the program calls, with the errors of the real one. */

/** A message that a person received. */
export interface ReceivedMessage {
  messageId: number
  chatId: number
  method: string
  fields: Record<string, unknown>
  /** The content of a file. */
  file: Buffer | null
}

export interface BotState {
  bot: { id: number; username: string }
  token: string
  /** People who have written to the bot. */
  people: Set<number>
  blockedBy: Set<number>
  received: ReceivedMessage[]
  files: Map<string, { bytes: Buffer; path: string }>
  webhook: { url: string; secret: string }
  lastError: { at: number; message: string } | null
  /** Queries of pressed buttons that have been answered. */
  answered: string[]
  nextMessageId: number
}

export interface ApiReply {
  status: number
  body: Record<string, unknown>
}

interface Request {
  fields: Record<string, unknown>
  file: Buffer | null
}

const ok = (result: unknown): ApiReply => ({ status: 200, body: { ok: true, result } })

export function fail(status: number, description: string, parameters?: Record<string, unknown>): ApiReply {
  return { status, body: { ok: false, error_code: status, description, ...(parameters && { parameters }) } }
}

const textMax = 4096
const captionMax = 1024

const methods: Record<string, (state: BotState, request: Request, method: string) => ApiReply> = {
  getMe: ({ bot }) => ok({ ...bot, is_bot: true, first_name: bot.username }),
  setWebhook(state, { fields: { url = '', secret_token: secret = '' } }) {
    if (!/^https:|^http:\/\/(?:127\.0\.0\.1|localhost):/.test(String(url)))
      return fail(400, 'Bad Request: bad webhook: An HTTPS URL must be provided for webhook')
    if (!/^[\w-]{1,256}$/.test(String(secret)))
      return fail(400, 'Bad Request: bad webhook: secret token contains unallowed characters')
    state.webhook = { url: String(url), secret: String(secret) }
    return ok(true)
  },
  deleteWebhook(state) {
    state.webhook = { url: '', secret: '' }
    return ok(true)
  },
  getWebhookInfo: ({ webhook, lastError }) =>
    ok({
      url: webhook.url,
      has_custom_certificate: false,
      pending_update_count: 0,
      ...(lastError && { last_error_date: lastError.at, last_error_message: lastError.message }),
    }),
  sendMessage: deliver,
  sendPhoto: deliver,
  sendVideo: deliver,
  sendAudio: deliver,
  sendVoice: deliver,
  sendDocument: deliver,
  sendSticker: deliver,
  sendLocation: deliver,
  sendVenue: deliver,
  setMessageReaction: (state, request, method) => {
    const reply = deliver(state, request, method)
    return reply.status === 200 ? ok(true) : reply
  },
  sendChatAction: (state, { fields }) => findRefusal(state, Number(fields.chat_id)) ?? ok(true),
  answerCallbackQuery(state, { fields }) {
    state.answered.push(String(fields.callback_query_id))
    return ok(true)
  },
  getFile({ files }, { fields }) {
    const file = files.get(String(fields.file_id))
    if (!file) return fail(400, 'Bad Request: invalid file_id')
    return ok({ file_id: fields.file_id, file_size: file.bytes.length, file_path: file.path })
  },
}

/** `token`: of the request. */
export function answer(state: BotState, token: string, method: string, request: Request): ApiReply {
  if (token !== state.token) return fail(401, 'Unauthorized')
  const run = Object.hasOwn(methods, method) ? methods[method] : undefined
  return run ? run(state, request, method) : fail(404, 'Not Found')
}

function findRefusal({ people, blockedBy }: BotState, chatId: number): ApiReply | null {
  if (!people.has(chatId)) return fail(400, 'Bad Request: chat not found')
  return blockedBy.has(chatId) ? fail(403, 'Forbidden: bot was blocked by the user') : null
}

function deliver(state: BotState, { fields, file }: Request, method: string): ApiReply {
  const chatId = Number(fields.chat_id)
  const refusal = findRefusal(state, chatId)
  if (refusal) return refusal
  const { text, caption = '' } = fields
  if (method === 'sendMessage' && !text) return fail(400, 'Bad Request: message text is empty')
  if (String(text ?? '').length > textMax) return fail(400, 'Bad Request: message is too long')
  if (String(caption).length > captionMax) return fail(400, 'Bad Request: message caption is too long')
  const messageId = state.nextMessageId++
  state.received.push({ messageId, chatId, method, fields, file })
  return ok({
    message_id: messageId,
    date: 1_780_000_000,
    chat: { id: chatId, type: 'private' },
    from: { ...state.bot, is_bot: true },
    ...(text ? { text } : {}),
  })
}
