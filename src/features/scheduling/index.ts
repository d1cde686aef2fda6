/** Scheduling: event types, agendas, slots and appointments. */
import type { Feature } from '../../kit/feature.ts'
import { on } from '../../kit/hook.ts'
import { jobSchedule } from '../../kit/jobs/job-schedule.ts'
import type { Router } from '../../plugins/router.ts'
import type { ChatAccounts } from '../accounts/service.ts'
import { leadsDeleted, leadsMerged, mergeUndone } from '../leads/service.ts'
import { erasePersonData } from '../privacy/service.ts'
import { agendaRoutes } from './agendas/routes.ts'
import { emitAppointmentEvent } from './appointments/change.ts'
import { appointmentClock, endAppointments } from './appointments/clock.ts'
import { erasePeopleFromAppointments } from './appointments/erasure.ts'
import { eraseExpiredVisitors } from './appointments/jobs.ts'
import { detachAppointments, moveAppointments, restoreAppointments } from './appointments/lead-references.ts'
import { appointmentPersonData } from './appointments/person-data.ts'
import { findNextVisitorExpiry } from './appointments/retention.ts'
import { appointmentRoutes } from './appointments/routes.ts'
import { appointmentPageRoutes } from './booking-page/appointment-routes.ts'
import { bookingRoutes } from './booking-page/booking-routes.ts'
import { feedbackRoute } from './booking-page/feedback-route.ts'
import { sendCode } from './booking-page/send-code.ts'
import { dayRouteRoutes } from './day-route/routes.ts'
import { eventTypeRoutes } from './event-types/routes.ts'
import { appointmentEvents } from './events.ts'
import { expireHolds, holdExpiry } from './holds/expiry.ts'
import { holdRoutes } from './holds/routes.ts'
import { appointmentChanged } from './hooks.ts'
import type { NoticeDependencies } from './notices/dependencies.ts'
import { noticeParts } from './notices/parts.ts'
import { slotProblemFields } from './problems.ts'
import { slotRoutes } from './slots/routes.ts'
import { expireTravelTimes } from './travel/expiry.ts'
import { forgetDrives } from './travel/queries.ts'
import { createTravelTimes } from './travel/travel-times.ts'

interface SchedulingDependencies extends NoticeDependencies {
  /** Null: none is configured. */
  router: Router | null
  accounts: NoticeDependencies['accounts'] & Pick<ChatAccounts, 'findConnection'>
}

/** `baseUrl`: the public URL with the base path. */
export function scheduling({ router, ...others }: SchedulingDependencies): Feature {
  const dependencies = { ...others, travelTimes: createTravelTimes(router, others.log) }
  const notices = noticeParts(dependencies)
  return {
    name: 'scheduling',
    tags: { Scheduling: 'Event types, agendas, their slots, and appointments.' },
    scopes: ['scheduling:read', 'scheduling:write'],
    routes: [
      ...eventTypeRoutes(dependencies),
      ...agendaRoutes,
      ...dayRouteRoutes(dependencies),
      ...slotRoutes(dependencies),
      ...holdRoutes(dependencies),
      ...appointmentRoutes(dependencies),
      ...notices.routes,
    ],
    publicRoutes: [...bookingRoutes(dependencies), ...appointmentPageRoutes(dependencies), feedbackRoute],
    jobs: [sendCode(dependencies), eraseExpiredVisitors, ...notices.jobs],
    deploymentJobs: [endAppointments, expireHolds, expireTravelTimes, ...notices.deploymentJobs],
    scheduledTasks: [
      appointmentClock,
      holdExpiry,
      jobSchedule(eraseExpiredVisitors, findNextVisitorExpiry),
      ...notices.scheduledTasks,
    ],
    events: appointmentEvents,
    problemFields: slotProblemFields,
    personData: appointmentPersonData,
    hooks: [
      on(appointmentChanged, emitAppointmentEvent),
      ...notices.hooks,
      on(erasePersonData, erasePeopleFromAppointments),
      on(erasePersonData, forgetDrives),
      on(leadsDeleted, detachAppointments),
      on(leadsMerged, moveAppointments),
      on(mergeUndone, restoreAppointments),
    ],
  }
}
