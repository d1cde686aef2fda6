/** Workers that tenants share: however many jobs one has, there is a worker for who comes next. */
import { shareOf } from '../fair-queue.ts'

export interface WorkerShares {
  /** The flags of jobs that are to be passed over: their tenants have their share. */
  flagsToSkip(): string[]
  /** Takes a worker for a job of the tenant, and returns how to give it back; null: the tenant has its share. */
  begin(tenantId: string): (() => void) | null
}

/** `workers` is how many jobs run at once. */
export function createWorkerShares(workers: number): WorkerShares {
  const running = new Map<string, number>()
  return {
    flagsToSkip() {
      const share = shareOf(workers, running.size)
      return [...running].flatMap(([tenantId, count]) => (count < share ? [] : `tenant ${tenantId}`))
    },
    begin(tenantId) {
      const count = running.get(tenantId) ?? 0
      if (count >= shareOf(workers, running.size + (count === 0 ? 1 : 0))) return null
      running.set(tenantId, count + 1)
      return () => {
        const left = running.get(tenantId)! - 1
        if (left > 0) running.set(tenantId, left)
        else running.delete(tenantId)
      }
    },
  }
}
