/** Workers that tenants share: however many jobs one has, there is a worker for who comes next. */
import { fairShare } from '../fair-queue.ts'

export interface FairShares {
  /** The flags of jobs that are to be passed over: their tenants have their share. */
  forbiddenFlags(): string[]
  /** Takes a worker for a job of the tenant, and returns how to give it back; null: the tenant has its share. */
  acquire(tenantId: string): (() => void) | null
}

/** `workers` is how many jobs run at once. */
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
