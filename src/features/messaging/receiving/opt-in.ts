/** A user reads in a message that a person who opted out wants messages again, and takes the opt-out back. */
import type { Channel } from '../../../domain/contactability/facts.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { notFound, Problem } from '../../../kit/problem.ts'
import { type Author, lockLeadWrites } from '../../../kit/writer.ts'
import { optIn } from '../../privacy/service.ts'
import { findIdentities } from '../conversations/queries.ts'
import { toContactIdentifiers } from '../identities.ts'
import { insertMessage } from '../messages/insert-message.ts'

interface Request {
  conversationId: string
  provider: string
  writtenAt: Date
  /** The person wrote words of opting in, and nothing else. */
  isOptIn: boolean
}

/**
 * Takes back the opt-outs of the channel that are older than the message, and leaves a note with the author. Returns the
 * id of the note. Throws 404; 403 INSUFFICIENT_SCOPE for a program without a user; 409 INVALID_TRANSITION if the message is
 * no proof, or if there is nothing to take back.
 */
export async function optInPerson(
  tx: Tx,
  messageId: string,
  { author, getChannel }: { author: Author; getChannel: (provider: string) => Channel | undefined },
): Promise<string> {
  await lockLeadWrites(tx)
  const { conversationId, provider, writtenAt, isOptIn } = await getRequest(tx, messageId)
  if (author.userId === null)
    throw new Problem(
      'INSUFFICIENT_SCOPE',
      'Only a user takes an opt-out back. Sign in, or use a key that a user has created.',
    )
  if (!isOptIn)
    throw new Problem(
      'INVALID_TRANSITION',
      'Only a message in which the person asks for messages again takes an opt-out back.',
    )
  const channel = getChannel(provider)
  const identifiers = toContactIdentifiers(await findIdentities(tx, conversationId))
  if (!channel || !(await optIn(tx, identifiers, { channel, before: writtenAt }, author)))
    throw new Problem(
      'INVALID_TRANSITION',
      'There is no opt-out of this channel from before the message, or the person opted out again since. An opt-out of all channels stays.',
    )
  const { id } = await insertMessage(tx, {
    conversationId,
    direction: 'note',
    kind: 'text',
    text: 'The opt-out was taken back, because the person asked for messages again.',
    status: 'noted',
    author,
    replyToId: messageId,
  })
  return id
}

async function getRequest(tx: Tx, messageId: string): Promise<Request> {
  const { rows } = await sql<Request>`
    select m.conversation_id as "conversationId", a.provider, coalesce(m.provider_at, m.created_at) as "writtenAt",
      m.direction = 'in' and m.nature = 'person' and m.content->>'intent' is not distinct from 'opt_in' as "isOptIn"
    from messages m join accounts a on a.tenant_id = ${getTenantId(tx)} and a.id = m.account_id
    where m.tenant_id = ${getTenantId(tx)} and m.id = ${messageId}`.execute(tx)
  if (!rows[0]) throw notFound('message')
  return rows[0]
}
