/** The page with the form, for visitors whose browser does not run the script, and for links. */
import { createHash } from 'node:crypto'
import { escapeMarkup, toPrintable } from '../../../documents/markup.ts'
import { messageLanguages } from '../../../domain/messaging/opt-out-words.ts'
import type { PublicPage } from '../../../kit/public-route.ts'
import { pageStyle, toColors, widgetStyle } from './style.ts'
import { renderTree, type TreeNode } from './tree.ts'
import type { ViewContext } from './view.ts'
import { getWidgetWords } from './words.ts'

const toSource = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`
const style = pageStyle + widgetStyle

interface Page {
  context: ViewContext
  color: string | null
  view: TreeNode
  /** Relative to the page; null: there is none. */
  logoPath: string | null
  /** What the visitor has typed is refused, and shown again. */
  isRefused?: boolean
}

export function toWidgetPage({ context, color, view, logoPath, isRefused = false }: Page): PublicPage {
  const colors = toColors(color)
  const { words, agency, language } = context
  const policy = [
    "default-src 'none'",
    `style-src ${toSource(style)} ${toSource(colors)}`,
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
  const name = escapeMarkup(toPrintable(agency.name))
  const title = `${isRefused ? `${words.errors.heading} · ` : ''}${escapeMarkup(words.title)} · ${name}`
  const others = messageLanguages.filter(other => other !== language)
  const links = others.map(
    other => `<a href="?lang=${other}" lang="${other}">${getWidgetWords(other).languageName}</a>`,
  )
  return {
    type: 'text/html',
    status: isRefused ? 422 : 200,
    headers: { 'Content-Security-Policy': policy },
    body: `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<style>${colors}</style>
</head>
<body>
<header>${logoPath === null ? name : `<img src="${escapeMarkup(logoPath)}" alt="${name}">`}</header>
<main>${renderTree(view)}</main>
<footer><details><summary>${words.language}: ${words.languageName}</summary><p>${links.join('')}</p></details></footer>
</body>
</html>
`,
  }
}
