/** External calendars of agendas: busy times that block slots, and appointments that are written to them. */
import type { Feature } from '../../kit/feature.ts'

export function calendars(): Feature {
  return {
    name: 'calendars',
    tags: { Calendars: 'External calendars of agendas.' },
    routes: [],
    jobs: [],
    events: [],
  }
}
