/** Pages that their portal lets us use again for a while (RFC 9111): few, and of this process alone. */
import type { HttpReply } from '../kit/http/client.ts'

const entriesMax = 100
/** What is longer is not kept. */
export const cachedMaxBytes = 512 * 1024
/** Whatever the portal allows: what was misread must not stay so for long. */
const cachedMaxMs = 3_600_000

interface Entry {
  reply: HttpReply
  expiresAtMs: number
}

/** The oldest go first. */
export function createPageCache() {
  const entries = new Map<string, Entry>()
  return {
    /** The reply to a request, if it may still be used. */
    find(request: string, nowMs: number): HttpReply | null {
      const entry = entries.get(request)
      return entry && entry.expiresAtMs > nowMs ? entry.reply : null
    },
    /** Keeps a reply if its portal allows that. */
    store(request: string, reply: HttpReply, nowMs: number): void {
      const forMs = computeFreshMs(reply)
      entries.delete(request)
      if (forMs <= 0 || reply.body.length > cachedMaxBytes) return
      entries.set(request, { reply, expiresAtMs: nowMs + forMs })
      const [oldest] = entries.keys()
      if (entries.size > entriesMax && oldest !== undefined) entries.delete(oldest)
    },
  }
}

/** For how long a reply may be used instead of asking again, in milliseconds. */
function computeFreshMs({ status, headers }: HttpReply): number {
  const allowed = (headers['cache-control'] ?? '').toLowerCase()
  if (status !== 200 || /\b(no-store|no-cache|private)\b/.test(allowed) || headers.vary?.includes('*'))
    return 0
  const seconds = Number(/(?:^|[\s,])max-age="?(\d+)/.exec(allowed)?.[1] ?? 0) - (Number(headers.age) || 0)
  return Math.min(cachedMaxMs, seconds * 1000)
}
