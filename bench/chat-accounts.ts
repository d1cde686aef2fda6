/** Chat accounts of a benchmark: WhatsApp numbers at `graph-server.ts`, and sandboxes. */
import { createHmac } from 'node:crypto'
import type { Account } from '../src/features/accounts/schemas.ts'
import { type BenchProcess, findFreePort, startProcess } from './processes.ts'

export const appSecret = '0123456789abcdef0123456789abcdef'

export async function startGraphServer(): Promise<BenchProcess> {
  const port = await findFreePort()
  return startProcess(['bench/graph-server.ts', String(port)], {}, `http://127.0.0.1:${port}`, '/')
}

/** The environment variables of a program whose WhatsApp is this server. */
export const toChatEnv = (graph: BenchProcess) => ({ CHAT_URLS: `whatsapp_cloud=${graph.url}/v23.0` })

export interface ChatAccount extends Account {
  /** The provider's id. */
  number: string
}

let numberCount = 0

/** Connects accounts without a limit of their rate that matters. */
export function connectAccounts(
  baseUrl: string,
  key: string,
  provider: 'whatsapp_cloud' | 'sandbox',
  count: number,
): Promise<ChatAccount[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const number = String(100_600_000_000 + ++numberCount)
      const whatsapp = {
        phoneNumberId: number,
        businessAccountId: number,
        accessToken: 'a-token-of-the-benchmark-of-chat',
        appSecret,
      }
      const account = await callApi<Account>(baseUrl, key, 'POST', '/accounts', {
        provider,
        mode: 'chat',
        displayName: number,
        credentials: provider === 'sandbox' ? {} : whatsapp,
        messagesPerSecond: 1000,
      })
      return { ...account, number }
    }),
  )
}

/** Throws if the reply is not 2xx. */
export async function callApi<T>(
  baseUrl: string,
  key: string,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const reply = await fetch(`${baseUrl}/public/v1${path}`, {
    method,
    headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`)
  return (await reply.json()) as T
}

/** Signs a body as WhatsApp does. */
export const signBody = (body: string) =>
  `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`

let messageCount = 0

/** A body of WhatsApp with one message; by default one that no other one has. `person`: a number below 100,000,000. */
export function makeInboundBody(number: string, person: number, text?: string): string {
  const id = `wamid.in.${process.pid}.${++messageCount}`
  const phone = `346${String(person).padStart(8, '0')}`
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: `34${number.slice(-9)}`, phone_number_id: number },
    contacts: [{ profile: { name: `Persona ${person}` }, wa_id: phone }],
    messages: [
      {
        from: phone,
        id,
        timestamp: String(Math.floor(Date.now() / 1000)),
        type: 'text',
        text: {
          body: text ?? `Buenos días, ¿sigue en venta el piso de la calle Mallorca ${messageCount}?`,
        },
      },
    ],
  }
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: number, time: Math.floor(Date.now() / 1000), changes: [{ field: 'messages', value }] }],
  })
}
