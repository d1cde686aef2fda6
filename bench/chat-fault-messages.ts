/** The messages of the fault table of chat: queued, and compared with what people were sent. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, people, waitUntilReady } from './chat-fault-cases.ts'

/** Messages to each person. */
export const messagesEach = 3
export const settleMaxMs = 60_000

/** The last column says what is wrong. */
export type Row = Record<string, string | number> & { ' ': string }

export type QueueContext = Pick<Context, 'deployment' | 'key' | 'apiWasRestarted'>

/** Waits until everybody has written this to the account. Returns the ids of their conversations. */
export async function waitForConversations(
  deployment: Pick<Context['deployment'], 'query'>,
  accountId: string,
  text: string,
): Promise<string[]> {
  for (;;) {
    const rows = await deployment.query<{ id: string }>(
      'select distinct conversation_id as id from aldaba.messages where account_id = $1 and text = $2',
      [accountId, text],
    )
    if (rows.length === people) return rows.map(({ id }) => id)
    await sleep(50)
  }
}

/**
 * Returns the text of each message by its id. A request that a dying process leaves open is repeated with the same key.
 */
export async function queueMessages(
  context: QueueContext,
  conversations: string[],
  words: string,
): Promise<Map<string, string>> {
  const { deployment, key } = context
  const queued = new Map<string, string>()
  for (let n = 0; n < messagesEach; n++)
    for (const conversation of conversations) {
      const text = `Mensaje ${n} ${words} en ${conversation}`
      const headers = { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': text }
      for (;;) {
        const url = `${deployment.url}/public/v1/conversations/${conversation}/messages`
        const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ text }) }).catch(
          () => null,
        )
        if (reply?.status === 202) {
          queued.set(((await reply.json()) as { id: string }).id, text)
          break
        }
        if (reply && reply.status < 500 && reply.status !== 429) throw new Error(await reply.text())
        if (!reply) await restartDeadApi(context)
        await sleep(50)
      }
    }
  return queued
}

/** A process that is being killed refuses requests before its end is known. */
async function restartDeadApi(context: QueueContext): Promise<void> {
  const { api, url } = context.deployment
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
    if (api?.hasEnded()) {
      context.apiWasRestarted = true
      await api.replace()
      await waitUntilReady(context.deployment)
    }
    await sleep(50)
  }
}

/** Waits until no message is queued, or until the time is over. */
export async function waitUntilSent(context: Pick<Context, 'deployment'>, ids: string[]): Promise<void> {
  const deadlineMs = performance.now() + settleMaxMs
  while (performance.now() < deadlineMs) {
    if (![...(await readStatuses(context, ids)).values()].includes('queued')) return
    await sleep(100)
  }
}

export async function readStatuses(
  { deployment }: Pick<Context, 'deployment'>,
  ids: string[],
): Promise<Map<string, string>> {
  const rows = await deployment.query<{ id: string; status: string }>(
    'select id, status from aldaba.messages where id = any($1)',
    [ids],
  )
  return new Map(rows.map(({ id, status }) => [id, status]))
}

/** Compares the texts that people were sent with what the program says of them. Texts are unique. */
export function countSent(
  texts: readonly string[],
  queued: Map<string, string>,
  statuses: Map<string, string>,
) {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const ids = [...queued.keys()]
  const sent = new Set(ids.filter(id => counts.has(queued.get(id)!)))
  const having = (status: string) => ids.filter(id => statuses.get(id) === status)
  return {
    sent,
    doubled: ids.filter(id => (counts.get(queued.get(id)!) ?? 0) > 1).length,
    unknown: having('unknown'),
    failed: having('failed').length,
    lost: ids.filter(id => !sent.has(id) && !['failed', 'unknown'].includes(statuses.get(id)!)).length,
  }
}
