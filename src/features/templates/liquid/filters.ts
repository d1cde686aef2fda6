/** The filters of templates: text, numbers, dates and lists, in the language of the text. */
import { didYouMean } from '../../../kit/did-you-mean.ts'
import { type DateStyle, dateStyles } from './formats.ts'
import { type RenderContext, textMaxLength } from './limits.ts'
import { formatContent, Piece, type TypedValue, toPiece } from './piece.ts'

/** A filter that is used wrongly. The message is for the author of the template. */
export class FilterError extends Error {}

/** Computes the value of a filter. Neither the content nor the arguments are unresolved. */
type Compute = (content: TypedValue, args: TypedValue[], context: RenderContext) => TypedValue | null

interface FilterDefinition {
  /** The least and the largest number of arguments. */
  args: [number, number]
  compute: Compute
}

const text = (value: string): TypedValue => ({ type: 'text', value })
const number = (value: number): TypedValue => ({ type: 'number', value })

/** Computes a text from texts. */
const ofText =
  (compute: (value: string, args: string[], context: RenderContext) => string): Compute =>
  (content, args, context) =>
    text(
      compute(
        formatContent(content, context.formats),
        args.map(arg => formatContent(arg, context.formats)),
        context,
      ),
    )

/** Computes a number from numbers; an amount of money stays one. */
const ofNumber =
  (compute: (value: number, args: number[]) => number): Compute =>
  (content, args) => {
    const value = compute(toNumber(content), args.map(toNumber))
    if (!Number.isFinite(value))
      throw new FilterError('has no result: it divides by zero, or the number is too large')
    return content.type === 'money'
      ? { type: 'money', value: { amount: value, currency: content.value.currency } }
      : number(value)
  }

function toNumber(content: TypedValue): number {
  if (content.type === 'number') return content.value
  if (content.type === 'money') return content.value.amount
  const value = content.type === 'text' ? Number(content.value) : Number.NaN
  if (Number.isFinite(value)) return value
  throw new FilterError(`needs a number, not a ${content.type}`)
}

function toCount(content: TypedValue | undefined, otherwise: number): number {
  if (content === undefined) return otherwise
  const count = toNumber(content)
  if (Number.isInteger(count) && count >= 0 && count <= textMaxLength) return count
  throw new FilterError(`needs a whole number up to ${textMaxLength}`)
}

function toList(content: TypedValue): string[] {
  if (content.type === 'list') return content.value
  throw new FilterError(`needs a list, not a ${content.type}`)
}

function truncate(content: TypedValue, args: TypedValue[], { formats }: RenderContext): TypedValue {
  const characters = [...formatContent(content, formats)]
  const ending = args[1] === undefined ? '…' : formatContent(args[1], formats)
  const length = toCount(args[0], 50)
  if (characters.length <= length) return text(characters.join(''))
  const kept = characters.slice(0, Math.max(0, length - [...ending].length))
  return text(kept.join('').trimEnd() + ending)
}

function replace(value: string, [search, replacement = '']: string[], context: RenderContext): string {
  if (search === undefined || search === '') return value
  const parts = value.split(search)
  context.addText(value.length + (parts.length - 1) * replacement.length)
  return parts.join(replacement)
}

function formatDate(content: TypedValue, [style]: TypedValue[], { formats }: RenderContext): TypedValue {
  if (content.type !== 'date') throw new FilterError(`needs a date, not a ${content.type}`)
  const name = style === undefined ? 'long' : formatContent(style, formats)
  if (!dateStyles.includes(name as DateStyle))
    throw new FilterError(`needs one of ${dateStyles.join(', ')}${didYouMean(name, dateStyles)}`)
  return text(formats.date(content.value, name as DateStyle))
}

function formatMoney(content: TypedValue, [currency]: TypedValue[], { formats }: RenderContext): TypedValue {
  if (content.type === 'money') return text(formats.money(content.value))
  const amount = toNumber(content)
  const code = currency === undefined ? '' : formatContent(currency, formats)
  if (!/^[A-Z]{3}$/.test(code)) throw new FilterError('needs a currency such as "EUR"')
  return text(formats.money({ amount, currency: code }))
}

const capitalize = (value: string, locale: string) => {
  const [first = '', ...rest] = value
  return first.toLocaleUpperCase(locale) + rest.join('')
}

const definitions: Record<string, FilterDefinition> = {
  upcase: {
    args: [0, 0],
    compute: ofText((value, _args, { formats }) => value.toLocaleUpperCase(formats.locale)),
  },
  downcase: {
    args: [0, 0],
    compute: ofText((value, _args, { formats }) => value.toLocaleLowerCase(formats.locale)),
  },
  capitalize: {
    args: [0, 0],
    compute: ofText((value, _args, { formats }) => capitalize(value, formats.locale)),
  },
  strip: { args: [0, 0], compute: ofText(value => value.trim()) },
  append: {
    args: [1, 1],
    compute: ofText((value, [end = '']) => value + end),
  },
  prepend: { args: [1, 1], compute: ofText((value, [start = '']) => start + value) },
  replace: { args: [2, 2], compute: ofText(replace) },
  remove: { args: [1, 1], compute: ofText(replace) },
  truncate: { args: [0, 2], compute: truncate },
  plus: { args: [1, 1], compute: ofNumber((value, [other]) => value + other!) },
  minus: { args: [1, 1], compute: ofNumber((value, [other]) => value - other!) },
  times: { args: [1, 1], compute: ofNumber((value, [other]) => value * other!) },
  divided_by: { args: [1, 1], compute: ofNumber((value, [other]) => value / other!) },
  round: {
    args: [0, 1],
    compute: ofNumber((value, [decimals = 0]) => {
      const power = 10 ** Math.max(-9, Math.min(9, Math.trunc(decimals)))
      return Math.round(value * power) / power
    }),
  },
  number: {
    args: [0, 1],
    compute: (content, [decimals], { formats }) =>
      text(formats.number(toNumber(content), decimals && Math.min(20, toCount(decimals, 0)))),
  },
  money: { args: [0, 1], compute: formatMoney },
  date: { args: [0, 1], compute: formatDate },
  join: {
    args: [0, 1],
    compute: (content, [separator], { formats }) =>
      text(toList(content).join(separator === undefined ? ', ' : formatContent(separator, formats))),
  },
  first: { args: [0, 0], compute: content => text(toList(content)[0]!) },
  last: { args: [0, 0], compute: content => text(toList(content).at(-1)!) },
  size: {
    args: [0, 0],
    compute: (content, _args, { formats }) =>
      number(content.type === 'list' ? content.value.length : [...formatContent(content, formats)].length),
  },
}

export const filterNames: string[] = ['default', ...Object.keys(definitions)]

export interface FilterCall {
  context: RenderContext
}

/** The filters as liquidjs calls them. */
export const filters: Record<string, (this: FilterCall, value: unknown, ...args: unknown[]) => Piece> = {
  ...Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [name, toFilter(name, definition)]),
  ),
  default(value, ...args) {
    this.context.addStep()
    const piece = toPiece(value)
    const [fallback] = toArgs('default', args, [1, 1])
    if (isBlankText(fallback!))
      throw new FilterError(
        'the filter default needs a text that is not blank; to leave a value out, write {% if … %}{{ … }}{% endif %}',
      )
    if (Piece.contentOf(piece) !== null) return piece
    return new Piece(Piece.contentOf(fallback!), mergeNames([piece, fallback!]))
  },
}

/** True for a text of the template itself. */
function isBlankText(piece: Piece): boolean {
  const content = Piece.contentOf(piece)
  return Piece.namesOf(piece).length === 0 && content?.type === 'text' && content.value.trim() === ''
}

function toFilter(name: string, { args: [least, most], compute }: FilterDefinition) {
  return function filter(this: FilterCall, value: unknown, ...args: unknown[]): Piece {
    this.context.addStep()
    const pieces = [toPiece(value), ...toArgs(name, args, [least, most])]
    const names = mergeNames(pieces)
    const [content, ...others] = pieces.map(Piece.contentOf)
    if (content === null || others.includes(null)) return new Piece(null, names)
    const lengths = [content!, ...(others as TypedValue[])].map(toLength)
    this.context.addText(lengths.reduce((sum, length) => sum + length, 0))
    try {
      const result = compute(content!, others as TypedValue[], this.context)
      if (result !== null) this.context.addText(toLength(result))
      return new Piece(result, names)
    } catch (error) {
      if (error instanceof FilterError) throw new FilterError(`the filter ${name} ${error.message}`)
      throw error
    }
  }
}

function toArgs(name: string, args: unknown[], [least, most]: [number, number]): Piece[] {
  if (args.some(Array.isArray)) throw new FilterError(`the filter ${name} has no named arguments`)
  if (args.length < least || args.length > most)
    throw new FilterError(
      `the filter ${name} takes ${least === most ? least : `${least} to ${most}`} arguments`,
    )
  return args.map(toPiece)
}

function mergeNames(pieces: Piece[]): string[] {
  return [...new Set(pieces.flatMap(piece => Piece.namesOf(piece)))]
}

function toLength(content: TypedValue): number {
  if (content.type === 'text') return content.value.length
  return content.type === 'list' ? content.value.join(', ').length : 30
}
