/** Requests, replies and templates of the fixtures, as Meta describes them. */
import { describe, expect, test } from 'vitest'
import { hasShared, listShared, readShared, sharedMissing } from '../../../../test/shared.ts'
import type { HttpClient, HttpRequest } from '../../../kit/http/client.ts'
import type { ChatContext, OutgoingContent, OutgoingMessage } from '../../chat.ts'
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

  test('templates whose header or buttons need values say so', async () => {
    const files = ['template-buttons.json', 'template-authentication.json']
    const templates = files.flatMap(name =>
      Object.values<object>(JSON.parse(readShared(`${folder}/${name}`))).map((template, index) => ({
        ...template,
        id: `${name} ${index}`,
        status: 'APPROVED',
      })),
    )
    const listed = await whatsappCloud.templates!.list(connection, answerWith({ data: templates }))
    expect(listed).toHaveLength(templates.length)
    for (const { unusable } of listed) expect(unusable).toMatch(/header or buttons/)
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
    }
    expect(await whatsappCloud.templates!.submit(connection, template, answerWith(reply))).toEqual({
      providerTemplateId: '1689556908129832',
      status: 'pending',
    })
  })
})

/** Headers and footers, which our messages do not have. */
const isOptional = (path: string) => /header|footer/.test(path)

/** The paths of all fields, with lists as one place. */
function listPaths(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path]
  const fields = Array.isArray(value) ? value.map(item => ['[]', item] as const) : Object.entries(value)
  return [...new Set(fields.flatMap(([key, item]) => listPaths(item, `${path}.${key}`)))]
}
