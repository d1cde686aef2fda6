/** Converts stored conversations to API replies. */
import { getWindowEnd, isRecentAnswer, isWindowOpen } from '../../../domain/messaging/reply-window.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { type ChatAccounts, isAllowed } from '../../accounts/service.ts'
import { getWindowStart } from '../identities.ts'
import { type ConversationRow, getConversation } from './queries.ts'
import type { Conversation } from './schemas.ts'

type Accounts = Pick<ChatAccounts, 'getProvider'>

/** In the order of the rows. */
export function toConversations(tx: Tx, rows: ConversationRow[], accounts: Accounts): Conversation[] {
  const now = getNow(tx)
  return rows.map(row => {
    const { account } = row
    const provider = accounts.getProvider(account.provider, 'live')
    const hours = provider?.capabilities.replyWindowHours ?? null
    const windowStart = getWindowStart(row.identities, provider?.capabilities.identities ?? [])
    const isAnswer = isRecentAnswer(windowStart, hours, now)
    const canSend = provider && isAllowed(account, isAnswer) && !account.isPaused
    return toConversation(row, {
      canReply: Boolean(canSend) && isWindowOpen(windowStart, hours, now),
      windowEnd: getWindowEnd(windowStart, hours),
    })
  })
}

/** Throws 404. */
export async function readConversation(tx: Tx, id: string, accounts: Accounts): Promise<Conversation> {
  const [conversation] = toConversations(tx, [await getConversation(tx, id)], accounts)
  return conversation!
}

function toConversation(
  row: ConversationRow,
  { canReply, windowEnd }: { canReply: boolean; windowEnd: Date | null },
): Conversation {
  return {
    id: row.id,
    accountId: row.accountId,
    leadId: row.leadId,
    leadAbsence: row.leadAbsence,
    contactName: row.contactName,
    identities: row.identities.map(({ kind, value }) => ({ kind, value })),
    status: row.status,
    snoozedUntil: formatTime(row.snoozedUntil),
    assignedUserId: row.assignedUserId,
    labels: row.labels,
    subject: row.subject,
    unreadCount: row.unreadCount,
    canReply,
    replyWindowExpiresAt: formatTime(windowEnd),
    lastMessage: row.lastMessage,
    lastMessageAt: row.lastMessageAt.toISOString(),
    lastInboundAt: formatTime(row.lastInboundAt),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

const formatTime = (time: Date | null): string | null => time?.toISOString() ?? null
