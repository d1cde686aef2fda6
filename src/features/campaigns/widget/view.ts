/** What visitors see in the widget: the form, the thanks, and that no more forms are taken. */
import { toPrintable } from '../../../documents/markup.ts'
import { shorten } from '../../../documents/pdf-text.ts'
import type { MessageLanguage } from '../../../domain/messaging/opt-out-words.ts'
import {
  consentName,
  type FieldName,
  fieldMaximum,
  operations,
  type Typed,
  trapName,
  type WidgetField,
} from './fields.ts'
import type { TreeNode } from './tree.ts'
import type { WidgetWords } from './words.ts'

export const themes = ['light', 'dark', 'auto'] as const
export type Theme = (typeof themes)[number]

export interface ViewContext {
  words: WidgetWords
  language: MessageLanguage
  theme: Theme
  agency: {
    name: string
    phone: string | null
    email: string | null
    /** The privacy notice on the web; null: there is none. */
    privacyUrl: string | null
  }
  /** On the page without the script, the title is that of the page. */
  isPage: boolean
  /** The leads are those of the test environment. */
  isTest: boolean
}

export interface FormView {
  fields: readonly WidgetField[]
  /** Next to the box. */
  consent: string
  ticket: string
  typed: Typed
  /** By the name of the field. */
  errors: Record<string, string>
  /** About the whole form; null: nothing is wrong with it. */
  alert: string | null
}

const nameMax = 100
/** The name of the agency; nothing else limits it. */
export const toShortName = (name: string | null): string => shorten(toPrintable(name ?? ''), nameMax)

const heading = ({ isPage }: ViewContext, text: string): TreeNode => [
  isPage ? 'h1' : 'h2',
  { tabindex: '-1' },
  text,
]

function toCard({ language, theme }: ViewContext, ...children: TreeNode[]): TreeNode {
  return ['div', { class: 'card', lang: language, dir: 'ltr', 'data-theme': theme }, ...children]
}

/** How to reach the agency. */
function listContacts({ agency }: ViewContext): TreeNode[] {
  const phone = toPrintable(agency.phone ?? '')
  const email = toPrintable(agency.email ?? '')
  return [
    ...(phone ? [toContact(`tel:${phone.replace(/[^\d+]/g, '')}`, phone)] : []),
    ...(email ? [toContact(`mailto:${encodeURIComponent(email).replace('%40', '@')}`, email)] : []),
  ]
}

/** Nobody is sent to an agency whose number is not there. */
const toClosedText = ({ words, agency }: ViewContext): string =>
  agency.phone || agency.email ? `${words.closed} ${words.reachUs}` : words.closed

const toContact = (href: string, text: string): TreeNode => ['p', { class: 'reach' }, ['a', { href }, text]]

export function toFormView(context: ViewContext, view: FormView): TreeNode {
  const { words, agency, isTest } = context
  const { fields, typed, errors, alert } = view
  const messages = {
    'data-sending': words.sending,
    'data-failed': words.errors.failed,
    'data-limited': words.errors.tooOften,
    'data-closed': toClosedText(context),
  }
  return toCard(context, [
    'form',
    { method: 'post', novalidate: '', ...messages },
    heading(context, words.title),
    ['p', { class: 'intro' }, words.intro(agency.name)],
    ...(isTest ? [['p', { class: 'test' }, words.test] as const] : []),
    [
      'p',
      { class: 'alert', role: 'alert', tabindex: '-1', ...(alert === null ? { hidden: '' } : {}) },
      alert ?? '',
    ],
    ...fields.map(field => toField(words, field, typed[field.name] ?? '', errors[field.name])),
    [
      'div',
      { class: 'trap', 'aria-hidden': 'true' },
      ['label', {}, 'Website ', ['input', { name: trapName, tabindex: '-1', autocomplete: 'off' }]],
    ],
    ...['ticket', 'lang'].map(
      name =>
        [
          'input',
          { type: 'hidden', name, value: name === 'ticket' ? view.ticket : context.language },
        ] as const,
    ),
    toConsent(context, view.consent, errors[consentName]),
    ['button', {}, words.submit],
  ])
}

function toConsent({ words, agency }: ViewContext, text: string, error: string | undefined): TreeNode {
  const box = { type: 'checkbox', name: consentName, value: 'yes', required: '' }
  return [
    'div',
    { class: 'field', 'data-field': consentName },
    [
      'label',
      { class: 'tick' },
      ['input', { ...box, ...toErrorState(consentName, error) }],
      ['span', {}, text],
    ],
    ...(agency.privacyUrl === null
      ? []
      : [
          [
            'p',
            { class: 'more' },
            ['a', { href: agency.privacyUrl, target: '_blank', rel: 'noopener' }, words.privacyMore],
          ] as const,
        ]),
    toError(consentName, error),
  ]
}

const toErrorState = (name: string, error: string | undefined): Record<string, string> =>
  error === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': `${name}-error` }

const toError = (name: string, error: string | undefined): TreeNode => [
  'p',
  { class: 'error', id: `${name}-error`, ...(error === undefined ? { hidden: '' } : {}) },
  error ?? '',
]

const inputs: Record<Exclude<FieldName, 'operation' | 'message'>, Record<string, string>> = {
  name: { autocomplete: 'name' },
  phone: { type: 'tel', autocomplete: 'tel' },
  email: { type: 'email', autocomplete: 'email' },
  address: { autocomplete: 'street-address' },
}

function toField(
  words: WidgetWords,
  { name, required }: WidgetField,
  typed: string,
  error: string | undefined,
): TreeNode {
  const mark: TreeNode[] = required ? [] : [' ', ['small', {}, `(${words.optional})`]]
  const state = toErrorState(name, error)
  if (name === 'operation')
    return [
      'fieldset',
      { class: 'field', 'data-field': name, role: 'radiogroup', ...state },
      ['legend', {}, words[name], ...mark],
      [
        'div',
        { class: 'choices' },
        ...operations.map(
          value =>
            [
              'label',
              {},
              ['input', { type: 'radio', name, value, ...(typed === value ? { checked: '' } : {}) }],
              ['span', {}, words[value]],
            ] as const,
        ),
      ],
      toError(name, error),
    ]
  const common = {
    id: name,
    name,
    maxlength: String(fieldMaximum[name]),
    ...(required ? { required: '' } : {}),
    ...state,
  }
  const element: TreeNode =
    name === 'message'
      ? ['textarea', common, typed]
      : ['input', { type: 'text', ...inputs[name], ...common, value: typed }]
  return [
    'div',
    { class: 'field', 'data-field': name },
    ['label', { for: name }, words[name], ...mark],
    element,
    toError(name, error),
  ]
}

export function toThanksView(context: ViewContext): TreeNode {
  const { words, agency } = context
  return toCard(context, [
    'div',
    { class: 'done', role: 'status' },
    heading(context, words.thanks),
    ['p', {}, words.received(agency.name)],
    ...listContacts(context),
  ])
}

/** The campaign has ended, or takes no more leads. */
export function toClosedView(context: ViewContext): TreeNode {
  return toCard(
    context,
    heading(context, context.agency.name),
    ['p', { class: 'intro', role: 'status' }, toClosedText(context)],
    ...listContacts(context),
  )
}
