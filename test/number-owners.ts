/** People who write, lose their numbers to others and get other numbers. */
import { optOut } from '../src/features/privacy/service.ts'
import type { ChatIdentity } from '../src/plugins/chat.ts'
import { type Inbox, makeInboxForTests, makeMessage } from './receiving.ts'

export const phone: ChatIdentity = { kind: 'phone', value: '+34612345678' }
export const other: ChatIdentity = { kind: 'phone', value: '+34699999999' }
export const marta: ChatIdentity = { kind: 'sandbox', value: 'marta' }
export const pedro: ChatIdentity = { kind: 'sandbox', value: 'pedro' }

export interface PersonLead {
  id: string
  contact: { name: string | null; phone: string | null; email: string | null; identifiers: string[] }
  contactability: { lawfulBasis: string | null; channels: { chat: { reason: string | null } } }
}

export interface NumberOwners {
  inbox: Inbox
  say(from: ChatIdentity[], text: string, profileName?: string | null): Promise<void>
  /** Makes a lead with the phone and a property of its own. Returns its id. */
  makeLead(title: string, contact?: object): Promise<string>
  getLead(id: string): Promise<PersonLead>
  answer(
    conversationId: string,
    body?: { text?: string; leadId?: string },
  ): Promise<{ status: number; body: { code?: string } }>
  /** A user opts a number out of chat. */
  optOut(identity: ChatIdentity): Promise<void>
  open(leadId: string): Promise<{ body: { id: string; identities: ChatIdentity[] } }>
}

/** Makes the inbox of a test file to which they write. */
export function makeNumberOwners(): NumberOwners {
  const inbox = makeInboxForTests()
  return {
    inbox,
    say: (from, text, profileName = null) => inbox.receive([makeMessage(from, text, { profileName })]),
    async makeLead(title, contact = {}) {
      const property = {
        operation: 'sale',
        title,
        address: title,
        squareMeters: 10 * title.length,
        price: 40_000 * title.length,
      }
      const body = { contact: { phone: phone.value, ...contact }, property }
      const { status, body: lead, text } = await inbox.tenant.call<PersonLead>('POST', '/leads', { body })
      if (status !== 201) throw new Error(text)
      return lead.id
    },
    getLead: async id => (await inbox.tenant.call<PersonLead>('GET', `/leads/${id}`)).body,
    answer: (conversationId, body) =>
      inbox.tenant.call('POST', `/conversations/${conversationId}/messages`, {
        body: { text: '¿sigue?', ...body },
      }),
    async optOut({ value }) {
      const people = [{ kind: 'phone', value }] as const
      const request = { channel: 'chat', note: null } as const
      await inbox.tenant.inTenant(tx => optOut(tx, people, request, { keyId: null, userId: null }))
    },
    open: leadId =>
      inbox.tenant.call('POST', '/conversations', { body: { accountId: inbox.accountId, leadId } }),
  }
}
