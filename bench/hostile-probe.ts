/**
 * Requests of another workspace in a separate process, which measures how long each waits during an attack. It sends
 * `enough` to its parent after a hundred leads, and the waits at `end`.
 */
import { setTimeout as sleep } from 'node:timers/promises'

const [url, key] = process.argv.slice(2) as [string, string]
const intervalMs = 20
/** Fewer requests would give a random maximum. */
const samplesMin = 100

/** Waits in milliseconds. */
export interface Waits {
  liveness: number[]
  lead: number[]
  /** Unexpected replies by status. */
  wrong: Record<string, number>
}

let waits: Waits = { liveness: [], lead: [], wrong: {} }
let isDisconnected = false
const inFlight: Record<string, Promise<void>> = {}

async function repeat(list: 'liveness' | 'lead', request: () => Promise<Response>, expected: number) {
  while (!isDisconnected) {
    const startedMs = performance.now()
    inFlight[list] = measure(list, request, expected)
    await inFlight[list]
    await sleep(Math.max(0, intervalMs - (performance.now() - startedMs)))
  }
}

async function measure(list: 'liveness' | 'lead', request: () => Promise<Response>, expected: number) {
  const startedMs = performance.now()
  const current = waits
  const status = await request().then(
    async reply => {
      await reply.arrayBuffer()
      return reply.status
    },
    () => 'broken',
  )
  current[list].push(performance.now() - startedMs)
  if (list === 'lead' && current.lead.length === samplesMin) process.send!('enough')
  if (status !== expected) current.wrong[status] = (current.wrong[status] ?? 0) + 1
}

let leads = 0
const postLead = () =>
  fetch(`${url}/public/v1/leads`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ contact: { name: 'Ana' }, property: { title: `Piso ${process.pid} ${leads++}` } }),
  })

process.on('message', async (message: 'begin' | 'end') => {
  if (message === 'begin') {
    waits = { liveness: [], lead: [], wrong: {} }
    return
  }
  const measured = waits
  // Pending requests count with their wait so far.
  await Promise.all(Object.values(inFlight))
  process.send!(measured)
})
process.on('disconnect', () => {
  isDisconnected = true
})
await Promise.all([repeat('liveness', () => fetch(`${url}/livez`), 200), repeat('lead', postLead, 201)])
