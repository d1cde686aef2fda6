/** Stored messages as providers receive them. */
import { expect, test } from 'vitest'
import { toOutgoing } from './to-outgoing.ts'

const toTemplate = (providerName: string | null) =>
  toOutgoing(
    {
      kind: 'template',
      text: 'Hola, Ana',
      content: { template: { providerName, language: 'es', values: ['Ana'] } },
      replyTo: null,
    },
    null,
  )

test('a template is sent by the name that the provider approved, another one as text', () => {
  expect(toTemplate('greeting')).toMatchObject({ kind: 'template', template: { providerName: 'greeting' } })
  expect(toTemplate(null)).toEqual({ kind: 'text', text: 'Hola, Ana' })
})

test('a local template whose header shows a file is that file with the text', () => {
  const stored = { kind: 'template', text: 'Hola', replyTo: null } as const
  const template = { providerName: null, language: 'es', values: [], header: { kind: 'file' } }
  expect(toOutgoing({ ...stored, content: { template } }, 'file')).toEqual({
    kind: 'media',
    media: 'file',
    caption: 'Hola',
  })
  const approved = { ...template, providerName: 'greeting' }
  expect(toOutgoing({ ...stored, content: { template: approved } }, 'file')).toMatchObject({
    kind: 'template',
    media: 'file',
  })
  expect(toOutgoing({ ...stored, content: { template: approved } }, null)).toEqual({
    kind: 'text',
    text: 'Hola',
  })
})

test('a message that was erased has no parts', () => {
  for (const kind of ['media', 'template', 'list'] as const)
    expect(toOutgoing({ kind, text: null, content: { isErased: true }, replyTo: null }, null)).toEqual({
      kind: 'text',
      text: '',
    })
})
