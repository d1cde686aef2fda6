/** Above the calendar of a reschedule: the present time, and the way back. */
import { escapeMarkup } from '../../../documents/markup.ts'
import type { Interval } from '../../../domain/slots/types.ts'
import { renderRows } from './about-html.ts'
import { toQuery, type Visit } from './visit.ts'
import { formatWhen } from './when.ts'

/** `back`: the path of the appointment. */
export function renderChange(visit: Visit, slot: Interval, back: string): string {
  const rows = renderRows([[visit.words.formerTime, formatWhen(visit, slot)]])
  return `${rows}\n<p><a href="${escapeMarkup(back + toQuery(visit))}">${visit.words.keep}</a></p>\n`
}
