/** The example of a preview. */
import type { CampaignPreview } from './schemas.ts'

export const previewExample: CampaignPreview = {
  from: '2026-11-27T16:00:00.000Z',
  until: '2026-12-04T16:00:00.000Z',
  recipients: 46,
  isPartial: false,
  messages: 2,
  people: 2,
  cost: 0.123,
  days: [{ date: '2026-11-30', messages: 2, starts: 2 }],
  steps: [{ step: 0, messages: 2 }],
  sends: [
    {
      recipientId: '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f',
      leadId: '01980a4e-2222-7c3e-9d7a-2f6b1c0d9e8f',
      step: 0,
      at: '2026-11-30T08:00:00.000Z',
      isQueued: false,
      templateId: '01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f',
      variant: null,
      text: 'Hola Marta, ¿sigue pensando en vender el piso de la calle Verdi?',
    },
  ],
  skipped: [
    {
      code: 'NO_LAWFUL_BASIS',
      message: 'No lawful basis for contacting this person is recorded.',
      count: 44,
      leadIds: ['01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f'],
    },
  ],
  missing: [],
  wait: null,
}
