/** Examples of templates, for the documentation. */
import { noParts } from '../../plugins/chat.ts'
import type { TemplateSync } from './approval-schemas.ts'
import type { Preview } from './preview-schemas.ts'
import type { Template, TemplateVersion } from './schemas.ts'

const versionId = '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f'
const body = 'Hola {{ contact.firstName | default: "buenos días" }}, ¿sigue en venta {{ property.title }}?'
const variables: Template['variables'] = [
  { name: 'contact.firstName', type: 'text', isOwn: false, fallback: null, example: null },
  { name: 'property.title', type: 'text', isOwn: false, fallback: 'su inmueble', example: null },
]

export const newTemplateExample = {
  name: 'First contact',
  language: 'es',
  body,
  category: 'marketing' as const,
  variables: [{ name: 'property.title', fallback: 'su inmueble' }],
}

const text = {
  language: 'es',
  body,
  ...noParts,
  variables,
  version: 1,
  versionId,
  status: 'draft' as const,
  statusReason: null,
  providerTemplateName: null,
}

export const templateExample: Template = {
  id: '01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f',
  name: 'First contact',
  ...text,
  category: 'marketing',
  variants: [{ ...text, notice: null, approvals: [], updatedAt: '2026-11-02T10:00:00.000Z' }],
  createdAt: '2026-11-02T10:00:00.000Z',
  updatedAt: '2026-11-02T10:00:00.000Z',
  archivedAt: null,
}

export const versionExample: TemplateVersion = {
  id: versionId,
  language: 'es',
  number: 1,
  body,
  ...noParts,
  variables,
  isCurrent: true,
  createdAt: '2026-11-02T10:00:00.000Z',
}

export const previewExample: Preview = {
  versionId,
  version: 1,
  language: 'es',
  text: 'Hola Marta, ¿sigue en venta Piso en carrer de Mallorca?',
  markedText: null,
  missing: [],
  values: [
    { name: 'contact.firstName', value: 'Marta', source: 'data' },
    { name: 'property.title', value: 'Piso en carrer de Mallorca', source: 'data' },
  ],
  characters: 55,
  segments: null,
  warnings: [],
}

export const submissionExample = { accountId: '01980a4e-6666-7c3e-9d7a-2f6b1c0d9e8f', language: 'es' }

export const syncExample: TemplateSync = {
  imported: 1,
  updated: 2,
  unchanged: 5,
  skipped: [
    {
      providerTemplateName: 'welcome',
      language: 'es',
      reason: 'Its placeholders are not {{1}}, {{2}}, … in this order.',
    },
  ],
}
