/** The chat of the demo: an extracted lead answers a template by a script, and a person can answer as the lead. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, Extraction, Lead, Message } from '../index.ts'
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
const pollMs = 300
const waitMaxMs = 10_000
/** Scripted leads answer within this time of the environment's clock. */
const answerHours = 1

export interface DemoChat {
  conversationId: string
  /** The URL of the page on which somebody answers as the lead. */
  phoneToken: string
  /** What has been shown. */
  shownIds: Set<string>
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
  const { url } = await aldaba.call('createSandboxPhone', {
    body: { accountId, from: contact.phone!, name },
  })
  const chat: DemoChat = { conversationId, phoneToken: url.split('/').at(-1)!, shownIds: new Set() }
  const { id: messageId } = await aldaba.call('sendMessage', {
    params: { id: conversationId },
    body: { templateId },
  })
  await waitFor(
    async () => {
      const { status } = await aldaba.call('getMessage', { params: { id: messageId } })
      if (status === 'failed') throw new Error('The first message of the demo has failed.')
      return status === 'delivered' || status === 'read'
    },
    { signal },
  )
  await showNewMessages(aldaba, chat)
  await letTimePass(aldaba)
  await showNewMessages(aldaba, chat)
  return chat
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

async function waitFor(isDone: () => Promise<boolean>, { signal }: { signal: AbortSignal }): Promise<void> {
  const untilMs = performance.now() + waitMaxMs
  while (!(await isDone())) {
    if (performance.now() > untilMs)
      throw new Error('The first message of the demo was not delivered in time.')
    await sleep(pollMs, undefined, { signal })
  }
}

/** Shows the messages of the conversation that have not been shown. */
export async function showNewMessages(aldaba: Client, { conversationId, shownIds }: DemoChat): Promise<void> {
  const { data } = await aldaba.call('listMessages', {
    params: { id: conversationId },
    query: { order: 'newest', limit: 50 },
  })
  for (const message of data.toReversed() as Message[]) {
    if (shownIds.has(message.id)) continue
    shownIds.add(message.id)
    screen.print(screen.formatMessage(message))
  }
}
