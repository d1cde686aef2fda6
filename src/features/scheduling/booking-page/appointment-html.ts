/** The pages of an appointment: what is booked, another time for it, its cancellation. */
import { escapeMarkup, toPrintable } from '../../../documents/markup.ts'
import type { Interval } from '../../../domain/slots/types.ts'
import type { PublicPage } from '../../../kit/public-route.ts'
import { renderAbout, renderHidden, renderRows } from './about-html.ts'
import type { PageContext } from './booking-html.ts'
import { toStart } from './calendar-html.ts'
import { getFeedbackWords } from './feedback-words.ts'
import { renderAlert, renderNearest } from './form-html.ts'
import { toPage } from './frame.ts'
import { toQuery, type Visit } from './visit.ts'
import { formatWhen } from './when.ts'
import type { BookingWords } from './words.ts'

export interface AppointmentView {
  status: keyof BookingWords['status']
  slot: Interval
  /** The visitor can still change and cancel it. */
  canChange: boolean
  /** It has just been moved. */
  isMoved: boolean
  videoUrl: string | null
  instructions: string | null
  /** Why the agency cancelled it; null: nobody said. */
  cancelReason: string | null
  /** The visitor can give feedback, or has given it; null: neither. */
  feedback: 'wanted' | 'given' | null
  /** Paths relative to the page. */
  paths: { feedback: string; reschedule: string; cancel: string; ics: string; again: string | null }
}

export function toAppointmentPage(context: PageContext, view: AppointmentView): PublicPage {
  const { visit, about } = context
  const { words } = visit
  const title = words.status[view.status]
  const isOpen = view.status === 'confirmed' || view.status === 'pending'
  const notes = [
    ...(view.isMoved && isOpen ? [words.moved] : []),
    ...(view.status === 'pending' ? [words.pendingNote] : []),
    ...(isOpen ? [view.canChange ? words.confirmedNote : words.tooLate] : []),
    ...(view.feedback === 'given' ? [getFeedbackWords(visit.language).thanks] : []),
    ...(view.cancelReason ? [toPrintable(view.cancelReason)] : []),
  ]
  const lines = notes.map(note => `<p>${escapeMarkup(note)}</p>`).join('\n')
  return toPage({
    ...context,
    title,
    main: `<div class="columns last">
<section aria-labelledby="status">
<h1 id="status">${title}</h1>
${lines ? `<div class="note" role="status">${lines}</div>` : ''}
${renderFacts(context, view, isOpen)}
${renderActions(visit, view, isOpen)}
</section>
${renderAbout(visit, about, { level: 2, isShort: view.instructions !== null })}
</div>`,
  })
}

function renderFacts(
  { visit }: PageContext,
  { slot, videoUrl, instructions, status }: AppointmentView,
  isOpen: boolean,
): string {
  const { words } = visit
  const facts = renderRows([[words.details.time, formatWhen(visit, slot)]])
  const advice =
    isOpen && instructions ? `\n<p class="text">${escapeMarkup(toPrintable(instructions))}</p>` : ''
  const video =
    videoUrl && status === 'confirmed'
      ? `\n<p><a href="${escapeMarkup(videoUrl)}" target="_blank" rel="noopener">${words.joinVideo}</a></p>`
      : ''
  return facts + advice + video
}

function renderActions(
  visit: Visit,
  { canChange, feedback, paths }: AppointmentView,
  isOpen: boolean,
): string {
  const { words } = visit
  const link = (path: string, label: string, kind = 'second') =>
    `<a class="${kind}" href="${escapeMarkup(path)}">${label}</a>`
  const withVisit = (path: string) => path + toQuery(visit)
  const actions = [
    ...(isOpen ? [link(paths.ics, words.addToCalendar, 'main')] : []),
    ...(isOpen && canChange
      ? [link(withVisit(paths.reschedule), words.reschedule), link(withVisit(paths.cancel), words.cancel)]
      : []),
    ...(feedback === 'wanted'
      ? [link(withVisit(paths.feedback), getFeedbackWords(visit.language).title, 'main')]
      : []),
    ...(!isOpen && paths.again
      ? [link(withVisit(paths.again), words.bookAgain, feedback === 'wanted' ? 'second' : 'main')]
      : []),
  ]
  return actions.length > 0 ? `<div class="acts">${actions.join('')}</div>` : ''
}

export interface MoveView {
  from: Interval
  to: Interval
  /** The agent confirms the new time. */
  isRequest: boolean
  problems: string[]
  /** To choose from, instead of `to`; null: it can be chosen. */
  nearest: Interval[] | null
}

/** The last step of a reschedule: the former and the new time. */
export function toMovePage(context: PageContext, view: MoveView): PublicPage {
  const { from, to, isRequest, problems, nearest } = view
  const { visit, about } = context
  const { words } = visit
  const rows: [string, string][] = [
    [words.formerTime, formatWhen(visit, from)],
    ...(nearest === null ? [[words.newTime, formatWhen(visit, to)] as [string, string]] : []),
  ]
  const chosen =
    nearest === null
      ? renderHidden([['start', toStart(to.startMs)]])
      : renderNearest(visit, nearest, words.errors.nearestMove)
  const label = isRequest ? words.requestBooking : words.moveIt
  const button = nearest?.length === 0 ? '' : `<button class="main">${label}</button>`
  return toPage({
    ...context,
    title: words.reschedule,
    isRefused: problems.length > 0,
    params: { start: toStart(to.startMs) },
    main: `<div class="columns last">
<section aria-labelledby="move">
${renderAlert(visit, problems)}<h1 id="move">${words.reschedule}</h1>
${renderRows(rows)}
<form method="post">
${chosen}
<div class="acts">${button}<a class="second" href="${escapeMarkup(toQuery(visit))}">${words.reschedule}</a></div>
</form>
</section>
${renderAbout(visit, about, { level: 2, isShort: true })}
</div>`,
  })
}

export const reasonName = 'reason'

/** `back`: the path of the appointment. */
export function toCancelPage(
  context: PageContext,
  { slot, back, reason, problem }: { slot: Interval; back: string; reason: string; problem: string | null },
): PublicPage {
  const { visit, about } = context
  const { words } = visit
  const problems = problem === null ? [] : [problem]
  return toPage({
    ...context,
    title: words.cancel,
    isRefused: problems.length > 0,
    main: `<div class="columns last">
<section aria-labelledby="cancel">
${renderAlert(visit, problems)}<h1 id="cancel">${words.cancelQuestion}</h1>
${renderRows([[words.details.time, formatWhen(visit, slot)]])}
<form class="details" method="post">
<div class="field"><label for="${reasonName}">${words.reason} <small>(${words.optional})</small></label><textarea id="${reasonName}" name="${reasonName}" maxlength="1000">
${escapeMarkup(reason)}</textarea></div>
<div class="acts"><button class="main">${words.cancel}</button><a class="second" href="${escapeMarkup(back + toQuery(visit))}">${words.keep}</a></div>
</form>
</section>
${renderAbout(visit, about, { level: 2, isShort: true })}
</div>`,
  })
}
