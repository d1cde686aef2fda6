/** Output of the demo. Colours only if the terminal supports them (not with NO_COLOR or in a pipe). */
import { styleText } from 'node:util'
import { type Options, SingleBar } from 'cli-progress'
import type { Extraction, Lead, Message, WebhookEvent } from '../index.ts'
import type { WebhookArrival } from './subscription.ts'

type Style = Parameters<typeof styleText>[0]

const paint = (style: Style, text: string) => styleText(style, text, { stream: process.stdout })
const widthMax = 120
const gap = '  '

export function print(line = ''): void {
  console.log(line)
}

export function heading(text: string): string {
  return paint('bold', text)
}

export function dimmed(text: string): string {
  return paint('dim', text)
}

/** `✓ label  detail  extra` */
export function formatDone(label: string, detail: string, extra = ''): string {
  return `${paint('green', '✓')} ${label.padEnd(10)} ${detail}  ${dimmed(extra)}`.trimEnd()
}

/** Prints a warning of the server while the demo continues. */
export function warn(line: string): void {
  // Clears the line of the progress bar, which is redrawn later.
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K')
  console.error(`${paint('yellow', '!')} ${line}`)
}

export interface Progress {
  update(extraction: Extraction): void
  stop(): void
}

/** A progress bar in a terminal; otherwise a line at each quarter. */
export function startProgress(): Progress {
  return process.stdout.isTTY ? startBar() : startLines()
}

function startBar(): Progress {
  const options: Options = {
    stream: process.stdout,
    format: `  ${paint('cyan', '{bar}')} {percentage} %  ${paint('dim', '{counts}')}`,
    barsize: 32,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    autopadding: true,
    hideCursor: true,
  }
  const bar = new SingleBar(options)
  bar.start(100, 0, { counts: 'waiting to start' })
  return {
    update: extraction => bar.update(extraction.progress.percent, { counts: formatCounts(extraction) }),
    stop: () => bar.stop(),
  }
}

function startLines(): Progress {
  let shown = -1
  return {
    update(extraction) {
      const { percent } = extraction.progress
      const quarter = Math.floor(percent / 25)
      if (quarter > shown) print(`  ${String(percent).padStart(3)} %  ${formatCounts(extraction)}`)
      shown = Math.max(shown, quarter)
    },
    stop() {},
  }
}

function formatCounts({ progress }: Extraction): string {
  return `${progress.listingsRead} read, ${progress.leadsCreated} new`
}

export function formatArrival(arrival: WebhookArrival): string {
  if ('rejection' in arrival) return `${paint('red', '✗')} a webhook was rejected: ${arrival.rejection}`
  const { type } = arrival.event
  const detail = formatDetail(arrival.event)
  return `${paint('magenta', '←')} ${type.padEnd(21)} ${paint('green', 'signature verified')}  ${paint('dim', detail)}`
}

function formatDetail({ type, data }: WebhookEvent): string {
  if (type === 'leads.imported') {
    const part = data.parts > 1 ? `, part ${data.part} of ${data.parts}` : ''
    return `${data.created} new, ${data.updated} changed${part}`
  }
  if (type === 'extraction.completed') {
    const total = data.portalTotal === null ? '' : ` of ${data.portalTotal}`
    return `${data.outcome}, ${data.progress.listingsRead}${total} read`
  }
  if (type === 'extraction.failed') return `${data.error.code}: ${data.error.message}`
  return ''
}

/** `→` to the lead, `←` from them. */
export function formatMessage({ direction, kind, text, media, status }: Message): string {
  const isSent = direction === 'out'
  const arrow = isSent ? paint('cyan', '→') : paint('magenta', '←')
  const words = text ?? (media.length > 0 ? `(${media[0]!.kind})` : `(${kind})`)
  return `${arrow} ${words.replace(/\p{C}+/gu, ' ')}  ${isSent ? dimmed(status) : ''}`.trimEnd()
}

const columns: { title: string; right?: boolean; value: (lead: Lead) => string }[] = [
  { title: 'STATUS', value: lead => lead.status },
  { title: 'PRICE', right: true, value: ({ property }) => formatMoney(property.price, property.currency) },
  { title: 'M²', right: true, value: ({ property }) => formatInteger(property.squareMeters) },
  { title: 'ROOMS', right: true, value: ({ property }) => formatInteger(property.rooms) },
  { title: 'MUNICIPALITY', value: ({ property }) => property.municipality ?? '–' },
  { title: 'PHONE', value: ({ contact }) => contact.phone ?? '–' },
  { title: 'TITLE', value: ({ property }) => property.title ?? '–' },
]

/** Formats leads as a table, no wider than the terminal. */
export function formatTable(leads: Lead[]): string {
  const cells = leads.map(lead => columns.map(column => column.value(lead).replace(/\p{C}+/gu, ' ')))
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...cells.map(row => row[index]!.length)),
  )
  const line = (row: string[]) =>
    row
      .map((cell, index) =>
        columns[index]!.right ? cell.padStart(widths[index]!) : cell.padEnd(widths[index]!),
      )
      .join(gap)
      .trimEnd()
  const width = Math.min(process.stdout.columns ?? widthMax, widthMax) - 2
  const truncate = (text: string) => `  ${text.length > width ? `${text.slice(0, width - 1)}…` : text}`
  return [
    dimmed(truncate(line(columns.map(column => column.title)))),
    ...cells.map(row => truncate(line(row))),
  ].join('\n')
}

function formatMoney(amount: number | null, currency: string | null): string {
  if (amount === null) return '–'
  if (currency === null) return amount.toLocaleString('en')
  return amount.toLocaleString('en', { style: 'currency', currency, maximumFractionDigits: 0 })
}

function formatInteger(value: number | null): string {
  return value === null ? '–' : String(Math.round(value))
}
