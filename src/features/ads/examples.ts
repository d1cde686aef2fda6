/** Examples of the API objects of lead ads. */
import type { AdConnection, AdLead, AdNetworkInfo, LeadForm } from './schemas.ts'

const fields = {
  id: '01980a4e-9999-7c3e-9d7a-2f6b1c0d9e8f',
  network: 'meta',
  name: 'Valencia',
  pageId: '138124712925158',
  pageName: 'Inmobiliaria Soler',
  status: 'CONNECTED' as const,
  statusReason: null,
  statusChangedAt: '2026-11-20T09:00:00.000Z',
  since: '2026-11-20T09:00:00.000Z',
  checkedAt: '2026-11-26T09:15:00.000Z',
  nextSweepAt: '2026-11-26T10:15:00.000Z',
  leads: { waiting: 0, taken: 42, skipped: 1, failed: 0 },
  createdAt: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-26T09:15:00.000Z',
}

export const connectionPayloadExample = fields
export const connectionExample: AdConnection = {
  ...fields,
  webhook: {
    url: 'https://aldaba.example/ads/webhooks/Xx4f…',
    verifyToken: 'q2n5cDJ0c3RhdGVtZW50b2Z0aGV0b2tl',
    verifiedAt: '2026-11-20T09:05:00.000Z',
    notifiedAt: '2026-11-26T09:14:00.000Z',
  },
}

export const newConnectionExample = {
  network: 'meta',
  name: 'Valencia',
  credentials: {
    pageId: '138124712925158',
    accessToken: 'EAAGm0PX4ZCpsBAKZCq1ZBexampleexampleexample',
    appSecret: '0123456789abcdef0123456789abcdef',
  },
}

export const networkExample: AdNetworkInfo = {
  id: 'meta',
  label: 'Meta',
  credentials: {
    type: 'object',
    properties: { pageId: { type: 'string', title: 'Page ID' } },
    required: ['pageId'],
  },
  keptDays: 90,
}

export const formExample: LeadForm = {
  formId: '172036835026334',
  name: 'Valora tu piso',
  isActive: true,
  locale: 'es_ES',
  questions: [
    { key: 'full_name', label: 'Nombre completo', field: 'contact.name', isGuessed: true },
    { key: 'cuando', label: '¿Cuándo quieres vender?', field: 'customFields.plan', isGuessed: false },
  ],
  fieldMapping: { cuando: 'customFields.plan' },
  consentText: {
    version: '3f2a9c1b7d04',
    title: 'Protección de datos',
    text: 'Inmobiliaria Soler trata tus datos para responder a tu solicitud.',
    boxes: [
      {
        key: 'contacto',
        text: 'Acepto que me contacten por WhatsApp, teléfono y correo.',
        isRequired: true,
        isTickedBefore: false,
      },
    ],
  },
  consent: { boxes: ['contacto'], channels: ['chat', 'phone', 'email'] },
  isConsentGuessed: false,
  readAt: '2026-11-26T09:15:00.000Z',
}

export const adLeadExample: AdLead = {
  id: '01980a4e-aaaa-7c3e-9d7a-2f6b1c0d9e8f',
  externalId: '233370042045345',
  formId: '172036835026334',
  status: 'taken',
  reason: null,
  attempts: 1,
  nextAttemptAt: null,
  leadId: '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f',
  consent: { version: '3f2a9c1b7d04', boxes: [{ key: 'contacto', isTicked: true }], isGiven: true },
  submittedAt: '2026-11-26T09:14:00.000Z',
  receivedAt: '2026-11-26T09:14:02.000Z',
  endedAt: '2026-11-26T09:14:03.000Z',
}
