/** The pages on which a visitor books: calendar and times, the form, the code that proves an e-mail address. */
import { escapeMarkup, toPrintable } from '../../../documents/markup.ts'
import type { Interval } from '../../../domain/slots/types.ts'
import type { PublicPage } from '../../../kit/public-route.ts'
import { type About, renderAbout, renderHidden, renderZoneForm } from './about-html.ts'
import { type MonthView, renderMonth, renderTimes, toStart } from './calendar-html.ts'
import { codeName, type FormView, renderAlert, renderForm } from './form-html.ts'
import { type Frame, toPage } from './frame.ts'
import { toQuery, type Visit } from './visit.ts'
import { formatWhen } from './when.ts'

/** What every page knows. */
export interface PageContext extends Pick<Frame, 'visit' | 'agency' | 'frameOrigins' | 'redirectOrigin'> {
  about: About
  /** The time zone of the event type or of the appointment. */
  ownZone: string
  nowMs: number
}

/** `notice`: HTML above the calendar. */
export function toCalendarPage(
  context: PageContext,
  view: MonthView,
  { title, notice }: { title: string; notice?: string },
): PublicPage {
  const { visit, about } = context
  const part = view.part > 0 ? { part: String(view.part) } : {}
  const params = view.day === null ? { month: view.month } : { day: view.day, ...part }
  const zoneForm = renderZoneForm(visit, { ownZone: context.ownZone, nowMs: context.nowMs, params })
  const columns = view.day === null ? 'columns' : 'columns three'
  return toPage({
    ...context,
    title,
    followsDevice: true,
    params,
    main: `<div class="${columns}">
${renderAbout(visit, about, notice === undefined ? { extra: zoneForm, allQuery: toQuery(visit, { view: aboutView }) } : { extra: notice + zoneForm, isShort: true })}
${renderMonth(visit, view)}
${renderTimes(visit, view)}
</div>`,
  })
}

/** The parameter `view` of the page with the whole description. */
export const aboutView = 'about'

/** The whole description, of which the calendar shows only the beginning if it is very long. */
export function toAboutPage(context: PageContext): PublicPage {
  const { visit, about } = context
  return toPage({
    ...context,
    title: about.name,
    params: { view: aboutView },
    main: `${renderAbout(visit, about, { isWhole: true, extra: `<p><a href="${escapeMarkup(toQuery(visit))}">${visit.words.chooseTime}</a></p>\n` })}`,
  })
}

export function toFormPage(context: PageContext, view: FormView): PublicPage {
  const { visit, agency, about } = context
  const isRefused = view.problems.length > 0 || view.fields.some(({ error }) => error !== null)
  return toPage({
    ...context,
    title: about.name,
    isRefused,
    params: { start: toStart(view.slot.startMs) },
    main: `<div class="columns">
${renderAbout(visit, about, { extra: view.nearest === null ? renderChosen(visit, view.slot) : renderBack(visit, view.slot), isShort: true })}
${renderForm(visit, agency, view)}
</div>`,
  })
}

/** The chosen time, and a link back to the calendar. */
function renderChosen(visit: Visit, slot: Interval): string {
  const when = `<p class="chosen">${escapeMarkup(formatWhen(visit, slot))}</p>`
  return `${when}\n${renderBack(visit, slot)}`
}

function renderBack(visit: Visit, { startMs }: Interval): string {
  const day = Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO(visit.timezone).toPlainDate()
  const query = toQuery(visit, { day: day.toString() })
  return `<p><a href="${escapeMarkup(query)}">${visit.words.changeTime}</a></p>\n`
}

export interface CodeView {
  slot: Interval
  /** Everything that was typed: it is sent again with the code. */
  values: [name: string, value: string][]
  email: string
  problems: string[]
  /** The test environment sends nothing: the code is on the page. Null: it was sent. */
  testCode: string | null
}

export const resendName = 'resend'

export function toCodePage(
  context: PageContext,
  { slot, values, email, problems, testCode }: CodeView,
): PublicPage {
  const { visit, about } = context
  const { code } = visit.words
  const fields = renderHidden(values)
  const invalid = problems.length > 0 ? ' aria-invalid="true"' : ''
  return toPage({
    ...context,
    title: code.heading,
    isRefused: problems.length > 0,
    main: `<div class="columns">
${renderAbout(visit, about, { extra: renderChosen(visit, slot), isShort: true })}
<section aria-labelledby="prove">
${renderAlert(visit, problems)}<h2 id="prove">${code.heading}</h2>
<p role="status">${escapeMarkup(code.sent(toPrintable(email)))}</p>
${testCode === null ? '' : `<p class="note">Test environment: nothing was sent. The code is <strong>${testCode}</strong>.</p>\n`}<form class="details" method="post" novalidate>
${fields}
<div class="field"><label for="${codeName}">${code.label}</label><input id="${codeName}" name="${codeName}" inputmode="numeric" autocomplete="one-time-code" maxlength="12" required${invalid}></div>
<div class="acts"><button class="main">${code.submit}</button><button class="plain" name="${resendName}" value="yes">${code.resend}</button></div>
</form>
</section>
</div>`,
  })
}

/** No bookings are taken: how to reach the agency is below. */
export function toClosedPage(context: PageContext): PublicPage {
  return toPage({
    ...context,
    title: context.about.name,
    main: `<section>
<h1>${escapeMarkup(toPrintable(context.about.name))}</h1>
<p role="status">${context.visit.words.closed}</p>
</section>`,
  })
}

/** What a Content-Security-Policy may name as origin of the agency's own page. */
export const toOrigin = (url: string | null): string | null => (url === null ? null : new URL(url).origin)
