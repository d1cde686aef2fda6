/** Parses dates as listings print them, in words or relative to the date of the page. */

const months: Record<string, number> = {}
for (const monthNames of [
  'ene feb mar abr may jun jul ago sep oct nov dic',
  'jan fev mar abr mai jun jul ago set out nov dez',
  'gen feb mar apr mag giu lug ago set ott nov dic',
])
  for (const [index, name] of monthNames.split(' ').entries()) months[name] = index + 1

const wordDatePattern =
  /(?<!\d)(\d{1,2})[ºª°]?\s+(?:de\s+)?([a-z]{3})[a-zç]*\.?\s+(?:de\s+)?((?:19|20)\d{2})(?!\d)/i
const numericDatePattern = /(?<!\d)(\d{1,2})[-/.](\d{1,2})[-/.]((?:19|20)\d{2})(?!\d)/
const timePattern = /(?<!\d)([01]?\d|2[0-3])[:h]([0-5]\d)(?!\d)/
const daysAgoPattern = /^(?:há|hace)?\s*(\d{1,3})\s+(?:dias?|días?|giorn[oi] fa)/i

/** The day in a text (`3 de Novembro de 2026`, `03/11/2026`, `3 nov 2026`), or null. */
export function parseDay(text: string): Temporal.PlainDate | null {
  const truncated = text.slice(0, 200)
  const [, day, month, year] = wordDatePattern.exec(truncated) ?? numericDatePattern.exec(truncated) ?? []
  if (day === undefined || month === undefined) return null
  const number = /\d/.test(month) ? Number(month) : months[month.toLowerCase()]
  if (number === undefined) return null
  try {
    return Temporal.PlainDate.from(
      { year: Number(year), month: number, day: Number(day) },
      { overflow: 'reject' },
    )
  } catch {
    return null
  }
}

/**
 * The instant (ISO 8601, UTC) that a listing states, in the portal's time zone (IANA name): `3 de Novembro de 2026`,
 * `03/11/2026 10:32`; with `today`, the date of the page, also `Hoje, 10:32`, `Ontem`, `há 3 dias`. A day without a
 * time is the start of the day. Null for anything else.
 */
export function parseLocalInstant(
  text: string,
  timezone: string,
  today: Temporal.PlainDate | null,
): string | null {
  const words = text.slice(0, 200).trim()
  const day = parseDay(words) ?? (today && parseRelativeDay(words, today))
  if (day === null) return null
  const [, hour = 0, minute = 0] = timePattern.exec(words) ?? []
  const plainTime = Temporal.PlainTime.from({ hour: Number(hour), minute: Number(minute) })
  return new Date(day.toZonedDateTime({ timeZone: timezone, plainTime }).epochMilliseconds).toISOString()
}

function parseRelativeDay(words: string, today: Temporal.PlainDate): Temporal.PlainDate | null {
  if (/^(?:hoje|hoy|oggi)\b/i.test(words)) return today
  if (/^(?:ontem|ayer|ieri)\b/i.test(words)) return today.subtract({ days: 1 })
  const days = daysAgoPattern.exec(words)?.[1]
  return days === undefined ? null : today.subtract({ days: Number(days) })
}
