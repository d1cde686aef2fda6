/** Connects a bot, and reads its state. */
import { asNumber, asObject, asText, truncate } from '../../../kit/json-values.ts'
import {
  type AccountHealth,
  type ChatContext,
  ChatError,
  type ConnectedAccount,
  type Connection,
} from '../../chat.ts'
import { call, tryCall } from './api.ts'
import type { BotCredentials } from './credentials.ts'
import { refuse } from './failures.ts'
import { allowedUpdates } from './webhook.ts'

const healthy: AccountHealth = {
  status: 'CONNECTED',
  reason: null,
  quality: null,
  dailyLimit: null,
  tier: null,
}
/** An older problem is over. */
const errorAgeMaxMs = 3_600_000
const waitingMax = 100
const reasonMax = 300

/** Also sets the webhook: a bot has one, so that a former program gets no more messages. */
export async function connectBot(
  credentials: BotCredentials,
  context: ChatContext,
): Promise<ConnectedAccount> {
  const bot = asObject(await call(credentials, { method: 'getMe' }, context))
  const id = asNumber(bot?.id)
  if (id === null || bot?.is_bot !== true)
    throw new ChatError(
      refuse('INVALID_CREDENTIALS', 'The token is not that of a bot. Copy it from @BotFather.', 'account'),
    )
  if (context.webhook) await setWebhook(credentials, context.webhook, context)
  const name = asText(bot.username)
  return { ...healthy, externalId: String(id), phone: null, name: name && `@${name}` }
}

async function setWebhook(
  credentials: BotCredentials,
  { url, verifyToken }: { url: string; verifyToken: string },
  context: ChatContext,
): Promise<void> {
  const fields = { url, secret_token: verifyToken, allowed_updates: allowedUpdates, max_connections: 40 }
  const outcome = await tryCall(credentials, { method: 'setWebhook', fields }, context)
  if (!('failure' in outcome)) return
  const { failure, description } = outcome
  if (failure.code !== 'MESSAGE_REJECTED') throw new ChatError(failure)
  const message = [
    `Telegram can’t post messages to ${url}.`,
    ...(description ? [`It says: ${description.replace(/\.?$/, '.')}`] : []),
    'Set PUBLIC_URL to a public https address, with one of the ports 443, 80, 88 and 8443.',
  ].join(' ')
  throw new ChatError({ ...failure, code: 'UNSUPPORTED', scope: 'account', message })
}

export async function checkBot(
  { credentials }: Connection<BotCredentials>,
  context: ChatContext,
): Promise<AccountHealth> {
  const me = await tryCall(credentials, { method: 'getMe' }, context)
  if ('failure' in me) {
    if (me.failure.code !== 'INVALID_CREDENTIALS') throw new ChatError(me.failure)
    return { ...healthy, status: 'LOGGED_OUT', reason: me.failure.message }
  }
  const reason = findWebhookProblem(
    asObject(await call(credentials, { method: 'getWebhookInfo' }, context)) ?? {},
    context,
  )
  return reason ? { ...healthy, status: 'DEGRADED', reason } : healthy
}

/** A webhook that another program has set stays. */
export async function disconnectBot(
  { credentials }: Connection<BotCredentials>,
  context: ChatContext,
): Promise<void> {
  const info = asObject(await call(credentials, { method: 'getWebhookInfo' }, context))
  if (info?.url === context.webhook?.url) await call(credentials, { method: 'deleteWebhook' }, context)
}

function findWebhookProblem(info: Record<string, unknown>, { webhook, now }: ChatContext): string | null {
  if (webhook && info.url !== webhook.url)
    return 'Messages to the bot go to another program. Connect the account again.'
  const ageMs = now.epochMilliseconds - (asNumber(info.last_error_date) ?? 0) * 1000
  const error = asText(info.last_error_message)
  const waiting = asNumber(info.pending_update_count) ?? 0
  if (error && ageMs < errorAgeMaxMs)
    return `Telegram could not post messages to this program: ${truncate(error, reasonMax)}. Check that its address can be reached.`
  return waiting > waitingMax ? `${waiting} messages to the bot have not been posted yet.` : null
}
