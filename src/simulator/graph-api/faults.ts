/** Faults of the simulated Graph API, set for the next requests or for all. */

export const graphFaultKinds = ['error', 'page', 'cut', 'hang', 'slow'] as const

export interface GraphFault {
  /**
   * - `error`: an error object of Graph with `code`, and `status` (default 400)
   * - `page`: an HTML page of a gateway with `status` (default 502)
   * - `cut`: the connection is cut without an answer
   * - `hang`: no answer
   * - `slow`: the normal answer after `latencyMs`
   */
  kind: (typeof graphFaultKinds)[number]
  /** The end of the path, such as `/messages`; default: every request. */
  path?: string
  /** Default: all matching requests. */
  times?: number
  status?: number
  code?: number
  isTransient?: boolean
  retryAfterSeconds?: number
  latencyMs?: number
  /** For `page`, `cut` and `hang`: the request takes effect all the same. */
  isAccepted?: boolean
}

export interface GraphFaults {
  add(fault: GraphFault): void
  clear(): void
  /** The active faults, each with its remaining requests. */
  list(): readonly GraphFault[]
  /** Finds the oldest fault for a path and counts it as used. */
  consume(path: string): GraphFault | undefined
}

export function createFaults(): GraphFaults {
  let active: GraphFault[] = []
  return {
    add: fault => void active.push({ ...fault }),
    clear() {
      active = []
    },
    list: () => active,
    consume(path) {
      const fault = active.find(candidate => path.endsWith(candidate.path ?? ''))
      if (fault?.times !== undefined && --fault.times <= 0) active = active.filter(other => other !== fault)
      return fault
    },
  }
}
