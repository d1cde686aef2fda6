/** Accounts, conversations and messages in the database, and a reader of server-sent events. */
import { insertConversations } from '../src/features/messaging/conversations/queries.ts'
import { insertMessage, type NewMessage } from '../src/features/messaging/messages/insert-message.ts'
import { createId, getNow } from '../src/kit/clock/clock.ts'
import { getTenantId } from '../src/kit/db/context.ts'
import type { Tx } from '../src/kit/db/index.ts'

/** Inserts a connected account. Returns its id. */
export async function storeAccount(
  tx: Tx,
  { provider = 'sandbox', mode = 'chat' }: { provider?: string; mode?: 'chat' | 'chat-no-api' } = {},
): Promise<string> {
  const id = createId(tx)
  const now = getNow(tx)
  await tx
    .insertInto('accounts')
    .values({
      tenant_id: getTenantId(tx),
      id,
      provider,
      mode,
      display_name: 'An account',
      external_id: id,
      status: 'CONNECTED',
      status_changed_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return id
}

/** Inserts a conversation with a phone. Returns its id. */
export async function storeConversation(
  tx: Tx,
  { accountId, leadId = null, phone }: { accountId: string; leadId?: string | null; phone: string },
): Promise<string> {
  const identities = [{ kind: 'phone' as const, value: phone }]
  const [conversationId] = await insertConversations(tx, accountId, [{ leadId, identities }])
  return conversationId!
}

/** Inserts a message that the person wrote, or another one. */
export const storeMessage = (
  tx: Tx,
  conversationId: string,
  message: Partial<NewMessage> = {},
): Promise<{ id: string; sequence: number }> =>
  insertMessage(tx, {
    conversationId,
    direction: 'in',
    kind: 'text',
    text: 'Hola',
    status: 'received',
    ...message,
  })

export interface ReceivedEvent {
  event: string
  id: string | null
  // biome-ignore lint/suspicious/noExplicitAny: tests know the data of each event.
  data: any
}

/** Reads a stream of server-sent events, one at a time. */
export async function* readEvents(reply: Response): AsyncGenerator<ReceivedEvent> {
  let text = ''
  for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const read = (name: string) => lines.find(line => line.startsWith(`${name}: `))?.slice(name.length + 2)
      const event = read('event')
      if (event) yield { event, id: read('id') ?? null, data: JSON.parse(read('data')!) }
    }
  }
}
