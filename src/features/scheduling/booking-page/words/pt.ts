/** The texts of the public pages of scheduling in Portuguese. */
import { formWords } from '../../../../documents/form-words.ts'
import type { BookingWords } from '../words.ts'

export const pt: BookingWords = {
  ...formWords.pt,
  locale: 'pt-PT',
  timezone: 'Fuso horário',
  change: 'Mudar',

  mode: { onsite: 'Presencial', call: 'Chamada telefónica', video: 'Videochamada' },
  agentCalls: 'Nós ligamos',
  visitorCalls: phone => `Ligue para ${phone}`,
  details: { length: 'Duração', place: 'Local', agent: 'Com', time: 'Data e hora' },

  chooseTime: 'Escolha um dia e uma hora',
  previousMonth: 'Mês anterior',
  nextMonth: 'Mês seguinte',
  freeTimes: (day, count) => `${day}: ${count} ${count === 1 ? 'hora livre' : 'horas livres'}`,
  noTimesOnDay: 'Não há horas livres neste dia.',
  noTimesInMonth: 'Não há horas livres neste mês.',
  places: count => (count === 1 ? 'Resta 1 lugar' : `Restam ${count} lugares`),
  timesIn: zone => `Horas: ${zone}`,
  readAll: 'Ler tudo',

  yourDetails: 'Os seus dados',
  privacy: agency => `${agency} usa estes dados para marcar e realizar esta visita.`,
  book: 'Marcar',
  requestBooking: 'Pedir marcação',
  changeTime: 'Mudar a hora',

  code: {
    heading: 'Confirme o seu e-mail',
    sent: email => `Enviámos um código de 6 algarismos para ${email}. É válido durante 10 minutos.`,
    label: 'Código',
    submit: 'Confirmar e marcar',
    resend: 'Enviar outro código',
    subject: agency => `O seu código para ${agency}`,
    text: (code, agency) =>
      `O seu código para uma marcação com ${agency}: ${code}\n\nÉ válido durante 10 minutos. Se não o pediu, ignore esta mensagem.`,
  },

  errors: {
    ...formWords.pt.errors,
    taken: 'Alguém acabou de marcar esta hora.',
    unavailable: 'Esta hora já não pode ser marcada.',
    nearest: 'Estas horas estão livres. Escolha uma: o que escreveu mantém-se.',
    nearestMove: 'Estas horas estão livres. Escolha uma.',
    noNearest: 'Não há outras horas livres por perto.',
    tooMany: max => `Já tem ${max} marcações pendentes. Cancele uma com a sua ligação antes de marcar outra.`,
    tooOften: 'Neste momento estão a ser feitas demasiadas marcações. Tente mais tarde ou contacte-nos.',
    codeWrong: 'Não é o código. Verifique o último e-mail.',
    codeExpired: 'O código já não é válido. Peça outro.',
    codeWait: 'Acabámos de enviar um código. Espere um minuto antes de pedir outro.',
    codeUnsendable: 'De momento não podemos enviar um código. Contacte-nos, por favor.',
  },
  closed: 'De momento não se aceitam marcações aqui. Contacte-nos, por favor.',

  status: {
    confirmed: 'A sua marcação está confirmada',
    pending: 'Recebemos o seu pedido',
    cancelled: 'Esta marcação foi cancelada',
    over: 'Esta marcação já passou',
  },
  pendingNote: 'A hora está reservada para si. Vamos confirmá-la logo que possível.',
  confirmedNote: 'Guarde o endereço desta página: aqui pode mudar ou cancelar a marcação.',
  moved: 'A sua marcação foi alterada.',
  joinVideo: 'Entrar na videochamada',
  addToCalendar: 'Adicionar ao calendário',
  reschedule: 'Escolher outra hora',
  cancel: 'Cancelar a marcação',
  bookAgain: 'Fazer outra marcação',
  formerTime: 'Até agora',
  newTime: 'Nova hora',
  moveIt: 'Mudar a marcação',
  cancelQuestion: 'Quer cancelar esta marcação?',
  reason: 'Motivo',
  keep: 'Manter a marcação',
  tooLate: 'Já não pode ser alterada nem cancelada aqui. Contacte-nos, por favor.',
}
