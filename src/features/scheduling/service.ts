/** The interface of scheduling for other features. */

export { bookAppointment } from './appointments/book.ts'
export { cancelAppointment } from './appointments/cancel.ts'
export { findAppointments, getAppointment } from './appointments/queries.ts'
export { rescheduleAppointment } from './appointments/reschedule.ts'
export type { AppointmentRow } from './appointments/row.ts'
export { findHolidayErrors, listHolidays } from './holidays.ts'
export { type AppointmentChange, agendaDeleted, appointmentChanged } from './hooks.ts'
export { freshForMs } from './slots/queries.ts'
