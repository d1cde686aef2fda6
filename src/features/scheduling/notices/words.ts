/** The texts of notices about appointments. */
import type { NoticeKind } from './plan-notices.ts'

export interface NoticeWords {
  /** BCP 47, for dates. */
  locale: string
  /** `name`: null: the visitor has none that can be greeted. */
  greeting: (name: string | null) => string
  /** The beginning of the subject. The name of the event type and the time follow. */
  subject: Record<NoticeKind, string>
  toVisitor: Record<NoticeKind, string>
  /** Nobody confirmed it in time. */
  expired: string
  toAgent: Record<NoticeKind, string>
  /** Follows what a notice of a move says, if the new time waits for a confirmation. */
  unconfirmed: { toVisitor: string; toAgent: string }
  labels: {
    when: string
    place: string
    video: string
    agent: string
    visitor: string
    phone: string
    email: string
    reason: string
  }
  agentCalls: (phone: string) => string
  visitorCalls: (phone: string) => string
  manage: string
  bookAgain: string
}
