/** The texts of the public pages of scheduling. Each language is a file in `words/`; a missing text is a type error. */

import type { FormErrors, FormWords } from '../../../documents/form-words.ts'

export interface BookingWords extends FormWords {
  /** The BCP 47 tag of dates and times. */
  locale: string
  timezone: string
  change: string

  mode: Record<'onsite' | 'call' | 'video', string>
  agentCalls: string
  visitorCalls: (phone: string) => string
  details: Record<'length' | 'place' | 'agent' | 'time', string>

  chooseTime: string
  previousMonth: string
  nextMonth: string
  /** The accessible name of a day with free times. */
  freeTimes: (day: string, count: number) => string
  noTimesOnDay: string
  noTimesInMonth: string
  places: (count: number) => string
  timesIn: (zone: string) => string
  /** The whole description. */
  readAll: string

  yourDetails: string
  privacy: (agency: string) => string
  book: string
  requestBooking: string
  changeTime: string

  code: {
    heading: string
    sent: (email: string) => string
    label: string
    submit: string
    resend: string
    /** The e-mail. */
    subject: (agency: string) => string
    text: (code: string, agency: string) => string
  }

  errors: FormErrors & {
    taken: string
    unavailable: string
    nearest: string
    /** Nothing was written. */
    nearestMove: string
    noNearest: string
    tooMany: (max: number) => string
    /** The page is used too often, by somebody or by all. */
    tooOften: string
    codeWrong: string
    codeExpired: string
    codeWait: string
    codeUnsendable: string
  }
  closed: string

  status: Record<'confirmed' | 'pending' | 'cancelled' | 'over', string>
  pendingNote: string
  confirmedNote: string
  moved: string
  joinVideo: string
  addToCalendar: string
  reschedule: string
  cancel: string
  bookAgain: string
  formerTime: string
  newTime: string
  moveIt: string
  cancelQuestion: string
  reason: string
  keep: string
  tooLate: string
}
