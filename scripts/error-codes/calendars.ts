/** The codes of calendars. */
import type { ErrorCodes } from './error-codes.ts'

/** `warnings[].code` of a calendar. */
export const calendarWarnings: ErrorCodes = {
  INVALID_EVENT: ['The times of an event cannot be read: it blocks nothing.', 'Correct it in the calendar.'],
  INVALID_RECURRENCE: [
    'The rule by which an event repeats cannot be read: it blocks at its first time only.',
    'Enter the event again in the calendar.',
  ],
  TOO_MANY_OCCURRENCES: [
    'An event repeats too often: it does not block after the first thousands of its dates.',
    'Shorten the rule of the event in the calendar.',
  ],
  UNKNOWN_TIME_ZONE: [
    'An event is in a time zone that nobody knows: its times count as times of the agenda.',
    'Choose a known time zone for the event.',
  ],
  UNREADABLE_EVENT: ['An event of the provider cannot be read, and blocks nothing.', 'Correct it there.'],
  CHANGE_REFUSED: [
    'An appointment was moved in the calendar to a time that cannot be booked. It was written back.',
    'Reschedule the appointment to a free slot.',
  ],
}
