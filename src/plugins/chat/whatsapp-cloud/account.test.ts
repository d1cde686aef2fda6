/** An account, its health and its templates, against the simulated WhatsApp over HTTP. */
import { describe, expect, test } from 'vitest'
import { phone, prepareWhatsappProvider } from '../../../../test/whatsapp-provider.ts'
import { ChatError } from '../../chat.ts'
import { whatsappCloud } from './index.ts'

const provider = prepareWhatsappProvider()
const getFailure = (call: Promise<unknown>) =>
  call.then(
    () => null,
    error => (error instanceof ChatError ? error.failure : error),
  )

describe('an account', () => {
  test('is connected with its number and limit', async () => {
    provider.simulator.setWebhook(null)
    expect(await whatsappCloud.connect(provider.simulator.credentials, provider.createContext())).toEqual({
      externalId: '106540352242922',
      groupId: '102290129340398',
      phone: '+34910000000',
      name: 'Agencia Simulada',
      status: 'CONNECTED',
      canAnswer: false,
      reason: null,
      quality: 'high',
      dailyLimit: 1000,
      tier: 'TIER_1K',
    })
  })

  test('gets its webhook by the first check of its health', async () => {
    provider.simulator.setWebhook(null)
    const check = () => whatsappCloud.checkHealth(provider.connect(), provider.createContext())
    expect(await check()).toMatchObject({ status: 'CONNECTED' })
    provider.addMarta().write('Hola')
    await provider.simulator.settle()
    expect(provider.events).toHaveLength(1)
    expect(await check()).toMatchObject({ status: 'CONNECTED' })
  })

  test('keeps its webhook when it is connected again', async () => {
    await whatsappCloud.checkHealth(provider.connect(), provider.createContext())
    await whatsappCloud.connect(provider.simulator.credentials, provider.createContext())
    expect(provider.simulator.callbackUrl).toBe(provider.webhookUrl)
  })

  test('keeps its webhook when another address can’t be verified', async () => {
    await whatsappCloud.checkHealth(provider.connect(), provider.createContext())
    const webhook = { url: `${provider.webhookUrl}b`, verifyToken: 'another' }
    await whatsappCloud.checkHealth(provider.connect(), provider.createContext({ webhook }))
    expect(provider.simulator.callbackUrl).toBe(provider.webhookUrl)
  })

  test('says that its webhook can’t be verified', async () => {
    const webhook = { url: provider.webhookUrl, verifyToken: 'another' }
    const health = await whatsappCloud.checkHealth(provider.connect(), provider.createContext({ webhook }))
    expect(health).toMatchObject({ status: 'DEGRADED', reason: expect.stringContaining('webhook address') })
    expect(provider.simulator.isSubscribed).toBe(true)
  })

  test.each<[string, object, object]>([
    ['token', { accessToken: 'x'.repeat(30) }, { code: 'INVALID_CREDENTIALS', providerCode: '190' }],
    [
      'app secret',
      { appSecret: 'f'.repeat(32) },
      { code: 'INVALID_CREDENTIALS', message: expect.stringContaining('app secret') },
    ],
    [
      'number',
      { phoneNumberId: '999999' },
      { code: 'INVALID_CREDENTIALS', message: expect.stringContaining('phone number id') },
    ],
    [
      'business account',
      { businessAccountId: '999999' },
      { code: 'INVALID_CREDENTIALS', message: expect.stringContaining('business account id') },
    ],
  ])('with a wrong %s is not connected', async (_what, change, failure) => {
    const call = whatsappCloud.connect(
      { ...provider.simulator.credentials, ...change },
      provider.createContext(),
    )
    expect(await getFailure(call)).toMatchObject(failure)
  })

  test.each<[object, object]>([
    [
      { status: 'FLAGGED', quality_rating: 'RED' },
      { status: 'DEGRADED', quality: 'low' },
    ],
    [{ status: 'BANNED' }, { status: 'BANNED' }],
    [{ name_status: 'DECLINED' }, { status: 'DEGRADED', reason: expect.stringContaining('display name') }],
    [{ account_mode: 'SANDBOX' }, { status: 'DEGRADED' }],
    [{ messaging_limit_tier: 'TIER_UNLIMITED' }, { dailyLimit: null, tier: 'TIER_UNLIMITED' }],
    [{ whatsapp_business_manager_messaging_limit: 'TIER_250' }, { dailyLimit: 250, tier: 'TIER_250' }],
    [
      {
        health_status: {
          can_send_message: 'BLOCKED',
          entities: [
            { entity_type: 'APP', can_send_message: 'AVAILABLE' },
            {
              entity_type: 'WABA',
              can_send_message: 'BLOCKED',
              errors: [
                {
                  error_code: 141_014,
                  error_description: 'The WABA is banned.',
                  possible_solution: 'Appeal.',
                },
              ],
            },
          ],
        },
      },
      { status: 'BANNED', reason: 'The WABA is banned. Appeal.' },
    ],
  ])('%j is the health %j', async (fields, health) => {
    Object.assign(provider.simulator.number, fields)
    expect(await whatsappCloud.checkHealth(provider.connect(), provider.createContext())).toMatchObject(
      health,
    )
  })

  test('with a revoked token is logged out; without an answer its state is unknown', async () => {
    provider.simulator.setAccessToken('another')
    expect(await whatsappCloud.checkHealth(provider.connect(), provider.createContext())).toMatchObject({
      status: 'LOGGED_OUT',
    })
    provider.simulator.faults.add({ kind: 'page', status: 503 })
    expect(
      await getFailure(whatsappCloud.checkHealth(provider.connect(), provider.createContext())),
    ).toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
    })
  })

  test('lists at most 1,000 templates and submits new ones', async () => {
    const { list, submit } = whatsappCloud.templates!
    const parts = {
      header: { kind: 'text' as const, text: 'Visita {{1}}', example: 'T3' },
      footer: 'Agência',
      buttons: [
        { kind: 'url' as const, title: 'Ver', value: 'https://a.example/{{1}}', example: 't3' },
        { kind: 'phone' as const, title: 'Ligar', value: '+351911111111', example: null },
        { kind: 'copy_code' as const, title: 'Copiar', value: null, example: 'T3' },
        { kind: 'quick_reply' as const, title: 'Sim', value: null, example: null },
      ],
    }
    const template = { providerName: 'visita', language: 'pt-BR', category: 'utility' as const }
    const values = { body: 'Olá {{1}}', examples: ['Ana'], parts }
    expect(
      await submit(provider.connect(), { ...template, ...values }, provider.createContext()),
    ).toMatchObject({
      status: 'pending',
    })
    expect(await list(provider.connect(), provider.createContext())).toMatchObject([
      { providerName: 'first_contact', status: 'approved', category: 'marketing', language: 'es' },
      {
        providerName: 'visita',
        status: 'pending',
        category: 'utility',
        language: 'pt-BR',
        body: 'Olá {{1}}',
        parts: {
          header: { kind: 'text', text: 'Visita {{1}}' },
          footer: 'Agência',
          buttons: [
            { kind: 'url', title: 'Ver', value: 'https://a.example/{{1}}' },
            { kind: 'phone', title: 'Ligar', value: '+351911111111' },
            { kind: 'copy_code', title: '', value: '{{1}}' },
            { kind: 'quick_reply', title: 'Sim', value: null },
          ],
        },
      },
    ])
    expect(provider.simulator.templates.at(-1)!.components).toEqual([
      {
        type: 'HEADER',
        format: 'TEXT',
        text: 'Visita {{1}}',
        example: { header_text: ['T3'] },
      },
      { type: 'BODY', text: 'Olá {{1}}', example: { body_text: [['Ana']] } },
      { type: 'FOOTER', text: 'Agência' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'URL', text: 'Ver', url: 'https://a.example/{{1}}', example: ['t3'] },
          { type: 'PHONE_NUMBER', text: 'Ligar', phone_number: '+351911111111' },
          { type: 'COPY_CODE', example: 'T3' },
          { type: 'QUICK_REPLY', text: 'Sim' },
        ],
      },
    ])
    const withoutExample = {
      ...values,
      providerName: 'b',
      parts: { ...parts, header: { ...parts.header, example: null } },
    }
    expect(
      await getFailure(
        submit(provider.connect(), { ...template, ...withoutExample }, provider.createContext()),
      ),
    ).toMatchObject({ message: expect.stringContaining('HEADER is missing') })
    const [first] = provider.simulator.templates
    const long = { type: 'FOOTER', text: 'x'.repeat(100_000) }
    provider.simulator.templates.push({ ...first!, name: 'long', components: [long] })
    expect((await list(provider.connect(), provider.createContext())).at(-1)!.parts.footer).toHaveLength(200)
    provider.simulator.templates.push(
      ...Array.from({ length: 1200 }, (_, index) => ({ ...first!, name: `n${index}` })),
    )
    expect(await list(provider.connect(), provider.createContext())).toHaveLength(1000)
  })

  test('shows that somebody reads and types', async () => {
    const message = { providerMessageId: 'wamid.1', to: [phone] }
    await whatsappCloud.markRead!(provider.connect(), message, provider.createContext())
    await whatsappCloud.showTyping!(provider.connect(), message, provider.createContext())
    await whatsappCloud.showTyping!(
      provider.connect(),
      { ...message, providerMessageId: null },
      provider.createContext(),
    )
    expect(provider.simulator.accepted).toEqual([])
  })
})
