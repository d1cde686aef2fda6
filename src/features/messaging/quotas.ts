/** The quota of messages. */
import type { Quota } from '../../kit/quota.ts'

/** Messages to people in a month, whoever sends them. */
export const messagesPerMonth: Quota = { name: 'maxMessagesPerMonth' }
