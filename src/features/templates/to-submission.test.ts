/** How a template is written for the provider that approves it. */
import { expect, test } from 'vitest'
import { noParts } from '../../plugins/chat.ts'
import { TemplateError } from './liquid/template-error.ts'
import type { VersionRow } from './queries.ts'
import { toSubmission } from './to-submission.ts'

const version = (change: Partial<VersionRow>): VersionRow => ({
  versionId: '',
  templateId: '',
  language: 'es',
  number: 1,
  body: 'Hola {{ contact.name }}',
  parts: noParts,
  variables: ['contact.name', 'code'].map(name => ({ name, type: 'text', fallback: null, example: 'A 1' })),
  createdAt: '',
  erasedAt: null,
  ...change,
})

test('each value of a submitted template has an example', () => {
  const submitted = toSubmission(
    version({
      parts: {
        header: { kind: 'text', text: 'Visita {{ code }}' },
        footer: 'Agencia',
        buttons: [
          { kind: 'url', title: 'Ver', value: 'https://a.example/{{ code }}' },
          { kind: 'url', title: 'Web', value: 'https://a.example' },
          { kind: 'copy_code', title: 'Copiar', value: '{{ code }}' },
          { kind: 'quick_reply', title: 'Sí', value: 'yes {{ code }}' },
        ],
      },
    }),
  )
  expect(submitted).toEqual({
    body: 'Hola {{1}}',
    examples: ['Marta Soler'],
    parts: {
      header: { kind: 'text', text: 'Visita {{1}}', example: 'A 1' },
      footer: 'Agencia',
      buttons: [
        { kind: 'url', title: 'Ver', value: 'https://a.example/{{1}}', example: 'A%201' },
        { kind: 'url', title: 'Web', value: 'https://a.example', example: null },
        { kind: 'copy_code', title: 'Copiar', value: null, example: 'A 1' },
        { kind: 'quick_reply', title: 'Sí', value: null, example: null },
      ],
    },
  })
})

test.each<[string, Partial<VersionRow['parts']>]>([
  ['a header with two variables', { header: { kind: 'text', text: '{{ code }} {{ contact.name }}' } }],
  ['a variable within an address', { buttons: [{ kind: 'url', title: 'x', value: 'https://{{ code }}/x' }] }],
  ['an address that is a variable', { buttons: [{ kind: 'url', title: 'x', value: '{{ property.url }}' }] }],
  ['a button of the provider', { buttons: [{ kind: 'other', title: 'x', value: null }] }],
])('%s can’t be submitted', (_what, change) => {
  expect(() => toSubmission(version({ parts: { ...noParts, ...change } }))).toThrow(TemplateError)
})
