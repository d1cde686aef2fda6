/** The interface of scheduling for other features. */

export { type Booking, type BookingRequest, bookAppointment } from './appointments/book.ts'
export { type Cancellation, cancelAppointment } from './appointments/cancel.ts'
export { confirmAppointment } from './appointments/complete.ts'
export { appointmentObjectKind, type LinkDependencies } from './appointments/links.ts'
export { findAppointments, getAppointment } from './appointments/queries.ts'
export { refuseTaken } from './appointments/refuse-taken.ts'
export { type RescheduleRequest, rescheduleAppointment } from './appointments/reschedule.ts'
export type { AppointmentRow } from './appointments/row.ts'
export { type AppointmentChange, appointmentChanged } from './hooks.ts'
