/** Renders a document as one self-contained HTML page, without scripts and external files. */
import { createHash } from 'node:crypto'
import { type Block, type Cell, type Column, type Fact, noValue, type Row, type Section } from './blocks.ts'
import type { Branding, MakeDocument } from './document.ts'
import { toLetterhead } from './letterhead.ts'
import { parseLogo } from './logo.ts'
import { escapeMarkup as escaped, toPrintable } from './markup.ts'
import { createPalette, type Palette } from './palette.ts'
import { createStyle } from './style.ts'

/** The width of charts in SVG units; text stays readable on a screen of 360 px. */
const figureWidth = 440

/**
 * Returns an HTML document, with a link to the PDF if `pdfPath` is given. Serve it with `createContentSecurityPolicy`.
 */
export function renderHtml(make: MakeDocument, { pdfPath }: { pdfPath?: string } = {}): string {
  const { locale, title, subtitles, branding, sections, footNote } = make(toPrintable)
  const link = pdfPath === undefined ? '' : ` <a href="${escaped(pdfPath)}">PDF</a>`
  const palette = createPalette(branding.color)
  const { agency, contacts } = toLetterhead(branding, toPrintable)
  const logo = parseLogo(branding.logo)
  const mediaType = { png: 'image/png', jpeg: 'image/jpeg', svg: 'image/svg+xml' }
  const logoHtml = logo
    ? `<img src="data:${mediaType[logo.format]};base64,${logo.bytes.toString('base64')}" alt="${escaped(agency ?? '')}">`
    : agency && `<p class="agency">${escaped(agency)}</p>`
  const contact =
    contacts.length > 0 &&
    `<p class="contacts">${contacts.map(text => `<span>${escaped(text)}</span>`).join('')}</p>`
  const header =
    logoHtml || contact ? `<header>\n${[logoHtml, contact].filter(part => part).join('\n')}\n</header>\n` : ''
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped([title, agency].filter(part => part).join(' · '))}</title>
<style>${createStyle(palette)}</style>
</head>
<body>
${header}<main>
<h1>${escaped(title)}</h1>
${subtitles.map(text => `<p class="subtitle">${escaped(text)}</p>`).join('\n')}
${sections.map(section => sectionHtml(section, palette)).join('\n')}
</main>
<footer>${escaped(footNote)}${link}</footer>
</body>
</html>
`
}

/**
 * Returns the `Content-Security-Policy` for a page in this colour: it allows the page's style and `data:` images only.
 */
export function createContentSecurityPolicy({ color }: Pick<Branding, 'color'>): string {
  const style = createStyle(createPalette(color))
  const hash = createHash('sha256').update(style).digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

function sectionHtml({ id, heading, isWide, blocks }: Section, palette: Palette): string {
  const content = blocks.map(block => blockHtml(block, palette)).join('\n')
  return `<section id="${id}"${isWide ? ' class="wide"' : ''} aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${escaped(heading)}</h2>
${content}
</section>`
}

function blockHtml(block: Block, palette: Palette): string {
  switch (block.kind) {
    case 'headline':
      return `<div class="headline">
<p>${escaped(block.label)}</p>
<p class="value">${escaped(block.value)}</p>
<p>${escaped(block.basis)}</p>
<dl>${block.tiles.map(factHtml).join('')}</dl>
</div>`
    case 'facts':
      return `${block.heading === null ? '' : `<h3>${escaped(block.heading)}</h3>\n`}<dl class="facts">${block.facts.map(factHtml).join('')}</dl>`
    case 'paragraph':
      return `<p>${escaped(block.text)}</p>`
    case 'figure':
      return `<figure>${block.draw({ width: figureWidth, palette })}<figcaption>${escaped(block.caption)}</figcaption></figure>`
    case 'table':
      return tableHtml(block)
  }
}

function factHtml({ label, value }: Fact): string {
  return `<div><dt>${escaped(label)}</dt><dd>${escaped(value)}</dd></div>`
}

function tableHtml({ caption, columns, rows }: Extract<Block, { kind: 'table' }>): string {
  const headings = columns.map(
    ({ heading, kind, widthShare = 1 }) =>
      `<th scope="col" class="${kind}${widthShare >= 2 ? ' broad' : ''}">${escaped(heading)}</th>`,
  )
  // `tabindex` makes a table wider than the screen scrollable by keyboard.
  return `<div class="table" role="region" tabindex="0" aria-label="${escaped(caption)}">
<table>
<caption>${escaped(caption)}</caption>
<thead><tr>${headings.join('')}</tr></thead>
<tbody>
${rows.map(row => rowHtml(row, columns)).join('\n')}
</tbody>
</table>
</div>`
}

function rowHtml({ cells, kind }: Row, columns: Column[]): string {
  let at = 0
  const written = cells.map((cell, nth) => {
    const column = columns[at]!
    at += cell.span ?? 1
    return nth === 0 ? headHtml(cell) : cellHtml(cell, column)
  })
  return `<tr class="${kind}">${written.join('')}</tr>`
}

/** The header cell of a row. */
function headHtml({ text, span }: Cell): string {
  return span === undefined
    ? `<th scope="row" class="index">${escaped(text)}</th>`
    : `<th scope="row" colspan="${span}">${escaped(text)}</th>`
}

/** `data-label` has the heading of the column, shown on screens that are too narrow for columns. */
function cellHtml({ text, note }: Cell, { heading, kind }: Column): string {
  if (text === '') return `<td class="${kind}"></td>`
  if (text === noValue) return `<td class="${kind} nothing">${noValue}</td>`
  const below = note ? `<small>${escaped(note)}</small>` : ''
  return `<td class="${kind}" data-label="${escaped(heading)}"><span>${escaped(text)}${below}</span></td>`
}
