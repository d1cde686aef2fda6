/** Telegram over the Bot API: people write to a bot of the agency. */
import { ChatError, type ChatProvider } from '../../chat.ts'
import { checkBot, connectBot, disconnectBot } from './account.ts'
import { call, tryCall } from './api.ts'
import { capabilities } from './capabilities.ts'
import { Credentials } from './credentials.ts'
import { openFile } from './media.ts'
import { parseCallbackId } from './message-ids.ts'
import { findChatId, findRefusal, sendMessage } from './send.ts'
import { webhook } from './webhook.ts'

export const telegram: ChatProvider<typeof Credentials> = {
  id: 'telegram',
  label: 'Telegram',
  baseUrl: 'https://api.telegram.org',
  channel: 'chat',
  mode: 'chat',
  credentials: Credentials,
  capabilities,
  connect: connectBot,
  checkHealth: checkBot,
  disconnect: disconnectBot,
  findRefusal,
  send: sendMessage,
  webhook,
  openMedia: openFile,
  // Bots have no read receipts, but a pressed button waits for an answer.
  async markRead({ credentials }, { providerMessageId }, context) {
    const queryId = parseCallbackId(providerMessageId)
    if (queryId === null) return
    const fields = { callback_query_id: queryId }
    const outcome = await tryCall(credentials, { method: 'answerCallbackQuery', fields }, context)
    // After some minutes the button no longer waits.
    if ('failure' in outcome && outcome.failure.code !== 'MESSAGE_REJECTED')
      throw new ChatError(outcome.failure)
  },
  async showTyping({ credentials }, { to }, context) {
    const chatId = findChatId(to)
    if (chatId === null) return
    await call(
      credentials,
      { method: 'sendChatAction', fields: { chat_id: chatId, action: 'typing' } },
      context,
    )
  },
}
