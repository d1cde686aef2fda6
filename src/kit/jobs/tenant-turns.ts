/** Work that many tenants want of one process: a few are served at once, and a tenant that wants more comes after those that wait. */
export interface TenantTurns<T> {
  /** The tenant wants this done. Wanted twice before its turn is once. */
  add(tenantId: string, wanted: T): void
  /** Resolves when nothing is under way. */
  ended(): Promise<unknown>
}

export interface TenantTurnsOptions<T> {
  /** How many tenants are served at once. */
  atOnce: number
  /** Aborted: no turn begins any more. */
  signal: AbortSignal
  /** Does what one tenant wants. It must not throw. */
  work(tenantId: string, wanted: Set<T>): Promise<void>
}

export function createTenantTurns<T>({ atOnce, signal, work }: TenantTurnsOptions<T>): TenantTurns<T> {
  // The tenant that has waited longest first.
  const waiting = new Map<string, Set<T>>()
  const underWay = new Map<string, Promise<void>>()
  const begin = () => {
    for (const [tenantId, wanted] of waiting) {
      if (signal.aborted || underWay.size >= atOnce) return
      if (underWay.has(tenantId)) continue
      waiting.delete(tenantId)
      const turn = work(tenantId, wanted).finally(() => {
        underWay.delete(tenantId)
        begin()
      })
      underWay.set(tenantId, turn)
    }
  }
  return {
    add(tenantId, wanted) {
      waiting.set(tenantId, (waiting.get(tenantId) ?? new Set()).add(wanted))
      begin()
    },
    ended: () => Promise.all(underWay.values()),
  }
}
