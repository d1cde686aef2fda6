/** Requests, replies and templates of the fixtures, as Meta describes them. */
import { describe, expect, test } from 'vitest'
import { hasShared, listShared, readShared, sharedMissing } from '../../../../test/shared.ts'
import type { HttpClient, HttpRequest } from '../../../kit/http/client.ts'
import { type ChatContext, noParts, type OutgoingContent, type OutgoingMessage } from '../../chat.ts'
import { whatsappCloud } from './index.ts'
import { toMessageBody } from './message-body.ts'

const credentials = {
  phoneNumberId: '106540352242922',
  businessAccountId: '102290129340398',
  accessToken: 'x'.repeat(30),
  appSecret: '0'.repeat(32),
}
const connection = { accountId: 'a', externalId: '1', displayName: 'x', credentials }
const answerWith = (value: unknown, requests: HttpRequest[] = []): ChatContext =>
  ({
    baseUrl: 'https://graph.facebook.com/v23.0',
    signal: new AbortController().signal,
    http: {
      fetch: async (_url, request) => {
        requests.push(request)
        return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(value)) }
      },
    } as Partial<HttpClient>,
  }) as ChatContext
const phone = { kind: 'phone' as const, value: '+34612345678' }
const toMessage = (content: OutgoingContent, replyTo: string | null = null): OutgoingMessage => ({
  id: 'id',
  to: [phone],
  content,
  replyTo,
  thread: { subject: null, references: [] },
  unsubscribeUrl: null,
})
const folder = 'fixtures/whatsapp'
const readFixture = <T>(name: string): T[] => (hasShared ? JSON.parse(readShared(`${folder}/${name}`)) : [])

describe.skipIf(!hasShared)(`the fixtures of sending${hasShared ? '' : `: ${sharedMissing}`}`, () => {
  const replies = readFixture<{ name: string; value: { messages: { id: string }[] } }>(
    'send-message-responses.json',
  )
  test.each(replies.map(({ name, value }) => [name, value] as const))(
    'the reply to %s has the id',
    async (_name, value) => {
      const result = await whatsappCloud.send(
        connection,
        toMessage({ kind: 'text', text: 'x' }),
        answerWith(value),
      )
      expect(result).toEqual({ status: 'sent', providerMessageId: value.messages[0]!.id })
    },
  )

  const requests = readFixture<{ name: string; value: object }>('send-message-requests.json')
  const media = (
    kind: 'audio' | 'image' | 'document' | 'sticker',
    caption: string | null = null,
  ): OutgoingContent => {
    const open = () => Promise.reject(new Error('never opened'))
    return {
      kind: 'media',
      media: { kind, mediaType: 'x/y', fileName: 'plano.pdf', bytes: 1, open },
      caption,
    }
  }
  const row = { id: '1', title: 'Lunes', description: 'x' }
  const section = { title: 'Semana', rows: [row, row] }
  const list: OutgoingContent = { kind: 'list', text: 'x', button: 'Ver', sections: [section, section] }
  const ours: Record<string, OutgoingMessage> = {
    'Send Audio Message by ID': toMessage(media('audio')),
    'Send Image Message by ID': toMessage(media('image')),
    'Send Sticker Message by ID': toMessage(media('sticker')),
    'Send List Message': toMessage(list),
    'Send Reply to List Message': toMessage(list, 'wamid.1'),
    'Send Reply Button': toMessage({
      kind: 'buttons',
      text: 'x',
      buttons: [
        { id: '1', title: 'Sí' },
        { id: '2', title: 'No' },
      ],
    }),
    'Send Reply to Document Message by ID': toMessage(media('document', 'x'), 'wamid.1'),
    'Send Reply to Image Message by ID': toMessage(media('image'), 'wamid.1'),
    'Send Reply to Sticker Message by ID': toMessage(media('sticker'), 'wamid.1'),
    'Send Reply to Text Message': toMessage({ kind: 'text', text: 'x' }, 'wamid.1'),
    'Send Sample Issue Resolution Template': toMessage({
      kind: 'template',
      text: 'x',
      template: {
        providerName: 'x',
        language: 'es',
        values: ['x'],
        buttons: [{ index: 0, kind: 'url', value: 'x' }],
      },
    }),
    'Send Text Message with Preview URL': toMessage({ kind: 'text', text: 'https://ejemplo.es' }),
  }
  test.each(Object.entries(ours))('%s has the form of Meta', (name, message) => {
    const example = requests.find(request => request.name === name)!.value
    const body = toMessageBody(message, phone, '123')
    expect(listPaths(example).filter(path => !listPaths(body).includes(path) && !isOptional(path))).toEqual(
      [],
    )
  })

  interface Operation {
    operation: string
    kind: string
    value: { data?: unknown[]; id?: string }
  }
  const operations = readFixture<Operation>('template-api.json')
  test('the list of templates', async () => {
    const reply = operations.find(({ kind, value }) => kind === 'response 200' && value.data)!.value
    expect(await whatsappCloud.templates!.list(connection, answerWith(reply))).toMatchObject([
      {
        providerName: 'hello_world',
        language: 'en-US',
        status: 'approved',
        category: 'marketing',
        reason: null,
      },
      { providerName: '2023_april_promo', body: expect.stringContaining('{{2}}'), reason: null },
    ])
  })

  const readTemplates = async (file: string) => {
    const templates = Object.values<object>(JSON.parse(readShared(`${folder}/${file}`)))
    const data = templates.map((template, index) => ({ ...template, id: `${index}`, status: 'APPROVED' }))
    return whatsappCloud.templates!.list(connection, answerWith({ data }))
  }
  test('templates with a header and buttons; those with a catalogue say so', async () => {
    const listed = await readTemplates('template-buttons.json')
    const usable = listed.filter(({ unusable }) => unusable === undefined)
    expect(Object.fromEntries(usable.map(({ providerName, parts }) => [providerName, parts]))).toEqual({
      seasonal_promotion: {
        header: { kind: 'text', text: 'Our {{1}} is on!' },
        footer: 'Use the buttons below to manage your MARKETING subscriptions',
        buttons: [
          { kind: 'quick_reply', title: 'Unsubscribe from Promos', value: null },
          { kind: 'quick_reply', title: 'Unsubscribe from All', value: null },
        ],
      },
      order_confirmation: {
        header: { kind: 'document', text: null },
        footer: null,
        buttons: [
          { kind: 'phone', title: 'Call', value: '15550051310' },
          { kind: 'url', title: 'Contact Support', value: 'https://www.luckyshrub.com/support' },
        ],
      },
      order_delivery_update: expect.objectContaining({ header: { kind: 'location', text: null } }),
      coupon_code_fall2023_25off: {
        header: { kind: 'text', text: 'Our Fall Sale is on!' },
        footer: null,
        buttons: [
          { kind: 'quick_reply', title: 'Unsubscribe', value: null },
          { kind: 'copy_code', title: '', value: '{{1}}' },
        ],
      },
    })
    const refused = listed.flatMap(({ unusable }) => unusable ?? [])
    expect(refused.map(reason => reason.split(': ')[1])).toEqual(['PRODUCT.', 'CATALOG.', 'MPM.'])
  })

  test('templates of one-time codes say so', async () => {
    for (const { unusable } of await readTemplates('template-authentication.json'))
      expect(unusable).toMatch(/OTP/)
  })

  test('are all read by a test', () => {
    const read = [
      ...['api-errors', 'send-message-requests', 'send-message-responses'],
      ...['template-api', 'template-authentication', 'template-buttons'],
    ].map(name => `${name}.json`)
    // The bodies of webhooks are covered by webhook-fixtures.test.ts.
    expect(
      listShared(folder, '.json')
        .filter(name => !name.startsWith('webhook-'))
        .sort(),
    ).toEqual(read)
  })

  test('a submitted template', async () => {
    const reply = operations.find(({ kind, value }) => kind === 'response 200' && value.id)!.value
    const template = {
      providerName: 'x',
      language: 'es',
      category: 'utility' as const,
      body: 'x',
      examples: [],
      parts: noParts,
    }
    expect(await whatsappCloud.templates!.submit(connection, template, answerWith(reply))).toEqual({
      providerTemplateId: '1689556908129832',
      status: 'pending',
    })
  })
})

/** Headers and footers of lists, and the only policy of languages, which our messages do not have. */
const isOptional = (path: string) => /header|footer|policy/.test(path)

/** The paths of all fields, with lists as one place. */
function listPaths(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path]
  const fields = Array.isArray(value) ? value.map(item => ['[]', item] as const) : Object.entries(value)
  return [...new Set(fields.flatMap(([key, item]) => listPaths(item, `${path}.${key}`)))]
}
