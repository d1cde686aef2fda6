/** What a message says besides its text: each kind has its parts, and a deleted message has lost them. */
import { beforeAll, expect, it } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { listMessages, makeChatAccount, makeMessage, receive } from '../../../../test/receiving.ts'
import { makeTenant } from '../../../../test/tenant.ts'
import { compile } from '../../../kit/schema.ts'
import type { InboundContent } from '../../../plugins/chat.ts'
import { emptyContents } from '../message-content-schemas.ts'
import { Message, messageExample } from '../message-schemas.ts'
import { messageKinds } from '../message-types.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})

it.each(messageKinds)('of the kind %s is allowed with all of its parts, and no unknown one', kind => {
  const findErrors = compile(Message)
  const isAllowed = (content: object) => findErrors({ ...messageExample, kind, content }).length === 0
  expect(isAllowed(emptyContents[kind])).toBe(true)
  expect(isAllowed({ ...emptyContents[kind], planet: null })).toBe(false)
  for (const name of Object.keys(emptyContents[kind])) {
    const { [name]: _, ...rest } = emptyContents[kind] as Record<string, unknown>
    expect(isAllowed(rest)).toBe(false)
  }
})

const place = { latitude: 41.39, longitude: 2.16, name: 'Piso', address: null }
const contents: [InboundContent, object, object][] = [
  [{ kind: 'location', ...place }, place, { latitude: null, longitude: null, name: null, address: null }],
  [
    { kind: 'contacts', contacts: [{ name: 'Ana', phones: ['612345678'], emails: [] }] },
    { contacts: [{ name: 'Ana', phones: ['612345678'], emails: [] }] },
    { contacts: [] },
  ],
  [
    { kind: 'choice', id: 'yes', title: 'Sí' },
    { id: 'yes', title: 'Sí' },
    { id: null, title: null },
  ],
]

it('is read as it was sent, and deleted as it was read', async () => {
  const tenant = await makeTenant(app)
  const account = await makeChatAccount(tenant)
  const common = {
    reactions: [],
    intent: null,
    email: null,
    referral: null,
    calendar: null,
    isTruncated: false,
    isErased: false,
  }
  for (const [content, parts, emptied] of contents) {
    const event = makeMessage('+34612345678', content)
    await receive(tenant, account, [event])
    const { id } = (await listMessages(tenant)).at(-1)!
    const read = async () => (await tenant.call<Message>('GET', `/messages/${id}`)).body
    expect(await read()).toMatchObject({ kind: content.kind, content: { ...common, ...parts } })
    const { providerMessageId, from, at } = event
    await receive(tenant, account, [{ type: 'deleted', externalId: null, providerMessageId, from, at }])
    expect((await read()).content).toEqual({ ...common, ...emptied })
  }
})
