/** Examples of event types, for the documentation. */
import { defaultConfig } from './config-schemas.ts'
import type { EventType, NewEventType } from './schemas.ts'

const agentId = '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f'
const agendaId = '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e91'

export const newEventTypeExample: NewEventType = {
  ownerAgentUserId: agentId,
  name: 'Viewing, 30 minutes',
  slug: 'viewing-30-min',
  durationMin: 30,
  locationMode: 'onsite',
  bufferAfterMin: 15,
}

export const eventTypeExample: EventType = {
  id: '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e90',
  ownerAgentUserId: agentId,
  name: 'Viewing, 30 minutes',
  slug: 'viewing-30-min',
  durationMin: 30,
  locationMode: 'onsite',
  agendaId,
  description: null,
  bufferBeforeMin: 0,
  bufferAfterMin: 15,
  color: null,
  visibility: 'agent_private',
  locationDetails: {
    address: null,
    latitude: null,
    longitude: null,
    instructions: null,
    useLeadProperty: true,
  },
  config: defaultConfig,
  availability: {
    timezone: 'Europe/Madrid',
    weekly: [1, 2, 3, 4, 5].map(day => ({ day, from: '09:00', to: '18:00' })),
    overrides: [],
    minimumNoticeMin: 60,
    horizonDays: 60,
    slotIntervalMin: 30,
    dailyLimit: null,
  },
  links: { page: 'https://api.example.com/book/6wq0Yf3xLJc1kTt8mZ4pVbN2sRhG7uEd' },
  templateId: null,
  createdAt: '2026-11-02T10:00:00.000Z',
  updatedAt: '2026-11-02T10:00:00.000Z',
}
