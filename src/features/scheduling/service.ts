/** The interface of scheduling for other features. */

export { bookAppointment } from './appointments/book.ts'
export { cancelAppointment } from './appointments/cancel.ts'
export { findBookingDrives } from './appointments/find-drives.ts'
export { findAppointments, getAppointment } from './appointments/queries.ts'
export { rescheduleAppointment } from './appointments/reschedule.ts'
export type { AppointmentRow } from './appointments/row.ts'
export { findEventType } from './event-types/queries.ts'
export { findHolidayErrors, listHolidays } from './holidays.ts'
export { type AppointmentChange, agendaDeleted, appointmentChanged } from './hooks.ts'
export { findListedDrives, listFreeSlots } from './slots/list.ts'
export { freshForMs } from './slots/queries.ts'
export { createTravelTimes, type TravelTimes } from './travel/travel-times.ts'
