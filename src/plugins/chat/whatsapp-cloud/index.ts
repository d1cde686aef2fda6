/**
 * WhatsApp Business Cloud API over the Graph API. A newer version of Graph is configured as the base URL, such as
 * `https://graph.facebook.com/v25.0`.
 */
import type { ChatProvider } from '../../chat.ts'
import { capabilities } from './capabilities.ts'
import { findTemplateErrors } from './check-template.ts'
import { Credentials } from './graph.ts'
import { checkAccount, connectAccount } from './health.ts'
import { openMedia } from './media.ts'
import { findRefusal } from './message-body.ts'
import { sendMessage, sendReceipt } from './send.ts'
import { listTemplates, submitTemplate } from './templates.ts'
import { webhook } from './webhook.ts'

export const whatsappCloud: ChatProvider<typeof Credentials> = {
  id: 'whatsapp_cloud',
  label: 'WhatsApp',
  baseUrl: 'https://graph.facebook.com/v23.0',
  channel: 'chat',
  mode: 'chat',
  credentials: Credentials,
  capabilities,
  connect: connectAccount,
  checkHealth: checkAccount,
  findRefusal,
  send: sendMessage,
  webhook,
  openMedia,
  markRead: (connection, { providerMessageId }, context) =>
    sendReceipt(connection, providerMessageId, false, context),
  // The indicator belongs to a message of the person, which it also marks as read.
  showTyping: async (connection, { providerMessageId }, context) => {
    if (providerMessageId) await sendReceipt(connection, providerMessageId, true, context)
  },
  templates: { list: listTemplates, findErrors: findTemplateErrors, submit: submitTemplate },
}
