/** Messages that the provider sends, against the simulated WhatsApp over HTTP. */
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { file, prepareWhatsappProvider, text, userId } from '../../../../test/whatsapp-provider.ts'
import type { GraphFault } from '../../../simulator/graph-api/faults.ts'
import { interruptedResult, type OutgoingContent } from '../../chat.ts'
import { whatsappCloud } from './index.ts'
import { isMediaUrl } from './media.ts'

const provider = prepareWhatsappProvider()

describe('sending', () => {
  const list: OutgoingContent = {
    kind: 'list',
    text: '¿Cuándo?',
    button: 'Elegir',
    sections: [{ title: null, rows: [{ id: 'mon', title: 'Lunes', description: null }] }],
  }
  test.each<[string, OutgoingContent, object]>([
    [
      'a text',
      text('Mire https://ejemplo.es'),
      { text: { body: 'Mire https://ejemplo.es', preview_url: true } },
    ],
    [
      'a template',
      {
        kind: 'template',
        text: 'x',
        template: { providerName: 'first_contact', language: 'es', values: ['Marta\n', 'Gràcia'] },
      },
      {
        template: {
          name: 'first_contact',
          language: { code: 'es' },
          components: [
            {
              type: 'body',
              parameters: [
                { type: 'text', text: 'Marta' },
                { type: 'text', text: 'Gràcia' },
              ],
            },
          ],
        },
      },
    ],
    [
      'buttons',
      { kind: 'buttons', text: '¿Sí?', buttons: [{ id: 'yes', title: 'Sí' }] },
      { interactive: { action: { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Sí' } }] } } },
    ],
    ['a list', list, { interactive: { type: 'list', action: { button: 'Elegir' } } }],
    [
      'a place',
      { kind: 'location', latitude: 41.4, longitude: 2.2, name: 'Piso', address: null },
      { location: { latitude: 41.4, longitude: 2.2, name: 'Piso' } },
    ],
    [
      'a removed reaction',
      { kind: 'reaction', emoji: null, providerMessageId: 'wamid.1' },
      { reaction: { message_id: 'wamid.1', emoji: '' } },
    ],
  ])('%s arrives as WhatsApp writes it', async (_what, content, body) => {
    const replyTo = content.kind === 'reaction' ? null : 'wamid.0'
    const result = await provider.send(content, { replyTo })
    expect(result).toMatchObject({ status: 'sent', providerMessageId: provider.simulator.accepted[0]!.id })
    expect(provider.simulator.accepted[0]!.body).toMatchObject({
      to: '+34612345678',
      ...(replyTo && { context: { message_id: replyTo } }),
      biz_opaque_callback_data: '019a0000-0000-7000-8000-000000000001',
      ...body,
    })
  })

  test('a person without a phone gets it by user id', async () => {
    expect(await provider.send(text(), { to: [userId] })).toMatchObject({ status: 'sent' })
    expect(provider.simulator.accepted[0]!.body).toMatchObject({ recipient: 'ES.1234567890' })
    expect(provider.simulator.accepted[0]!.body).not.toHaveProperty('to')
    const nobody = await provider.send(text(), { to: [{ kind: 'email', value: 'a@b.es' }] })
    expect(nobody).toMatchObject({ failure: { code: 'RECIPIENT_UNREACHABLE', scope: 'recipient' } })
  })

  test('a file is uploaded first, in parts', async () => {
    const bytes = Buffer.alloc(3_000_000, 'ñ')
    expect(await provider.send(file('document', bytes, 'application/pdf', 'El plano'))).toMatchObject({
      status: 'sent',
    })
    const { document } = provider.simulator.accepted[0]!.body as { document: { id: string } }
    expect(document).toMatchObject({ caption: 'El plano', filename: 'piso "1".pdf' })
    const stream = await whatsappCloud.openMedia!(
      provider.connect(),
      { kind: 'document', providerMediaId: document.id, mediaType: null, fileName: null, bytes: null },
      provider.createContext(),
    )
    expect(await buffer(stream)).toEqual(bytes)
  })

  test('a voice message is an audio with a mark', async () => {
    await provider.send(file('voice', Buffer.from('ogg'), 'audio/ogg; codecs=opus'))
    expect(provider.simulator.accepted[0]!.body).toMatchObject({ type: 'audio', audio: { voice: true } })
  })

  test.each<[string, OutgoingContent, string]>([
    ['an empty text', text(''), 'MESSAGE_REJECTED'],
    ['a long text', text('x'.repeat(4097)), 'MESSAGE_REJECTED'],
    [
      'four buttons',
      { kind: 'buttons', text: 'x', buttons: ['1', '2', '3', '4'].map(id => ({ id, title: id })) },
      'MESSAGE_REJECTED',
    ],
    [
      'a long row',
      { ...list, sections: [{ title: null, rows: [{ id: 'a', title: 'x'.repeat(25), description: null }] }] },
      'MESSAGE_REJECTED',
    ],
    [
      'a local template',
      { kind: 'template', text: 'x', template: { providerName: null, language: 'es', values: [] } },
      'TEMPLATE_NOT_FOUND',
    ],
    ['a file of another type', file('image', Buffer.from('x'), 'image/gif'), 'MEDIA_REJECTED'],
    ['a large file', file('image', Buffer.alloc(5 * 1024 * 1024 + 1), 'image/png'), 'MEDIA_REJECTED'],
    ['a caption of a voice message', file('voice', Buffer.from('x'), 'audio/ogg', 'x'), 'UNSUPPORTED'],
  ])('%s is refused before it is sent', async (_what, content, code) => {
    expect(await provider.send(content)).toMatchObject({
      status: 'failed',
      failure: { code, retryable: false },
    })
    expect(provider.simulator.accepted).toEqual([])
  })

  test('what WhatsApp refuses has our code', async () => {
    const template = (providerName: string, values: string[]): OutgoingContent => ({
      kind: 'template',
      text: 'x',
      template: { providerName, language: 'es', values },
    })
    expect(await provider.send(template('unknown', []))).toMatchObject({
      failure: { code: 'TEMPLATE_NOT_FOUND' },
    })
    expect(await provider.send(template('first_contact', []))).toMatchObject({
      failure: {
        code: 'TEMPLATE_MISMATCH',
        scope: 'template',
        message: expect.stringContaining('WhatsApp says: body'),
      },
    })
    provider.simulator.setAccessToken('another')
    expect(await provider.send(text())).toMatchObject({
      failure: { code: 'INVALID_CREDENTIALS', scope: 'account' },
    })
  })
})

describe('without a clear answer', () => {
  test.each<[string, GraphFault, object]>([
    ['a cut connection', { kind: 'cut' }, { status: 'unknown' }],
    [
      'a cut connection after the message was accepted',
      { kind: 'cut', isAccepted: true },
      { status: 'unknown' },
    ],
    ['a gateway error', { kind: 'page', status: 502, isAccepted: true }, { status: 'unknown' }],
    ['an unknown error', { kind: 'error', status: 500, code: 131_000 }, { status: 'unknown' }],
    [
      'a service that is not available',
      { kind: 'page', status: 503, retryAfterSeconds: 7 },
      { status: 'failed', failure: { code: 'PROVIDER_UNAVAILABLE', retryable: true, retryAfterMs: 7000 } },
    ],
    [
      'a temporary error',
      { kind: 'error', status: 500, code: 2, isTransient: true },
      { status: 'failed', failure: { code: 'PROVIDER_UNAVAILABLE', retryable: true } },
    ],
    [
      'a rate limit',
      { kind: 'error', status: 429, code: 130_429, retryAfterSeconds: 3 },
      {
        status: 'failed',
        failure: { code: 'RATE_LIMITED', scope: 'account', retryable: true, retryAfterMs: 3000 },
      },
    ],
  ])('%s', async (_what, fault, result) => {
    provider.simulator.faults.add(fault)
    expect(await provider.send(text())).toMatchObject(result)
  })

  test('a refused connection: nothing was sent', async () => {
    await provider.simulator.setReachable(false)
    expect(await provider.send(text())).toMatchObject({ status: 'failed', failure: { retryable: true } })
    await provider.simulator.setReachable(true)
    expect(await provider.send(text())).toMatchObject({ status: 'sent' })
  })

  test('an upload that was cut sends nothing', async () => {
    provider.simulator.faults.add({ kind: 'cut', path: '/media' })
    const result = await provider.send(file('image', Buffer.from('x'), 'image/png'))
    expect(result).toMatchObject({ status: 'failed', failure: { retryable: true } })
  })

  test('an aborted call throws; an aborted upload has sent nothing', async () => {
    provider.simulator.faults.add({ kind: 'hang' })
    const image = file('image', Buffer.from('x'), 'image/png')
    expect(await provider.send(image, {}, { signal: AbortSignal.timeout(50) })).toEqual(interruptedResult)
    expect(await provider.send(text(), {}, { signal: AbortSignal.abort() })).toEqual(interruptedResult)
    provider.simulator.faults.add({ kind: 'hang' })
    await expect(provider.send(text(), {}, { signal: AbortSignal.timeout(50) })).rejects.toThrow(/timeout/i)
  })
})

test('the token goes only to hosts of Meta, or to the base URL', () => {
  const base = 'https://graph.facebook.com/v23.0'
  const isAllowed = (url: string) => isMediaUrl(url, base)
  expect(isAllowed('https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1')).toBe(true)
  expect(isAllowed('https://graph.facebook.com/x')).toBe(true)
  for (const url of [
    'http://lookaside.fbsbx.com/x',
    'https://lookaside.fbsbx.com.evil.example/x',
    'https://evilfbsbx.com/x',
    'https://lookaside.fbsbx.com:8443/x',
    'https://lookaside.fbsbx.com@evil.example/x',
    'file:///etc/passwd',
    'x',
  ])
    expect(isAllowed(url)).toBe(false)
})
