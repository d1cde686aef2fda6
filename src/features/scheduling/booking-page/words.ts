/** The texts of the public pages of scheduling. Each language is a file in `words/`; a missing text is a type error. */

export interface BookingWords {
  /** The BCP 47 tag of dates and times. */
  locale: string
  /** The name of the language in itself. */
  languageName: string
  language: string
  timezone: string
  change: string
  optional: string

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
  name: string
  email: string
  phone: string
  message: string
  choose: string
  privacy: (agency: string) => string
  privacyMore: string
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

  errors: {
    heading: string
    required: string
    email: string
    phone: string
    option: string
    tick: string
    tooLong: (max: number) => string
    taken: string
    unavailable: string
    nearest: string
    /** Nothing was written. */
    nearestMove: string
    noNearest: string
    tooMany: (max: number) => string
    /** The page is used too often, by somebody or by all. */
    tooOften: string
    repeat: string
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
