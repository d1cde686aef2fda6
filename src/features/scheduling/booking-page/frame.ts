/** The frame of every public page of scheduling: head, header of the agency, contacts, languages, and the policy. */
import { createHash } from 'node:crypto'
import { escapeMarkup, toPrintable } from '../../../documents/markup.ts'
import { shorten } from '../../../documents/pdf-text.ts'
import { messageLanguages } from '../../../domain/messaging/opt-out-words.ts'
import type { PublicPage } from '../../../kit/public-route.ts'
import { getBookingWords } from './languages.ts'
import { pageScript } from './script.ts'
import { pageStyle, toColors } from './style.ts'
import { toQuery, type Visit } from './visit.ts'

export interface Agency {
  name: string
  /** `#rrggbb`; null: the default colour. */
  color: string | null
  phone: string | null
  email: string | null
  /** Relative to the page; null: there is none. */
  logoPath: string | null
  /** The privacy notice on the web; null: there is none. */
  privacyUrl: string | null
}

export interface Frame {
  visit: Visit
  agency: Agency
  /** Origins whose pages may show this one in a frame. */
  frameOrigins: string[]
  title: string
  /** HTML. */
  main: string
  /** What the visitor has typed is refused, and shown again. */
  isRefused?: boolean
  /** The browser may choose the time zone of its device. */
  followsDevice?: boolean
  /** Parameters that links to other languages keep. */
  params?: Record<string, string>
  /** A form may lead there. */
  redirectOrigin?: string | null
}

const toSource = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`
const scriptSource = toSource(pageScript)
const styleSource = toSource(pageStyle)

export function toPage(frame: Frame): PublicPage {
  const colors = toColors(frame.agency.color)
  const { isEmbedded } = frame.visit
  const ancestors = isEmbedded && frame.frameOrigins.length > 0 ? frame.frameOrigins.join(' ') : "'none'"
  const formAction = ["'self'", ...(frame.redirectOrigin ? [frame.redirectOrigin] : [])].join(' ')
  const policy = [
    "default-src 'none'",
    `script-src ${scriptSource}`,
    `style-src ${styleSource} ${toSource(colors)}`,
    "img-src 'self' data:",
    "base-uri 'none'",
    `form-action ${formAction}`,
    `frame-ancestors ${ancestors}`,
  ].join('; ')
  return {
    type: 'text/html',
    status: frame.isRefused ? 422 : 200,
    headers: { 'Content-Security-Policy': policy },
    body: renderFrame(frame, colors),
  }
}

function renderFrame(frame: Frame, colors: string): string {
  const { visit, main, isRefused = false, followsDevice = false } = frame
  const zone = followsDevice && !visit.isTimezoneChosen ? ` data-zone="${escapeMarkup(visit.timezone)}"` : ''
  const prefix = isRefused ? `${visit.words.errors.heading} · ` : ''
  const title = `${prefix}${shorten(toPrintable(frame.title), 60)} · ${shorten(toPrintable(frame.agency.name), 60)}`
  return `<!doctype html>
<html lang="${visit.language}"${zone}${visit.isEmbedded ? ' data-embed="1" class="embed"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no">
<title>${escapeMarkup(title)}</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
<style>${colors}</style>
</head>
<body>
${visit.isEmbedded ? '' : renderHeader(frame.agency)}<main>
${main}
</main>
${renderFooter(frame)}
<script>${pageScript}</script>
</body>
</html>
`
}

function renderHeader({ name, logoPath }: Agency): string {
  const text = escapeMarkup(toPrintable(name))
  return `<header class="top">${logoPath ? `<img src="${escapeMarkup(logoPath)}" alt="${text}">` : text}</header>\n`
}

function renderFooter({ visit, agency, params = {} }: Frame): string {
  const contacts = [toContact('tel:', agency.phone), toContact('mailto:', agency.email)].join('')
  const others = messageLanguages
    .filter(language => language !== visit.language)
    .map(
      language =>
        `<li><a href="${escapeMarkup(toQuery(visit, { ...params, lang: language }))}" lang="${language}">${getBookingWords(language).languageName}</a></li>`,
    )
  return `<footer>
${contacts ? `<p>${escapeMarkup(toPrintable(agency.name))} · ${contacts}</p>\n` : ''}<details><summary>${visit.words.language}: ${visit.words.languageName}</summary><ul>${others.join('')}</ul></details>
</footer>`
}

function toContact(scheme: string, value: string | null): string {
  const text = toPrintable(value ?? '')
  if (!text) return ''
  const target =
    scheme === 'tel:' ? text.replace(/[^\d+]/g, '') : encodeURIComponent(text).replace('%40', '@')
  return `<a href="${escapeMarkup(scheme + target)}">${escapeMarkup(text)}</a>`
}
