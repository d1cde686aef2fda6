/** Faults of a portal, set at run time for some or all requests. */

const faultKinds = [
  'status',
  'hang',
  'drip',
  'close',
  'challenge',
  'empty',
  'redirectToLogin',
  'layout',
  'loop',
  'length',
  'huge',
  'latency',
] as const

export type FaultKind = (typeof faultKinds)[number]

export interface Fault {
  /**
   * - `status`: an error page with `status`, and `Retry-After` if `retryAfterSeconds` is given
   * - `hang`: never answers
   * - `drip`: the normal page, one byte every `intervalMs`
   * - `close`: cuts the connection halfway through the body
   * - `challenge`: a robot check, with `status` 403 (default) or 200
   * - `empty`: a search page with its total but without its cards
   * - `redirectToLogin`: 302 to a sign-in page
   * - `layout`: the normal page with other class names and without its embedded data
   * - `loop`: every page of a search repeats the first and announces one more
   * - `length`: announces twice the bytes that it sends
   * - `huge`: a page of `bytes` bytes
   * - `latency`: the normal page, after `latencyMs`
   */
  kind: FaultKind
  /** The portal with the fault; default: all. */
  portal?: string
  /** Compared with path and query; a string is a prefix. Default: every request, also robots.txt. */
  match?: string | RegExp
  /** Number of matching requests to answer with the fault; default: all. */
  times?: number
  /** HTTP status of `status` (default 500) and `challenge` (default 403). */
  status?: number
  retryAfterSeconds?: number
  /** Delay of the answer in milliseconds, for every kind; default 0, for `latency` 1000. */
  latencyMs?: number
  /** Instead of `latencyMs`, for the same process: the answer waits for it. */
  until?: Promise<unknown>
  /** Pause between the bytes of `drip`; default 20. */
  intervalMs?: number
  /** Length of `huge`; default 50,000,000. */
  bytes?: number
}

export interface FaultControl {
  /** Adds a fault. If several match a request, the oldest applies. */
  add(fault: Fault): void
  /** Removes all faults. Hanging requests keep hanging. */
  clear(): void
  /** The active faults, each with its remaining requests. */
  list(): readonly Fault[]
}

export interface Faults extends FaultControl {
  /** Returns the fault for this request, if any, and counts it as used. */
  consume(portal: string, path: string): Fault | undefined
}

export function createFaults(initial: readonly Fault[] = []): Faults {
  let active: Fault[] = []
  const add = (fault: Fault) => {
    active.push({ ...fault })
  }
  initial.forEach(add)
  return {
    add,
    clear() {
      active = []
    },
    list: () => active,
    consume(portal, path) {
      const fault = active.find(candidate => matchesRequest(candidate, portal, path))
      if (fault?.times !== undefined) {
        fault.times -= 1
        if (fault.times <= 0) active = active.filter(other => other !== fault)
      }
      return fault
    },
  }
}

function matchesRequest(fault: Fault, portal: string, path: string): boolean {
  if (fault.portal !== undefined && fault.portal !== portal) return false
  if (fault.match === undefined) return true
  // `search` rather than `test`: `test` of a global expression keeps its position.
  return typeof fault.match === 'string' ? path.startsWith(fault.match) : path.search(fault.match) >= 0
}

const fields: Record<Exclude<keyof Fault, 'until'>, 'string' | 'number'> = {
  kind: 'string',
  portal: 'string',
  match: 'string',
  times: 'number',
  status: 'number',
  retryAfterSeconds: 'number',
  latencyMs: 'number',
  intervalMs: 'number',
  bytes: 'number',
}

/** Parses a fault from JSON. Throws an error that names the problem. */
export function parseFault(json: string, portals: readonly string[]): Fault {
  const value: unknown = JSON.parse(json)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('A fault is an object.')
  for (const [name, field] of Object.entries(value)) {
    if (!(name in fields)) throw new Error(`A fault has no field '${name}'.`)
    const type = fields[name as keyof typeof fields]
    const isValid = type === 'string' ? typeof field === 'string' : Number.isInteger(field) && field >= 0
    if (!isValid)
      throw new Error(`'${name}' must be a ${type === 'string' ? 'string' : 'whole number from 0'}.`)
  }
  const fault = value as Fault
  if (!faultKinds.includes(fault.kind)) throw new Error(`'kind' must be one of ${faultKinds.join(', ')}.`)
  if (fault.portal !== undefined && !portals.includes(fault.portal)) {
    throw new Error(`'portal' must be one of ${portals.join(', ')}.`)
  }
  if (fault.status !== undefined && (fault.status < 200 || fault.status > 599)) {
    throw new Error("'status' must be from 200 to 599.")
  }
  return fault
}
