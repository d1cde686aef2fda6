/** The whole program in live against the simulated Graph API, for tests from end to end. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Conversation } from '../src/features/messaging/conversations/schemas.ts'
import { type Person, startWhatsapp, type WhatsappSimulator } from '../src/simulator/whatsapp/index.ts'
import { connectAccount, type FlowApp, startFlowApp, waitForConversation } from './chat-flow.ts'
import { eventually } from './harness.ts'
import { makeTenant, type TestTenant } from './tenant.ts'

export interface WhatsappFlow {
  whatsapp: WhatsappSimulator
  app: FlowApp
  /** The workspace of a test, with a connected account. */
  tenant: TestTenant
  accountId: string
  /** Lets a new person write, and waits for the conversation. */
  meet(settings?: { phone?: string | null }): Promise<{
    person: Person
    phone: string | null
    userId: string
    conversation: Conversation
  }>
}

/** Starts simulator and program before the tests of a file, and stops them after. Each test has a workspace. */
export function prepareWhatsapp(): WhatsappFlow {
  let number = 0
  const flow = {
    async meet(settings = {}) {
      number += 1
      const phone = settings.phone === undefined ? `+3461100000${number}` : settings.phone
      const userId = `ES.person${number}`
      const person = flow.whatsapp.addPerson({ name: 'Marta Ruiz', phone, userId })
      person.write('¿Sigue en venta el piso?')
      const conversation = await waitForConversation(flow.tenant, ({ unreadCount }) => unreadCount > 0)
      return { person, phone, userId, conversation }
    },
  } as WhatsappFlow
  beforeAll(async () => {
    flow.whatsapp = await startWhatsapp()
    flow.app = await startFlowApp({ CHAT_URLS: `whatsapp_cloud=${flow.whatsapp.url}` })
  })
  afterAll(async () => {
    await flow.app.stop()
    await flow.whatsapp.close()
  })
  beforeEach(async () => {
    const { whatsapp } = flow
    flow.tenant = await makeTenant(flow.app, 'live')
    whatsapp.setWebhook(null)
    whatsapp.setAccessToken(whatsapp.credentials.accessToken)
    whatsapp.faults.clear()
    whatsapp.setCallbackFaults({})
    const account = await connectAccount(flow.tenant, 'whatsapp_cloud', whatsapp.credentials)
    flow.accountId = account.id
    expect(account).toMatchObject({ status: 'CONNECTED', phone: '+34910000000', dailyBudget: 1000 })
    await eventually(
      async () => whatsapp.callbackUrl,
      url => url === account.webhook!.url,
    )
  })
  return flow
}
