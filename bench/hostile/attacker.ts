/** The attacker: a caller with a key of its workspace, which counts replies. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Number of replies by status, and of aborted requests. */
export type Answers = Record<string, number>

export interface Attacker {
  url: string
  key: string
  send(method: string, path: string, request?: HostileRequest): Promise<{ status: string; body: string }>
  /** Sends `count` requests concurrently, and counts the replies. `toRequest` returns the arguments of `send`. */
  flood(
    count: number,
    toRequest: (n: number) => [method: string, path: string, request?: HostileRequest],
  ): Promise<Answers>
  /** Stores this number of leads, and returns their ids. */
  createLeads(count: number): Promise<string[]>
}

export interface HostileRequest {
  /** A string is sent unchanged, other values as JSON. */
  body?: unknown
  type?: string
  /** Timeout of the request. */
  abortAfterMs?: number
}

/** Default timeout of a request of an attack. */
const requestTimeoutMs = 15_000

const batchSize = 500

/** A place with hundreds of homes in the market. */
export const place = { latitude: 41.39, longitude: 2.16 }

/** The property to be valued. */
export const subject = {
  ...place,
  squareMeters: 80,
  bedrooms: 2,
  bathrooms: 1,
  propertyType: 'homes',
  operation: 'sale',
}

/** A case of the benchmark. `attack` ends when all is sent, or after some seconds. */
export interface Case<T = never> {
  name: string
  /** Preparation, which is not measured. */
  prepare?(attacker: Attacker): Promise<T>
  attack(attacker: Attacker, prepared: T): Promise<Answers>
}

/** Declares a case. Its type parameter is erased, so that cases fit into one list. */
export const defineCase = <T>(definition: Case<T>): Case => definition as unknown as Case

export function createAttacker(url: string, key: string): Attacker {
  const send: Attacker['send'] = async (
    method,
    path,
    { body, type = 'application/json', abortAfterMs = requestTimeoutMs } = {},
  ) => {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), abortAfterMs)
    try {
      const reply = await fetch(`${url}/public/v1${path}`, {
        method,
        signal: controller.signal,
        headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': type }) },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      return { status: String(reply.status), body: await reply.text() }
    } catch {
      return { status: 'aborted', body: '' }
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    url,
    key,
    send,
    async flood(count, toRequest) {
      const replies = await Promise.all(Array.from({ length: count }, (_, n) => send(...toRequest(n))))
      return countStatuses(replies.map(({ status }) => status))
    },
    async createLeads(count) {
      const ids: string[] = []
      while (ids.length < count) {
        const leads = Array.from({ length: Math.min(batchSize, count - ids.length) }, (_, n) => ({
          contact: { name: `Ana ${ids.length + n}` },
          property: { title: `Piso ${ids.length + n} en venta`, price: 100_000 + n },
        }))
        const { body } = await send('POST', '/leads/batch', { body: { leads } })
        const { data } = JSON.parse(body) as { data: { lead: { id: string } }[] }
        ids.push(...data.map(({ lead }) => lead.id))
      }
      return ids
    },
  }
}

export function countStatuses(statuses: string[]): Answers {
  const answers: Answers = {}
  for (const status of statuses) answers[status] = (answers[status] ?? 0) + 1
  return answers
}

/** Adds the counts of `more` to `answers`. */
export function addCounts(answers: Answers, more: Answers): void {
  for (const [status, times] of Object.entries(more)) answers[status] = (answers[status] ?? 0) + times
}

/** Lets background work run for a while. */
export async function waitForBackground(answers: Answers, ms: number): Promise<Answers> {
  await sleep(ms)
  return answers
}
