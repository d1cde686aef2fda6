/** Shares workers between tenants, so that a tenant with many jobs does not occupy all of them. */
import { fairShare } from '../fair-queue.ts'

export interface FairShares {
  /** The flags of jobs to skip, because their tenants already use their share. */
  forbiddenFlags(): string[]
  /** Acquires a worker for a tenant. Returns a release function, or null if the tenant already uses its share. */
  acquire(tenantId: string): (() => void) | null
}

/** `workers`: how many jobs run at once. */
export function createFairShares(workers: number): FairShares {
  const running = new Map<string, number>()
  return {
    forbiddenFlags() {
      const share = fairShare(workers, running.size)
      return [...running].flatMap(([tenantId, count]) => (count < share ? [] : `tenant ${tenantId}`))
    },
    acquire(tenantId) {
      const count = running.get(tenantId) ?? 0
      if (count >= fairShare(workers, running.size + (count === 0 ? 1 : 0))) return null
      running.set(tenantId, count + 1)
      return () => {
        const remaining = running.get(tenantId)! - 1
        if (remaining > 0) running.set(tenantId, remaining)
        else running.delete(tenantId)
      }
    },
  }
}
