/** Messages that a person sends with a link. */
import { expect, test } from 'vitest'
import type { ChatContext, ChatIdentity } from '../chat.ts'
import { linkProviders } from './manual.ts'

const to: ChatIdentity[] = [
  { kind: 'telegram', value: '123' },
  { kind: 'phone', value: '+34612345678' },
  { kind: 'email', value: 'm.soler+casa&co@example.org' },
]
const [whatsapp, sms, mail] = linkProviders as [
  (typeof linkProviders)[0],
  (typeof linkProviders)[0],
  (typeof linkProviders)[0],
]
const text = '¿50 % & más? #1 👋\n'
const encoded = '%C2%BF50%20%25%20%26%20m%C3%A1s%3F%20%231%20%F0%9F%91%8B%0A'

test.each([
  [whatsapp, `https://wa.me/34612345678?text=${encoded}`, 'chat'],
  [sms, `sms:+34612345678?body=${encoded}`, 'phone'],
  [mail, `mailto:m.soler%2Bcasa%26co@example.org?body=${encoded}`, 'email'],
] as const)('$id has a link with the whole text', (provider, link, channel) => {
  expect(provider.createLink!(to, text, null)).toBe(link)
  expect(provider.channel).toBe(channel)
})

test('a link to an e-mail has its subject', () => {
  expect(mail.createLink!(to, 'Hola', 'Su piso & más')).toBe(
    'mailto:m.soler%2Bcasa%26co@example.org?subject=Su%20piso%20%26%20m%C3%A1s&body=Hola',
  )
})

test('there is no link without the identity, or with one that is none', () => {
  expect(whatsapp.createLink!([to[2]!], 'x', null)).toBeNull()
  expect(whatsapp.createLink!([{ kind: 'phone', value: '+34 612?text=evil' }], 'x', null)).toBeNull()
  expect(mail.createLink!([{ kind: 'email', value: 'a@b@c' }], 'x', null)).toBeNull()
})

test('the account is connected at once, and sends nothing', async () => {
  const context = {} as ChatContext
  expect(await whatsapp.connect({ phone: '+34612345678' } as never, context)).toMatchObject({
    status: 'CONNECTED',
    externalId: '+34612345678',
    phone: '+34612345678',
  })
  expect(await mail.connect({ address: 'ana@agency.example' } as never, context)).toMatchObject({
    externalId: 'ana@agency.example',
    phone: null,
  })
  expect(await sms.send({} as never, {} as never, context)).toMatchObject({
    status: 'failed',
    failure: { code: 'UNSUPPORTED', retryable: false },
  })
})
