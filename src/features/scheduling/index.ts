/** Scheduling: event types, agendas, slots and appointments. */
import type { Feature } from '../../kit/feature.ts'
import { on } from '../../kit/hook.ts'
import { leadsDeleted, leadsMerged, mergeUndone } from '../leads/service.ts'
import { erasePersonData } from '../privacy/service.ts'
import { agendaRoutes } from './agendas/routes.ts'
import { emitAppointmentEvent } from './appointments/change.ts'
import { appointmentClock, endAppointments } from './appointments/clock.ts'
import { erasePeopleFromAppointments } from './appointments/erasure.ts'
import { detachAppointments, moveAppointments, restoreAppointments } from './appointments/lead-references.ts'
import type { LinkDependencies } from './appointments/links.ts'
import { appointmentPersonData } from './appointments/person-data.ts'
import { appointmentRoutes } from './appointments/routes.ts'
import { eventTypeRoutes } from './event-types/routes.ts'
import { appointmentEvents } from './events.ts'
import { expireHolds, holdExpiry } from './holds/expiry.ts'
import { holdRoutes } from './holds/routes.ts'
import { appointmentChanged } from './hooks.ts'
import { slotProblemFields } from './problems.ts'
import { slotRoutes } from './slots/routes.ts'

/** `baseUrl`: the public URL with the base path. */
export function scheduling(dependencies: LinkDependencies): Feature {
  return {
    name: 'scheduling',
    tags: { Scheduling: 'Event types, agendas, their slots, and appointments.' },
    scopes: ['scheduling:read', 'scheduling:write'],
    routes: [
      ...eventTypeRoutes,
      ...agendaRoutes,
      ...slotRoutes,
      ...holdRoutes,
      ...appointmentRoutes(dependencies),
    ],
    jobs: [],
    deploymentJobs: [endAppointments, expireHolds],
    scheduledTasks: [appointmentClock, holdExpiry],
    events: appointmentEvents,
    problemFields: slotProblemFields,
    personData: appointmentPersonData,
    hooks: [
      on(appointmentChanged, emitAppointmentEvent),
      on(erasePersonData, erasePeopleFromAppointments),
      on(leadsDeleted, detachAppointments),
      on(leadsMerged, moveAppointments),
      on(mergeUndone, restoreAppointments),
    ],
  }
}
