/** The page of the phone. */
import { createHash } from 'node:crypto'
import { escapeMarkup } from '../../../documents/markup.ts'
import { phoneScript } from './script.ts'
import { phoneStyle } from './style.ts'
import type { ThreadItem } from './thread.ts'
import type { PhoneWords } from './words.ts'

export interface PhonePage {
  words: PhoneWords
  /** The name of the account. */
  account: string
  /** The person as the phone names them. */
  person: string
  items: ThreadItem[]
  version: string
  /** The path of the messages as JSON, relative to the page. */
  source: string
  /** The id of the next message: a form that is submitted twice sends one. */
  nextId: string
  /** False: the account receives nothing any more. */
  isOpen: boolean
  /** What is wrong with the submitted form; null: nothing. */
  error: string | null
  /** The submitted text, if it was refused. */
  draft: string
}

const hash = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`

export const phonePolicy = `default-src 'none'; script-src ${hash(phoneScript)}; style-src ${hash(phoneStyle)}; img-src 'self' data:; media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`

const clip =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 8h3l2-3h6l2 3h3v11H4z"/><circle cx="12" cy="13" r="3.5"/></svg>'
const arrow = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 12l16-8-6 16-3-6z"/></svg>'

export function renderPhone(page: PhonePage): string {
  const { words, items, version, source, error, isOpen } = page
  const account = escapeMarkup(page.account)
  const notice = error ?? (isOpen ? null : words.ended)
  return `<!doctype html>
<html lang="${words.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="robots" content="noindex">
<meta name="theme-color" content="#0f4c4a">
<link rel="icon" href="data:,">
<title>${escapeMarkup(words.title(page.account))}</title>
<style>${phoneStyle}</style>
</head>
<body>
<aside class="about">
<h2>${words.about}</h2>
<p>${words.explanation}</p>
</aside>
<main class="phone">
<header>
<span class="avatar" aria-hidden="true">${escapeMarkup([...page.account.trim()][0]?.toUpperCase() ?? '·')}</span>
<div><h1>${account}</h1>
<p>${escapeMarkup(words.subtitle(page.person))}</p></div>
</header>
<div class="thread" tabindex="0" role="log" aria-label="${words.chat}">
<ol data-source="${escapeMarkup(source)}" data-version="${version}" data-empty="${escapeMarkup(words.empty)}">${items.map(({ html }) => html).join('\n')}</ol>
</div>
<noscript><a class="reload" href="">${words.reload}</a></noscript>
${notice === null ? '' : `<p class="notice" role="alert">${escapeMarkup(notice)}</p>\n`}${isOpen ? renderForm(page) : ''}
</main>
<script>${phoneScript}</script>
</body>
</html>
`
}

function renderForm({ words, nextId, draft }: PhonePage): string {
  return `<form class="write" method="post" enctype="multipart/form-data" aria-label="${words.message}">
<input type="hidden" name="id" value="${nextId}">
<label class="attach" title="${words.attach}"><span class="hidden">${words.attach}</span>${clip}<input type="file" name="photo" accept="image/jpeg,image/png,image/webp,image/gif"></label>
<textarea name="text" rows="1" maxlength="4096" aria-label="${words.message}" placeholder="${words.message}" autocomplete="off" enterkeyhint="send">${escapeMarkup(draft)}</textarea>
<button class="send" title="${words.send}" aria-label="${words.send}">${arrow}</button>
</form>`
}
