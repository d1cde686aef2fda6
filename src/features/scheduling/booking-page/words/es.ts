/** The texts of the public pages of scheduling in Spanish. */
import { formWords } from '../../../../documents/form-words.ts'
import type { BookingWords } from '../words.ts'

export const es: BookingWords = {
  ...formWords.es,
  locale: 'es',
  timezone: 'Zona horaria',
  change: 'Cambiar',

  mode: { onsite: 'Presencial', call: 'Llamada telefónica', video: 'Videollamada' },
  agentCalls: 'Le llamamos',
  visitorCalls: phone => `Llame al ${phone}`,
  details: { length: 'Duración', place: 'Lugar', agent: 'Con', time: 'Fecha y hora' },

  chooseTime: 'Elija un día y una hora',
  previousMonth: 'Mes anterior',
  nextMonth: 'Mes siguiente',
  freeTimes: (day, count) => `${day}: ${count} ${count === 1 ? 'hora libre' : 'horas libres'}`,
  noTimesOnDay: 'No quedan horas libres este día.',
  noTimesInMonth: 'No quedan horas libres este mes.',
  places: count => (count === 1 ? 'Queda 1 plaza' : `Quedan ${count} plazas`),
  timesIn: zone => `Horas: ${zone}`,
  readAll: 'Leer todo',

  yourDetails: 'Sus datos',
  privacy: agency => `${agency} usa estos datos para concertar y atender esta cita.`,
  book: 'Reservar',
  requestBooking: 'Solicitar cita',
  changeTime: 'Cambiar la hora',

  code: {
    heading: 'Confirme su correo electrónico',
    sent: email => `Hemos enviado un código de 6 cifras a ${email}. Vale durante 10 minutos.`,
    label: 'Código',
    submit: 'Confirmar y reservar',
    resend: 'Enviar otro código',
    subject: agency => `Su código para ${agency}`,
    text: (code, agency) =>
      `Su código para reservar una cita con ${agency}: ${code}\n\nVale durante 10 minutos. Si no lo ha pedido, ignore este mensaje.`,
  },

  errors: {
    ...formWords.es.errors,
    taken: 'Alguien acaba de reservar esta hora.',
    unavailable: 'Esta hora ya no se puede reservar.',
    nearest: 'Estas horas están libres. Elija una: lo que ha escrito se conserva.',
    nearestMove: 'Estas horas están libres. Elija una.',
    noNearest: 'No hay otras horas libres cerca.',
    tooMany: max => `Ya tiene ${max} citas pendientes. Cancele una con su enlace antes de reservar otra.`,
    tooOften:
      'En este momento se están reservando demasiadas citas. Inténtelo más tarde o contacte con nosotros.',
    codeWrong: 'No es el código. Compruebe el último correo.',
    codeExpired: 'El código ya no vale. Pida otro.',
    codeWait: 'Acabamos de enviarle un código. Espere un minuto antes de pedir otro.',
    codeUnsendable: 'Ahora no podemos enviar un código. Póngase en contacto con nosotros.',
  },
  closed: 'Ahora no se pueden reservar citas aquí. Póngase en contacto con nosotros.',

  status: {
    confirmed: 'Su cita está confirmada',
    pending: 'Hemos recibido su solicitud',
    cancelled: 'Esta cita está cancelada',
    over: 'Esta cita ya ha pasado',
  },
  pendingNote: 'La hora está reservada para usted. La confirmaremos lo antes posible.',
  confirmedNote: 'Guarde la dirección de esta página: aquí puede cambiar o cancelar la cita.',
  moved: 'Hemos cambiado su cita.',
  joinVideo: 'Entrar en la videollamada',
  addToCalendar: 'Añadir al calendario',
  reschedule: 'Elegir otra hora',
  cancel: 'Cancelar la cita',
  bookAgain: 'Reservar otra cita',
  formerTime: 'Hasta ahora',
  newTime: 'Nueva hora',
  moveIt: 'Cambiar la cita',
  cancelQuestion: '¿Quiere cancelar esta cita?',
  reason: 'Motivo',
  keep: 'Mantener la cita',
  tooLate: 'Ya no se puede cambiar ni cancelar aquí. Póngase en contacto con nosotros.',
}
