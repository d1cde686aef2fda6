/** Posts signed callbacks to the webhook: late, repeated, reordered and lost by seed. */
import { createHmac } from 'node:crypto'
import { createRandom } from '../../domain/random.ts'

export interface CallbackFaults {
  /** Shares from 0 to 1 of all callbacks. */
  late?: number
  repeated?: number
  reordered?: number
  lost?: number
  /** The delay of late ones; default 200 ms. */
  lateMs?: number
}

export interface Callbacks {
  /** Where callbacks go; null: nowhere. The last ones of before the first webhook are posted to it. */
  setWebhook(url: string | null): void
  setFaults(faults: CallbackFaults): void
  /** Posts a change after `delayMs`. */
  post(field: string, value: object, delayMs?: number): void
  /** Waits until nothing is waiting to be posted. */
  settle(): Promise<void>
  /** Bodies that were posted, with the status of the answer. The oldest go after 100,000. */
  posted: { body: string; status: number | null }[]
  close(): void
}

/** The last wait is 10 s: a program that restarts is reached. */
const attemptsMax = 10
const postedMax = 100_000
const earlyMax = 1000
const stepMs = 20

export function createCallbacks(options: {
  seed: number
  appSecret: string
  /** The kind of object that the callbacks are about, and its id. */
  object: string
  entryId: string
  now: () => number
}): Callbacks {
  const { seed, appSecret, object, entryId, now } = options
  let webhook: string | null = null
  let faults: CallbackFaults = {}
  let count = 0
  const early: string[] = []
  const pending = new Set<Promise<void>>()
  const closing = new AbortController()
  const posted: Callbacks['posted'] = []

  const sleep = (ms: number) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms)
      closing.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    })

  const send = async (body: string): Promise<void> => {
    for (let attempt = 0; attempt < attemptsMax && !closing.signal.aborted; attempt += 1) {
      if (webhook === null) {
        early.push(body)
        if (early.length > earlyMax) early.shift()
        return
      }
      const signature = createHmac('sha256', appSecret).update(body).digest('hex')
      const status = await fetch(webhook, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
        body,
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(10_000)]),
      }).then(
        async reply => {
          await reply.body?.cancel()
          return reply.status
        },
        () => null,
      )
      posted.push({ body, status })
      if (posted.length > postedMax) posted.shift()
      if (status !== null && status < 300) return
      await sleep(stepMs * 2 ** attempt)
    }
  }

  const track = (work: Promise<void>) => {
    pending.add(work)
    work.finally(() => pending.delete(work))
  }

  return {
    posted,
    setWebhook(url) {
      webhook = url
      if (url !== null) for (const body of early.splice(0)) track(send(body))
    },
    setFaults(changed) {
      faults = changed
    },
    post(field, value, delayMs = 0) {
      const random = createRandom(seed, count)
      count += 1
      const isLost = random() < (faults.lost ?? 0)
      const isLate = random() < (faults.late ?? 0)
      const isReordered = random() < (faults.reordered ?? 0)
      const copies = random() < (faults.repeated ?? 0) ? 2 : 1
      if (isLost) return
      const time = Math.floor(now() / 1000)
      const entry = { id: entryId, time, changes: [{ field, value }] }
      const body = JSON.stringify({ object, entry: [entry] })
      // Later than the next callback of the same message.
      const waitMs = delayMs + (isReordered ? 3 * stepMs : 0) + (isLate ? (faults.lateMs ?? 200) : 0)
      for (let copy = 0; copy < copies; copy += 1)
        track(sleep(waitMs + copy * stepMs).then(() => (closing.signal.aborted ? undefined : send(body))))
    },
    async settle() {
      while (pending.size > 0) await Promise.all(pending)
    },
    close: () => closing.abort(),
  }
}

/** The pause between the callbacks of one message. */
export const callbackStepMs = stepMs
