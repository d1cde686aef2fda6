/** The organizer of invitations: the mailbox that sends them. */
import type { Tx } from '../../../kit/db/index.ts'
import type { NoticeAccount } from './choose-account.ts'
import type { NoticeDependencies } from './dependencies.ts'

/** Mail programs compare the organizer with the sender. */
export async function readOrganizer(
  tx: Tx,
  { accounts }: NoticeDependencies,
  { account }: NoticeAccount,
): Promise<{ name: string; email: string }> {
  const { credentials, displayName, externalId } = (await accounts.openConnection(tx, account.id)).connection
  const { address = externalId, name } = credentials as { address?: string; name?: string }
  return { name: name ?? displayName, email: address }
}
