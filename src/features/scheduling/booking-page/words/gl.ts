/** The texts of the public pages of scheduling in Galician. */
import { formWords } from '../../../../documents/form-words.ts'
import type { BookingWords } from '../words.ts'

export const gl: BookingWords = {
  ...formWords.gl,
  locale: 'gl',
  timezone: 'Fuso horario',
  change: 'Cambiar',

  mode: { onsite: 'Presencial', call: 'Chamada telefónica', video: 'Videochamada' },
  agentCalls: 'Chamámolo nós',
  visitorCalls: phone => `Chame ao ${phone}`,
  details: { length: 'Duración', place: 'Lugar', agent: 'Con', time: 'Data e hora' },

  chooseTime: 'Escolla un día e unha hora',
  previousMonth: 'Mes anterior',
  nextMonth: 'Mes seguinte',
  freeTimes: (day, count) => `${day}: ${count} ${count === 1 ? 'hora libre' : 'horas libres'}`,
  noTimesOnDay: 'Non quedan horas libres este día.',
  noTimesInMonth: 'Non quedan horas libres este mes.',
  places: count => (count === 1 ? 'Queda 1 praza' : `Quedan ${count} prazas`),
  timesIn: zone => `Horas: ${zone}`,
  readAll: 'Ler todo',

  yourDetails: 'Os seus datos',
  privacy: agency => `${agency} usa estes datos para concertar e atender esta cita.`,
  book: 'Reservar',
  requestBooking: 'Solicitar cita',
  changeTime: 'Cambiar a hora',

  code: {
    heading: 'Confirme o seu correo electrónico',
    sent: email => `Enviamos un código de 6 cifras a ${email}. Vale durante 10 minutos.`,
    label: 'Código',
    submit: 'Confirmar e reservar',
    resend: 'Enviar outro código',
    subject: agency => `O seu código para ${agency}`,
    text: (code, agency) =>
      `O seu código para reservar unha cita con ${agency}: ${code}\n\nVale durante 10 minutos. Se non o pediu, ignore esta mensaxe.`,
  },

  errors: {
    ...formWords.gl.errors,
    taken: 'Alguén acaba de reservar esta hora.',
    unavailable: 'Esta hora xa non se pode reservar.',
    nearest: 'Estas horas están libres. Escolla unha: o que escribiu consérvase.',
    nearestMove: 'Estas horas están libres. Escolla unha.',
    noNearest: 'Non hai outras horas libres preto.',
    tooMany: max => `Xa ten ${max} citas pendentes. Cancele unha coa súa ligazón antes de reservar outra.`,
    tooOften: 'Neste momento estanse reservando demasiadas citas. Ténteo máis tarde ou contacte connosco.',
    codeWrong: 'Non é o código. Comprobe o último correo.',
    codeExpired: 'O código xa non vale. Pida outro.',
    codeWait: 'Acabamos de enviarlle un código. Agarde un minuto antes de pedir outro.',
    codeUnsendable: 'Agora non podemos enviar un código. Póñase en contacto connosco.',
  },
  closed: 'Agora non se poden reservar citas aquí. Póñase en contacto connosco.',

  status: {
    confirmed: 'A súa cita está confirmada',
    pending: 'Recibimos a súa solicitude',
    cancelled: 'Esta cita está cancelada',
    over: 'Esta cita xa pasou',
  },
  pendingNote: 'A hora está reservada para vostede. Confirmarémola canto antes.',
  confirmedNote: 'Garde o enderezo desta páxina: aquí pode cambiar ou cancelar a cita.',
  moved: 'Cambiamos a súa cita.',
  joinVideo: 'Entrar na videochamada',
  addToCalendar: 'Engadir ao calendario',
  reschedule: 'Escoller outra hora',
  cancel: 'Cancelar a cita',
  bookAgain: 'Reservar outra cita',
  formerTime: 'Ata agora',
  newTime: 'Nova hora',
  moveIt: 'Cambiar a cita',
  cancelQuestion: 'Quere cancelar esta cita?',
  reason: 'Motivo',
  keep: 'Manter a cita',
  tooLate: 'Xa non se pode cambiar nin cancelar aquí. Póñase en contacto connosco.',
}
