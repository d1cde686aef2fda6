/** Examples of appointments for the documentation. */
import type { Appointment, AppointmentWithoutLinks } from './schemas.ts'

export const payloadExample: AppointmentWithoutLinks = {
  id: '01980a4e-9999-7c3e-9d7a-2f6b1c0d9e8f',
  status: 'confirmed',
  eventTypeId: '01980a4e-8888-7c3e-9d7a-2f6b1c0d9e8f',
  agendaId: '01980a4e-7777-7c3e-9d7a-2f6b1c0d9e8f',
  agentUserId: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
  start: '2026-12-01T10:00:00.000Z',
  end: '2026-12-01T10:30:00.000Z',
  timezone: 'Europe/Madrid',
  visitor: { name: 'Marta Soler', email: 'marta@example.com', phone: '+34612345678', language: 'es' },
  leadId: '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f',
  location: {
    mode: 'onsite',
    address: 'Carrer de Mallorca, 214, 08008 Barcelona',
    latitude: 41.3917,
    longitude: 2.1611,
    url: null,
    phone: null,
    instructions: 'Ring at 3-1.',
  },
  answers: { budget: '300,000', financing: true },
  notes: null,
  icalUid: '01980a4e-9999-7c3e-9d7a-2f6b1c0d9e8f@aldaba.example',
  sequence: 0,
  source: 'api',
  expiresAt: null,
  cancelledBy: null,
  cancelReason: null,
  visitorAnswer: null,
  outcome: null,
  createdAt: '2026-11-20T09:12:00.000Z',
  updatedAt: '2026-11-20T09:12:00.000Z',
}

const page = 'https://aldaba.example/appointment/0sT3VYk9QyWm4uXcZr7Ba2LfHd8Ne5Pg'

export const appointmentExample: Appointment = {
  ...payloadExample,
  links: { page, reschedule: `${page}/reschedule`, cancel: `${page}/cancel`, ics: `${page}/invite.ics` },
}
