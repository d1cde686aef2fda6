/** Work that many tenants want of one process: a few are served at once, and a tenant that wants more comes after those that wait. */
export interface TenantWorkQueue<T> {
  /** The tenant wants this done. Wanted twice before its turn is once. */
  add(tenantId: string, items: T): void
  /** Resolves when nothing is under way. */
  idle(): Promise<unknown>
}

export interface TenantWorkQueueOptions<T> {
  /** How many tenants are served at once. */
  concurrency: number
  /** Aborted: no turn begins any more. */
  signal: AbortSignal
  /** Does what one tenant wants. It must not throw. */
  work(tenantId: string, items: Set<T>): Promise<void>
}

export function createTenantWorkQueue<T>({
  concurrency,
  signal,
  work,
}: TenantWorkQueueOptions<T>): TenantWorkQueue<T> {
  // The tenant that has waited longest first.
  const queued = new Map<string, Set<T>>()
  const running = new Map<string, Promise<void>>()
  const startNext = () => {
    for (const [tenantId, items] of queued) {
      if (signal.aborted || running.size >= concurrency) return
      if (running.has(tenantId)) continue
      queued.delete(tenantId)
      const run = work(tenantId, items).finally(() => {
        running.delete(tenantId)
        startNext()
      })
      running.set(tenantId, run)
    }
  }
  return {
    add(tenantId, items) {
      queued.set(tenantId, (queued.get(tenantId) ?? new Set()).add(items))
      startNext()
    },
    idle: () => Promise.all(running.values()),
  }
}
