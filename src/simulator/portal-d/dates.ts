/** Formats dates of portal_d: relative to the day in Lisbon, which every page states in its head. */

const dayMs = 86_400_000
const months =
  'Janeiro Fevereiro Março Abril Maio Junho Julho Agosto Setembro Outubro Novembro Dezembro'.split(' ')
const weekdays = 'Domingo Segunda-feira Terça-feira Quarta-feira Quinta-feira Sexta-feira Sábado'.split(' ')

function toLisbonTime(ms: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('Europe/Lisbon')
}

/** "Domingo, 1 de Novembro de 2026". */
export function formatPageDay(nowMs: number): string {
  const now = toLisbonTime(nowMs)
  return `${weekdays[now.dayOfWeek % 7]}, ${formatLongDay(now)}`
}

/** "Hoje, 10:32", "Ontem, 18:05", "há 3 dias", "3 de Novembro de 2026". */
export function formatDate(ms: number, nowMs: number): string {
  const then = toLisbonTime(ms)
  const days = Math.round((startOfDay(nowMs) - startOfDay(ms)) / dayMs)
  const time = `${String(then.hour).padStart(2, '0')}:${String(then.minute).padStart(2, '0')}`
  if (days === 0) return `Hoje, ${time}`
  if (days === 1) return `Ontem, ${time}`
  return days < 7 ? `há ${days} dias` : formatLongDay(then)
}

export function formatLongDay(date: Temporal.ZonedDateTime | number): string {
  const { day, month, year } = typeof date === 'number' ? toLisbonTime(date) : date
  return `${day} de ${months[month - 1]} de ${year}`
}

function startOfDay(ms: number): number {
  return toLisbonTime(ms).startOfDay().epochMilliseconds
}
