/** A small cache, per process, of pages whose portal allows caching (RFC 9111). */
import type { HttpReply } from '../kit/http/client.ts'

const entriesMax = 100
/** Longer bodies are not cached. */
export const cachedMaxBytes = 512 * 1024
/** The longest time in the cache, whatever the portal allows, so that a faulty reply does not stay for long. */
const cachedMaxMs = 3_600_000

interface Entry {
  reply: HttpReply
  expiresAtMs: number
}

/** Creates a cache. When it is full, the oldest entry is evicted. */
export function createPageCache() {
  const entries = new Map<string, Entry>()
  return {
    /** The cached reply to a request; null if there is none or it has expired. */
    find(request: string, nowMs: number): HttpReply | null {
      const entry = entries.get(request)
      return entry && entry.expiresAtMs > nowMs ? entry.reply : null
    },
    /** Stores a reply if its headers allow that. */
    store(request: string, reply: HttpReply, nowMs: number): void {
      const freshMs = computeFreshMs(reply)
      entries.delete(request)
      if (freshMs <= 0 || reply.body.length > cachedMaxBytes) return
      entries.set(request, { reply, expiresAtMs: nowMs + freshMs })
      const [oldest] = entries.keys()
      if (entries.size > entriesMax && oldest !== undefined) entries.delete(oldest)
    },
  }
}

/** How long a reply is fresh, in milliseconds; 0 if it may not be cached. */
function computeFreshMs({ status, headers }: HttpReply): number {
  const allowed = (headers['cache-control'] ?? '').toLowerCase()
  if (status !== 200 || /\b(no-store|no-cache|private)\b/.test(allowed) || headers.vary?.includes('*'))
    return 0
  const seconds = Number(/(?:^|[\s,])max-age="?(\d+)/.exec(allowed)?.[1] ?? 0) - (Number(headers.age) || 0)
  return Math.min(cachedMaxMs, seconds * 1000)
}
