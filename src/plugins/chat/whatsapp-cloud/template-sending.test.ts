/** Templates with a header and buttons that take values, sent and submitted, against the simulated WhatsApp over HTTP. */
import { expect, test } from 'vitest'
import { file, prepareWhatsappProvider } from '../../../../test/whatsapp-provider.ts'
import type { OutgoingContent, OutgoingMedia, TemplateReference } from '../../chat.ts'
import { whatsappCloud } from './index.ts'

const provider = prepareWhatsappProvider()

const buttons = [
  { type: 'URL', text: 'Ver', url: 'https://agencia.example/{{1}}' },
  { type: 'COPY_CODE', text: 'Copiar' },
  { type: 'QUICK_REPLY', text: 'Sí' },
  { type: 'PHONE_NUMBER', text: 'Llamar' },
]
const addTemplate = (header: { format: string; text?: string }) =>
  provider.simulator.templates.push({
    id: '5',
    name: 'visita',
    language: 'es',
    status: 'APPROVED',
    category: 'UTILITY',
    components: [
      { type: 'HEADER', ...header },
      { type: 'BODY', text: 'Hola {{1}}' },
      { type: 'BUTTONS', buttons },
    ],
  })

const values: TemplateReference['buttons'] = [
  { index: 0, kind: 'url', value: 'piso-7' },
  { index: 1, kind: 'copy_code', value: '25OFF' },
  { index: 2, kind: 'quick_reply', value: 'yes:7' },
]
const visit = (change: Partial<TemplateReference>, media?: OutgoingMedia): OutgoingContent => ({
  kind: 'template',
  text: 'x',
  template: { providerName: 'visita', language: 'es', values: ['Marta'], buttons: values, ...change },
  ...(media && { media }),
})
const readComponents = () =>
  (provider.simulator.accepted.at(-1)!.body.template as { components: object[] }).components

test('the values of a text header, of the body and of buttons are sent', async () => {
  addTemplate({ format: 'TEXT', text: 'Visita {{1}}' })
  expect(await provider.send(visit({ header: { kind: 'text', text: 'el\nlunes' } }))).toMatchObject({
    status: 'sent',
  })
  expect(readComponents()).toEqual([
    { type: 'header', parameters: [{ type: 'text', text: 'el lunes' }] },
    { type: 'body', parameters: [{ type: 'text', text: 'Marta' }] },
    { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'piso-7' }] },
    {
      type: 'button',
      sub_type: 'copy_code',
      index: '1',
      parameters: [{ type: 'coupon_code', coupon_code: '25OFF' }],
    },
    {
      type: 'button',
      sub_type: 'quick_reply',
      index: '2',
      parameters: [{ type: 'payload', payload: 'yes:7' }],
    },
  ])
})

test.each([
  ['IMAGE', 'image', 'image/png', {}],
  ['VIDEO', 'video', 'video/mp4', {}],
  ['DOCUMENT', 'document', 'application/pdf', { filename: 'piso "1".pdf' }],
] as const)('the file of a header of the format %s is uploaded first', async (format, kind, type, more) => {
  addTemplate({ format })
  const { media } = file(kind, Buffer.from('x'), type)
  expect(await provider.send(visit({ header: { kind: 'file' } }, media))).toMatchObject({ status: 'sent' })
  expect(readComponents()[0]).toEqual({
    type: 'header',
    parameters: [{ type: kind, [kind]: { id: expect.stringMatching(/^\d+$/), ...more } }],
  })
  expect(
    await provider.send(visit({ header: { kind: 'file' } }, { ...media, mediaType: 'image/gif' })),
  ).toMatchObject({ failure: { code: 'MEDIA_REJECTED' } })
})

test('a place is the value of a header', async () => {
  addTemplate({ format: 'LOCATION' })
  const place = { latitude: 41.4, longitude: 2.2, name: 'Piso', address: null }
  expect(await provider.send(visit({ header: { kind: 'location', ...place } }))).toMatchObject({
    status: 'sent',
  })
  expect(readComponents()[0]).toEqual({
    type: 'header',
    parameters: [{ type: 'location', location: { latitude: '41.4', longitude: '2.2', name: 'Piso' } }],
  })
})

test.each<[string, Partial<TemplateReference>, string, string]>([
  ['a missing value of the header', { buttons: values }, 'header: number', '132000'],
  [
    'a missing button',
    { header: { kind: 'text', text: 'x' }, buttons: values.slice(1) },
    'index 0',
    '131008',
  ],
  [
    'a value of a button without one',
    { header: { kind: 'text', text: 'x' }, buttons: [...values, { index: 3, kind: 'url', value: 'x' }] },
    'index 3',
    '132012',
  ],
])('%s is refused with WhatsApp’s code', async (_what, change, details, providerCode) => {
  addTemplate({ format: 'TEXT', text: 'Visita {{1}}' })
  expect(await provider.send(visit(change))).toMatchObject({
    failure: { providerCode, message: expect.stringContaining(details) },
  })
})

test('a long header is refused before it is sent', async () => {
  expect(await provider.send(visit({ header: { kind: 'text', text: 'x'.repeat(61) } }))).toMatchObject({
    failure: { code: 'MESSAGE_REJECTED', providerCode: null },
  })
  expect(provider.simulator.accepted).toEqual([])
})

test('the example of a header with a file is uploaded before the template is submitted', async () => {
  const { media } = file('image', Buffer.from('abc'), 'image/png')
  const submit = (more: Partial<OutgoingMedia>) =>
    whatsappCloud.templates!.submit(
      provider.connect(),
      {
        providerName: 'con_foto',
        language: 'es',
        category: 'marketing',
        body: 'Hola',
        examples: [],
        parts: {
          header: { kind: 'image', text: null, example: null, media: { ...media, ...more } },
          footer: null,
          buttons: [],
        },
      },
      provider.createContext(),
    )
  await expect(submit({ mediaType: 'image/gif' })).rejects.toMatchObject({
    failure: { code: 'MESSAGE_REJECTED', message: expect.stringContaining('file_type') },
  })
  expect(await submit({})).toMatchObject({ status: 'pending' })
  expect(provider.simulator.templates.at(-1)!.components).toEqual([
    { type: 'HEADER', format: 'IMAGE', example: { header_handle: [expect.stringMatching(/^4::/)] } },
    { type: 'BODY', text: 'Hola' },
  ])
})
