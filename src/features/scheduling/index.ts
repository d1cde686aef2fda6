/** Scheduling: event types, agendas, slots and appointments. */
import type { Feature } from '../../kit/feature.ts'
import { eventTypeRoutes } from './event-types/routes.ts'

export function scheduling(): Feature {
  return {
    name: 'scheduling',
    tags: { Scheduling: 'Event types, agendas, their slots, and appointments.' },
    scopes: ['scheduling:read', 'scheduling:write'],
    routes: [...eventTypeRoutes],
    jobs: [],
    events: [],
  }
}
