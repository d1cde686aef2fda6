/**
 * A person's own program for messages: nothing is sent by this one. Each message is a task with a link, which opens the
 * conversation with the text.
 */
import type { Static, TObject } from 'typebox'
import type { Channel } from '../../domain/contactability/facts.ts'
import { strictObject, Type } from '../../kit/schema.ts'
import type { ChatFailure, ChatProvider, IdentityKind } from '../chat.ts'

const phonePattern = '^\\+[1-9][0-9]{6,14}$'
const Phone = strictObject({
  phone: Type.String({
    pattern: phonePattern,
    title: 'Phone',
    description: 'The phone number of the person who sends the messages (E.164).',
    examples: ['+34612345678'],
  }),
})
const Address = strictObject({
  address: Type.String({
    pattern: '^[^\\s@]+@[^\\s@]+$',
    maxLength: 254,
    title: 'Address',
    description: 'The e-mail address of the person who sends the messages.',
    examples: ['ana@agency.example'],
  }),
})

const healthy = { status: 'CONNECTED', reason: null, quality: null, dailyLimit: null, tier: null } as const
const sentByPerson: ChatFailure = {
  code: 'UNSUPPORTED',
  providerCode: null,
  message:
    'A person sends the messages of this account. Open the link of the task, send it, and tick it off.',
  retryable: false,
  retryAfterMs: 0,
  scope: 'account',
}
/** The length of a link that every browser and mail program opens is 2,000 to 8,000 characters. */
const charactersMax = 1000

interface LinkProvider<Credentials extends TObject> {
  id: string
  label: string
  channel: Channel
  credentials: Credentials
  /** The credential that names the account. */
  name: keyof Static<Credentials> & string
  identity: IdentityKind
  /** The pattern of an identity that a link can have. */
  pattern: RegExp
  /** `text` and `subject` are encoded. */
  toLink(identity: string, text: string, subject: string | null): string
}

function createLinkProvider<Credentials extends TObject>({
  id,
  label,
  channel,
  credentials,
  name,
  identity,
  pattern,
  toLink,
}: LinkProvider<Credentials>): ChatProvider<Credentials> {
  return {
    id,
    label,
    baseUrl: null,
    channel,
    mode: 'chat-no-api',
    credentials,
    capabilities: {
      identities: [identity],
      text: { charactersMax },
      media: {},
      buttonsMax: 0,
      listRowsMax: 0,
      location: false,
      reactions: false,
      typing: false,
      receipts: false,
      templates: 'local',
      replyWindowHours: null,
      messagesPerSecond: 1,
      idempotent: true,
    },
    async connect(given) {
      const externalId = String(given[name])
      return { ...healthy, externalId, phone: name === 'phone' ? externalId : null, name: null }
    },
    checkHealth: async () => healthy,
    send: async () => ({ status: 'failed', failure: sentByPerson }),
    createLink(to, text, subject) {
      const value = to.find(({ kind, value }) => kind === identity && pattern.test(value))?.value
      if (value === undefined) return null
      return toLink(value, encode(text), subject === null ? null : encode(subject))
    },
  }
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

const e164 = new RegExp(phonePattern)

/** https://faq.whatsapp.com/5913398998672934 */
const whatsappLink = createLinkProvider({
  id: 'manual',
  label: 'WhatsApp by hand',
  channel: 'chat',
  credentials: Phone,
  name: 'phone',
  identity: 'phone',
  pattern: e164,
  toLink: (phone, text) => `https://wa.me/${phone.slice(1)}?text=${text}`,
})

/** RFC 5724, with the `body` that phones understand. */
const smsLink = createLinkProvider({
  id: 'manual_sms',
  label: 'Text message by hand',
  channel: 'phone',
  credentials: Phone,
  name: 'phone',
  identity: 'phone',
  pattern: e164,
  toLink: (phone, text) => `sms:${phone}?body=${text}`,
})

/** RFC 6068. */
const mailLink = createLinkProvider({
  id: 'manual_email',
  label: 'E-mail by hand',
  channel: 'email',
  credentials: Address,
  name: 'address',
  identity: 'email',
  pattern: /^[^\s@]{1,64}@[^\s@]{1,255}$/,
  toLink(address, text, subject) {
    const to = `mailto:${encodeURIComponent(address).replace('%40', '@')}`
    return subject === null ? `${to}?body=${text}` : `${to}?subject=${subject}&body=${text}`
  },
})

export const linkProviders = [whatsappLink, smsLink, mailLink]
