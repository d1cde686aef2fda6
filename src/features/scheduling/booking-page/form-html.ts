/** The form of a booking: the fields with what is wrong with them, and the free times instead of one that is taken. */
import { escapeMarkup, toPrintable } from '../../../documents/markup.ts'
import { shorten } from '../../../documents/pdf-text.ts'
import type { Interval } from '../../../domain/slots/types.ts'
import { renderHidden } from './about-html.ts'
import { toStart } from './calendar-html.ts'
import type { Agency } from './frame.ts'
import type { Visit } from './visit.ts'
import { formatWhen } from './when.ts'

export interface Field {
  /** In the form. */
  name: string
  /** The id of its element: short, because the name of a question may be long. */
  id: string
  label: string
  kind: 'text' | 'email' | 'tel' | 'textarea' | 'select' | 'checkbox'
  isRequired: boolean
  maxLength: number
  autocomplete: string | null
  /** The choices of a select. */
  options: string[]
  /** As typed; a checkbox that is ticked has `yes`. */
  value: string
  /** Null: nothing is wrong. */
  error: string | null
}

/** The field of the code that proves an e-mail address. */
export const codeName = 'code'

/** Bots fill in every field. People do not see this one. */
export const trapName = 'website'

export interface FormView {
  fields: Field[]
  slot: Interval
  /** Sentences about the whole form, such as a slot that was taken. */
  problems: string[]
  /** To choose from, instead of the slot; null: the slot can be booked. */
  nearest: Interval[] | null
  /** Identifies the form, see `tickets.ts`. */
  ticket: string
  /** That proves the e-mail address; null: it is not proven, or needs no proof. */
  code: string | null
  /** The agent has to confirm it. */
  isRequest: boolean
}

/** The summary of errors has the focus, so that a screen reader reads it first. Whole labels are at the fields. */
export function renderAlert({ words, isEmbedded }: Visit, problems: string[], fields: Field[] = []): string {
  const wrong = fields.filter(({ error }) => error !== null)
  if (problems.length + wrong.length === 0) return ''
  const sentences = problems.map(problem => `<p>${escapeMarkup(problem)}</p>`).join('')
  const links = wrong.map(
    ({ id, label, error }) =>
      `<li><a href="#${id}">${escapeMarkup(shorten(toPrintable(label), 60))}: ${escapeMarkup(error!)}</a></li>`,
  )
  const list = links.length > 0 ? `<ul>${links.join('')}</ul>` : ''
  return `<div class="alert" role="alert" tabindex="-1"${isEmbedded ? '' : ' autofocus'}>
<h2>${words.errors.heading}</h2>
${sentences}${list}
</div>
`
}

export function renderForm(visit: Visit, agency: Agency, view: FormView): string {
  const { words } = visit
  const { fields, slot, nearest, ticket, code } = view
  const hidden: [string, string][] = [
    ['ticket', ticket],
    ...(code === null ? [] : [[codeName, code] as [string, string]]),
  ]
  const canBook = nearest === null || nearest.length > 0
  const chosen =
    nearest === null
      ? renderHidden([['start', toStart(slot.startMs)]])
      : renderNearest(visit, nearest, words.errors.nearest)
  return `<section aria-labelledby="details">
${renderAlert(visit, view.problems, fields)}<h2 id="details">${words.yourDetails}</h2>
<form class="details" method="post" novalidate>
${renderHidden(hidden)}${chosen}
${fields.map(field => renderField(visit, field)).join('\n')}
<div class="trap" aria-hidden="true"><label>Website <input name="${trapName}" tabindex="-1" autocomplete="off"></label></div>
<p class="soft">${escapeMarkup(words.privacy(toPrintable(agency.name)))}${renderPrivacyLink(visit, agency)}</p>
${canBook ? `<div class="acts"><button class="main">${view.isRequest ? words.requestBooking : words.book}</button></div>` : ''}
</form>
</section>`
}

const renderPrivacyLink = ({ words }: Visit, { privacyUrl }: Agency): string =>
  privacyUrl
    ? ` <a href="${escapeMarkup(privacyUrl)}" target="_blank" rel="noopener">${words.privacyMore}</a>`
    : ''

export function renderNearest(visit: Visit, nearest: Interval[], legend: string): string {
  const { words } = visit
  if (nearest.length === 0) return `<p>${words.errors.noNearest}</p>`
  const items = nearest.map(
    (slot, at) =>
      `<li><label><input type="radio" name="start" value="${toStart(slot.startMs)}"${at === 0 ? ' checked' : ''}> ${escapeMarkup(formatWhen(visit, slot))}</label></li>`,
  )
  return `<fieldset><legend>${legend}</legend><ul class="slots near">${items.join('')}</ul></fieldset>`
}

export function renderField(visit: Visit, field: Field): string {
  const { id, isRequired, error, kind } = field
  const name = escapeMarkup(field.name)
  const label = escapeMarkup(toPrintable(field.label))
  const mark = isRequired ? '' : ` <small>(${visit.words.optional})</small>`
  const message = error === null ? '' : `<p class="error" id="${id}-error">${escapeMarkup(error)}</p>`
  const state = [
    isRequired ? ' required' : '',
    error === null ? '' : ` aria-invalid="true" aria-describedby="${id}-error"`,
  ].join('')
  if (kind === 'checkbox')
    return `<div class="field"><label class="tick"><input type="checkbox" id="${id}" name="${name}" value="yes"${field.value === 'yes' ? ' checked' : ''}${state}> <span>${label}${mark}</span></label>${message}</div>`
  return `<div class="field"><label for="${id}">${label}${mark}</label>${renderInput(visit, field, `id="${id}" name="${name}"${state}`)}${message}</div>`
}

function renderInput({ words }: Visit, field: Field, attributes: string): string {
  const { kind, value, maxLength, autocomplete } = field
  const text = escapeMarkup(value)
  if (kind === 'select') {
    const options = field.options.map(option => {
      const shown = toPrintable(option)
      // A browser sends the text of an option, with single spaces, if there is no value.
      const isText = shown === option && !/\s{2}|[^\S ]/.test(shown)
      const own = isText ? '' : ` value="${escapeMarkup(option)}"`
      return `<option${own}${option === value ? ' selected' : ''}>${escapeMarkup(shown)}`
    })
    return `<select ${attributes}><option value="">${words.choose}</option>${options.join('')}</select>`
  }
  // A newline at the beginning of a textarea is dropped.
  if (kind === 'textarea') return `<textarea ${attributes} maxlength="${maxLength}">\n${text}</textarea>`
  const completion = autocomplete ? ` autocomplete="${autocomplete}"` : ''
  return `<input type="${kind}" ${attributes} maxlength="${maxLength}"${completion} value="${text}">`
}
