/**
 * Shares one process's work between tenants: a few are served at once, and a tenant with more work queues behind the
 * others.
 */
export interface TenantWorkQueue<T> {
  /** Adds an item for a tenant. The same item added twice before the tenant's turn is done once. */
  add(tenantId: string, item: T): void
  /** Resolves when the running turns have ended. */
  idle(): Promise<unknown>
}

export interface TenantWorkQueueOptions<T> {
  /** How many tenants are served at once. */
  concurrency: number
  /** Once aborted, no further turn starts. */
  signal: AbortSignal
  /** Processes the items of one tenant. It must not throw. */
  work(tenantId: string, items: Set<T>): Promise<void>
}

export function createTenantWorkQueue<T>({
  concurrency,
  signal,
  work,
}: TenantWorkQueueOptions<T>): TenantWorkQueue<T> {
  // In the order in which tenants were added.
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
    add(tenantId, item) {
      queued.set(tenantId, (queued.get(tenantId) ?? new Set()).add(item))
      startNext()
    },
    idle: () => Promise.all(running.values()),
  }
}
