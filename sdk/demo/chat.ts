/** The chat of the demo: an extracted lead answers a template by a script, and a person can answer as the lead. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, Extraction, Lead, Message, StreamEventData } from '../index.ts'
import * as screen from './screen.ts'

const accountName = 'Demo agency'
const template = {
  name: 'First contact',
  language: 'es',
  body: 'Hola, ¿sigue en venta {{ property.title }}? Tengo compradores en {{ property.municipality }}.',
  variables: [
    { name: 'property.title', fallback: 'su inmueble' },
    { name: 'property.municipality', fallback: 'su zona' },
  ],
}
/** Extracted leads that are considered. */
const candidatesMax = 50
const shownStatuses: readonly Message['status'][] = ['received', 'delivered', 'read']
const waitMaxMs = 10_000
/** Scripted leads answer within this time of the environment's clock. */
const answerHours = 1

export interface DemoChat {
  /** The page on which somebody answers as the lead. */
  phoneUrl: string
  /** Prints each message of the conversation when it arrives, and yields it. */
  messages: AsyncGenerator<Message, void>
}

/** Writes to an extracted lead, and shows the answer. Null: no new lead has a phone. */
export async function startChat(
  aldaba: Client,
  { extractionId }: Extraction,
  signal: AbortSignal,
): Promise<DemoChat | null> {
  const accountId = await connectAccount(aldaba)
  const lead = await findNewContact(aldaba, extractionId)
  if (!lead) return null
  const { id: leadId, contact } = lead
  const name = contact.name ?? contact.phone!
  screen.print(`\n${screen.heading('A conversation')} with ${name}, who answers by a script\n`)
  await aldaba.call('recordLawfulBasis', {
    params: { id: leadId },
    body: {
      kind: 'consent',
      proof: 'The demo: the simulated owner agreed on the portal.',
      channels: ['chat'],
    },
  })
  const { id: templateId } = await aldaba.call('createTemplate', { body: template })
  const { id: conversationId } = await aldaba.call('openConversation', { body: { accountId, leadId } })
  const { url: phoneUrl } = await aldaba.call('createSandboxPhone', {
    body: { accountId, from: contact.phone!, name },
  })
  const updates = aldaba.stream('watchConversations', { signal })
  // The first event says that the stream has begun: from here on it misses nothing.
  await updates.next()
  const messages = showMessages(updates, conversationId)
  await aldaba.call('sendMessage', { params: { id: conversationId }, body: { templateId, leadId } })
  await waitForNext(messages, signal)
  await letTimePass(aldaba)
  await waitForNext(messages, signal)
  return { phoneUrl, messages }
}

/** What we send is shown when it is delivered. */
async function* showMessages(
  updates: AsyncIterable<StreamEventData<'watchConversations'>>,
  conversationId: string,
): AsyncGenerator<Message, void> {
  const shownIds = new Set<string>()
  for await (const { event, data } of updates) {
    const message = event === 'message' && data.conversationId === conversationId ? data.message : null
    if (!message || shownIds.has(message.id)) continue
    if (message.status === 'failed') throw new Error(`A message has failed: ${message.failure?.message}`)
    if (!shownStatuses.includes(message.status)) continue
    shownIds.add(message.id)
    screen.print(screen.formatMessage(message))
    yield message
  }
}

async function waitForNext(messages: AsyncGenerator<Message, void>, signal: AbortSignal): Promise<void> {
  const late = sleep(waitMaxMs, 'late' as const, { signal, ref: false })
  if ((await Promise.race([messages.next(), late])) === 'late')
    throw new Error('A message of the demo did not arrive in time.')
}

/** The sandbox account of an earlier demo, or a new one. */
async function connectAccount(aldaba: Client): Promise<string> {
  for await (const account of aldaba.list('listAccounts', {
    query: { provider: 'sandbox', status: 'CONNECTED' },
  }))
    if (account.displayName === accountName) return account.id
  const body = {
    provider: 'sandbox',
    mode: 'chat' as const,
    displayName: accountName,
    credentials: { script: 'viewing' },
  }
  return (await aldaba.call('createAccount', { body })).id
}

/**
 * A lead with a phone to whom nobody has written yet: an earlier demo may have. It lacks only a lawful basis. A listing may
 * exclude contact by agencies.
 */
async function findNewContact(aldaba: Client, extractionId: string): Promise<Lead | null> {
  let seen = 0
  for await (const lead of aldaba.leads({ extractionId, hasPhone: true })) {
    const { status, contact, contactability } = lead
    if (status === 'new' && contact.phone !== null && contactability.reason === 'NO_LAWFUL_BASIS') return lead
    seen += 1
    if (seen === candidatesMax) return null
  }
  return null
}

async function letTimePass(aldaba: Client): Promise<void> {
  const { now } = await aldaba.call('getSandboxClock')
  const later = new Date(Date.parse(now) + answerHours * 3_600_000).toISOString()
  await aldaba.call('moveSandboxClock', { body: { now: later } })
}
