/** The HTML for the site of the agency. */
import { escapeMarkup } from '../../../documents/markup.ts'
import type { FieldName, WidgetField } from './fields.ts'
import type { WidgetWords } from './words.ts'

/** At the width of a phone, from the text above a field to the next one. */
const fieldHeightPx: Record<FieldName, number> = {
  name: 90,
  phone: 90,
  email: 90,
  address: 90,
  operation: 90,
  message: 140,
}

const countLines = (text: string, lettersPerLine: number): number => Math.ceil(text.length / lettersPerLine)

interface Shown {
  words: WidgetWords
  agency: string
  consent: string
  /** To the privacy notice. */
  hasLink: boolean
  isTest: boolean
}

/**
 * The height of the form on a phone, where it is highest. The site reserves it, so that nothing moves when the form appears.
 * A little more than needed is no harm: the card fills it.
 */
export function estimateHeightPx(
  fields: readonly WidgetField[],
  { words, agency, consent, hasLink, isTest }: Shown,
): number {
  const title = countLines(words.title, 24) * 28
  const intro = 6 + countLines(words.intro(agency), 34) * 24 + 20
  const box = countLines(consent, 35) * 21 + (hasLink ? 26 : 0) + 16
  const rest = 24 + 24 + 5 + 54 + (isTest ? 48 : 0)
  return title + intro + box + rest + fields.reduce((sum, { name }) => sum + fieldHeightPx[name], 0)
}

/** Without the script, and until it has run, there is a link to the page with the form. */
export function toSnippet({
  key,
  pageUrl,
  scriptUrl,
  title,
  heightPx,
}: {
  key: string
  pageUrl: string
  scriptUrl: string
  title: string
  heightPx: number
}): string {
  return `<div data-aldaba-widget="${key}" style="min-height: ${heightPx}px"><a href="${escapeMarkup(pageUrl)}">${escapeMarkup(title)}</a></div>
<script async src="${escapeMarkup(scriptUrl)}"></script>
`
}
