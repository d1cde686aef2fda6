/** What the refusal of a message says about its template, or its person. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import type { ChatFailure, ChatFailureCode, TemplateReference } from '../../../plugins/chat.ts'
import { findSandboxRecipient } from '../../../plugins/sandbox/recipients.ts'
import { getEnvironment } from '../../accounts/service.ts'
import { refuseMarketing } from '../../privacy/service.ts'
import { recordTemplateFailure } from '../../templates/service.ts'
import { findIdentities } from '../conversations/queries.ts'
import { toContactIdentifiers } from '../identities.ts'
import type { OutgoingRow } from './outgoing-rows.ts'

/** The person has refused messages with the provider. */
export const refusalCodes: ChatFailureCode[] = ['RECIPIENT_OPTED_OUT', 'RECIPIENT_BLOCKED']

/**
 * A provider may refuse a template before it reports that it has paused it, and a recipient before it reports that they
 * refuse marketing or have blocked the account.
 */
export async function recordRefusal(
  tx: Tx,
  { id, accountId, conversationId }: Pick<OutgoingRow, 'id' | 'accountId' | 'conversationId'>,
  failure: ChatFailure,
): Promise<void> {
  if (refusalCodes.includes(failure.code)) await recordRefusedMarketing(tx, conversationId, id)
  if (failure.scope !== 'template') return
  const { rows } = await sql<{ template: TemplateReference | null }>`
    select content->'template' as template from messages
    where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
  const template = rows[0]?.template
  if (template) await recordTemplateFailure(tx, accountId, template, failure)
}

async function recordRefusedMarketing(tx: Tx, conversationId: string, messageId: string): Promise<void> {
  const identities = await findIdentities(tx, conversationId)
  // The next message to a recipient of the sandbox has the same outcome.
  if (findSandboxRecipient(identities) && (await getEnvironment(tx)) === 'test') return
  const channel = identities.every(({ kind }) => kind === 'email') ? 'email' : 'chat'
  await refuseMarketing(tx, toContactIdentifiers(identities), { channel, note: `message ${messageId}` })
}
