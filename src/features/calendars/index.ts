/** External calendars of agendas: busy times that block slots, and appointments that are written to them. */
import type { Feature } from '../../kit/feature.ts'
import { on } from '../../kit/hook.ts'
import { agendaDeleted, appointmentChanged } from '../scheduling/service.ts'
import { authorizationRoute } from './authorization.ts'
import { type CalendarsOptions, createCalendars } from './calendar-connections.ts'
import { deleteDisconnectedCalendars, disconnectCalendars } from './disconnect.ts'
import { calendarEvents } from './events.ts'
import { agendaFeed, feedRoutes } from './feeds/agenda-feed.ts'
import { planReads, readCalendarJob, readSchedule } from './reads/jobs.ts'
import { calendarRoutes } from './routes.ts'
import { calendarOutbox } from './writes/outbox.ts'
import { planWrites } from './writes/plan-writes.ts'

export function calendars(options: CalendarsOptions): Feature {
  const calendars = createCalendars(options)
  return {
    name: 'calendars',
    tags: { Calendars: 'External calendars of agendas, and calendar files of appointments.' },
    routes: [...calendarRoutes(calendars), ...feedRoutes(options)],
    publicRoutes: [authorizationRoute(calendars), agendaFeed],
    jobs: [readCalendarJob(calendars)],
    deploymentJobs: [planReads, deleteDisconnectedCalendars],
    scheduledTasks: [readSchedule],
    outboxes: [calendarOutbox(calendars)],
    events: calendarEvents,
    hooks: [on(appointmentChanged, planWrites), on(agendaDeleted, disconnectCalendars)],
    encryptedColumns: [{ table: 'calendars', column: 'credentials', key: ['id'] }],
  }
}
