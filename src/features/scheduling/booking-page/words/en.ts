/** The texts of the public pages of scheduling in English. */
import { formWords } from '../../../../documents/form-words.ts'
import type { BookingWords } from '../words.ts'

export const en: BookingWords = {
  ...formWords.en,
  locale: 'en-GB',
  timezone: 'Time zone',
  change: 'Change',

  mode: { onsite: 'On site', call: 'Phone call', video: 'Video call' },
  agentCalls: 'We call you',
  visitorCalls: phone => `You call ${phone}`,
  details: { length: 'Length', place: 'Place', agent: 'With', time: 'Date and time' },

  chooseTime: 'Choose a day and a time',
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  freeTimes: (day, count) => `${day}: ${count} ${count === 1 ? 'time' : 'times'} available`,
  noTimesOnDay: 'No times are available on this day.',
  noTimesInMonth: 'No times are available this month.',
  places: count => `${count} ${count === 1 ? 'place' : 'places'} left`,
  timesIn: zone => `Times: ${zone}`,
  readAll: 'Read all',

  yourDetails: 'Your details',
  privacy: agency => `${agency} uses these details to arrange and hold this appointment.`,
  book: 'Book',
  requestBooking: 'Request appointment',
  changeTime: 'Change the time',

  code: {
    heading: 'Confirm your e-mail address',
    sent: email => `We have sent a 6-digit code to ${email}. It is valid for 10 minutes.`,
    label: 'Code',
    submit: 'Confirm and book',
    resend: 'Send a new code',
    subject: agency => `Your code for ${agency}`,
    text: (code, agency) =>
      `Your code to book an appointment with ${agency}: ${code}\n\nIt is valid for 10 minutes. If you did not request it, ignore this message.`,
  },

  errors: {
    ...formWords.en.errors,
    taken: 'Somebody has just booked this time.',
    unavailable: 'This time can no longer be booked.',
    nearest: 'These times are available. Choose one: what you have written is kept.',
    nearestMove: 'These times are available. Choose one.',
    noNearest: 'No other times are available near it.',
    tooMany: max =>
      `You already have ${max} appointments to come. Cancel one with its link before you book another.`,
    tooOften:
      'Too many appointments are being booked here at the moment. Please try again later, or contact us.',
    codeWrong: 'This is not the code. Please check the last e-mail.',
    codeExpired: 'The code is no longer valid. Request a new one.',
    codeWait: 'We have just sent you a code. Please wait a minute before you request another.',
    codeUnsendable: 'We can’t send a code at the moment. Please contact us.',
  },
  closed: 'Appointments can’t be booked here at the moment. Please contact us.',

  status: {
    confirmed: 'Your appointment is confirmed',
    pending: 'Your request has been received',
    cancelled: 'This appointment is cancelled',
    over: 'This appointment is over',
  },
  pendingNote: 'The time is reserved for you. We will confirm it as soon as possible.',
  confirmedNote: 'Keep the address of this page: here you can change or cancel the appointment.',
  moved: 'Your appointment has been moved.',
  joinVideo: 'Join the video call',
  addToCalendar: 'Add to calendar',
  reschedule: 'Choose another time',
  cancel: 'Cancel the appointment',
  bookAgain: 'Book another appointment',
  formerTime: 'Until now',
  newTime: 'New time',
  moveIt: 'Move the appointment',
  cancelQuestion: 'Do you want to cancel this appointment?',
  reason: 'Reason',
  keep: 'Keep the appointment',
  tooLate: 'It can no longer be changed or cancelled here. Please contact us.',
}
