/** The form in which a visitor says what they think after an appointment. */
import { escapeMarkup } from '../../../documents/markup.ts'
import type { Interval } from '../../../domain/slots/types.ts'
import type { PublicPage } from '../../../kit/public-route.ts'
import { outcomeResults } from '../appointments/schemas.ts'
import { renderAbout, renderRows } from './about-html.ts'
import type { PageContext } from './booking-html.ts'
import { type FeedbackWords, getFeedbackWords } from './feedback-words.ts'
import { renderAlert } from './form-html.ts'
import { toPage } from './frame.ts'
import { formatWhen } from './when.ts'

export const feedbackTextMax = 5000

/** As typed. */
export interface TypedFeedback {
  result: string
  rating: string
  text: string
  problems: string[]
}

export function toFeedbackPage(
  context: PageContext,
  { slot, typed }: { slot: Interval; typed: TypedFeedback },
): PublicPage {
  const { visit, about } = context
  const words = getFeedbackWords(visit.language)
  const optional = ` <small>(${visit.words.optional})</small>`
  return toPage({
    ...context,
    title: words.title,
    isRefused: typed.problems.length > 0,
    main: `<div class="columns last">
<section aria-labelledby="feedback">
${renderAlert(visit, typed.problems)}<h1 id="feedback">${words.title}</h1>
${renderRows([[visit.words.details.time, formatWhen(visit, slot)]])}
<form class="details" method="post">
${renderResults(words, typed)}
<div class="field"><label for="rating">${words.rating}${optional}</label><select id="rating" name="rating">${renderRatings(words, typed)}</select></div>
<div class="field"><label for="text">${words.text}${optional}</label><textarea id="text" name="text" maxlength="${feedbackTextMax}">
${escapeMarkup(typed.text)}</textarea></div>
<div class="acts"><button class="main">${words.send}</button></div>
</form>
</section>
${renderAbout(visit, about, { level: 2, isShort: true })}
</div>`,
  })
}

function renderResults({ question, results }: FeedbackWords, typed: TypedFeedback): string {
  const items = outcomeResults.map(
    result =>
      `<li><label><input type="radio" name="result" value="${result}" required${result === typed.result ? ' checked' : ''}> ${results[result]}</label></li>`,
  )
  return `<fieldset><legend>${question}</legend><ul class="slots near">${items.join('')}</ul></fieldset>`
}

function renderRatings({ noRating }: FeedbackWords, typed: TypedFeedback): string {
  const options = ['1', '2', '3', '4', '5'].map(
    rating => `<option${rating === typed.rating ? ' selected' : ''}>${rating}</option>`,
  )
  return `<option value="">${noRating}</option>${options.join('')}`
}
