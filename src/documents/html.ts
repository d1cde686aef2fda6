/** Renders a document as one self-contained HTML page, without scripts and external files. */
import { createHash } from 'node:crypto'
import { type Block, type Cell, type Column, type Fact, noValue, type Row, type Section } from './blocks.ts'
import type { Branding, MakeDocument } from './document.ts'
import { toLetterhead } from './letterhead.ts'
import { parseLogo } from './logo.ts'
import { escapeMarkup, toPrintable } from './markup.ts'
import { createPalette, type Palette } from './palette.ts'
import { createStyle } from './style.ts'

/** The width of charts in SVG units; text stays readable on a screen of 360 px. */
const figureWidth = 440

/**
 * Returns an HTML document, with a link to the PDF if `pdfPath` is given. Serve it with `createContentSecurityPolicy`.
 */
export function renderHtml(make: MakeDocument, { pdfPath }: { pdfPath?: string } = {}): string {
  const { locale, title, subtitles, branding, sections, footNote } = make(toPrintable)
  const link = pdfPath === undefined ? '' : ` <a href="${escapeMarkup(pdfPath)}">PDF</a>`
  const palette = createPalette(branding.color)
  const { agency, contacts } = toLetterhead(branding, toPrintable)
  const logo = parseLogo(branding.logo)
  const mediaType = { png: 'image/png', jpeg: 'image/jpeg', svg: 'image/svg+xml' }
  const logoHtml = logo
    ? `<img src="data:${mediaType[logo.format]};base64,${logo.bytes.toString('base64')}" alt="${escapeMarkup(agency ?? '')}">`
    : agency && `<p class="agency">${escapeMarkup(agency)}</p>`
  const contact =
    contacts.length > 0 &&
    `<p class="contacts">${contacts.map(text => `<span>${escapeMarkup(text)}</span>`).join('')}</p>`
  const header =
    logoHtml || contact ? `<header>\n${[logoHtml, contact].filter(part => part).join('\n')}\n</header>\n` : ''
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeMarkup([title, agency].filter(part => part).join(' · '))}</title>
<style>${createStyle(palette)}</style>
</head>
<body>
${header}<main>
<h1>${escapeMarkup(title)}</h1>
${subtitles.map(text => `<p class="subtitle">${escapeMarkup(text)}</p>`).join('\n')}
${sections.map(section => renderSection(section, palette)).join('\n')}
</main>
<footer>${escapeMarkup(footNote)}${link}</footer>
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

function renderSection({ id, heading, isWide, blocks }: Section, palette: Palette): string {
  const content = blocks.map(block => renderBlock(block, palette)).join('\n')
  return `<section id="${id}"${isWide ? ' class="wide"' : ''} aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${escapeMarkup(heading)}</h2>
${content}
</section>`
}

function renderBlock(block: Block, palette: Palette): string {
  switch (block.kind) {
    case 'headline':
      return `<div class="headline">
<p>${escapeMarkup(block.label)}</p>
<p class="value">${escapeMarkup(block.value)}</p>
<p>${escapeMarkup(block.basis)}</p>
<dl>${block.tiles.map(renderFact).join('')}</dl>
</div>`
    case 'facts':
      return `${block.heading === null ? '' : `<h3>${escapeMarkup(block.heading)}</h3>\n`}<dl class="facts">${block.facts.map(renderFact).join('')}</dl>`
    case 'paragraph':
      return `<p>${escapeMarkup(block.text)}</p>`
    case 'figure':
      return `<figure>${block.draw({ width: figureWidth, palette })}<figcaption>${escapeMarkup(block.caption)}</figcaption></figure>`
    case 'table':
      return renderTable(block)
  }
}

function renderFact({ label, value }: Fact): string {
  return `<div><dt>${escapeMarkup(label)}</dt><dd>${escapeMarkup(value)}</dd></div>`
}

function renderTable({ caption, columns, rows }: Extract<Block, { kind: 'table' }>): string {
  const headings = columns.map(
    ({ heading, kind, widthShare = 1 }) =>
      `<th scope="col" class="${kind}${widthShare >= 2 ? ' broad' : ''}">${escapeMarkup(heading)}</th>`,
  )
  // `tabindex` makes a table wider than the screen scrollable by keyboard.
  return `<div class="table" role="region" tabindex="0" aria-label="${escapeMarkup(caption)}">
<table>
<caption>${escapeMarkup(caption)}</caption>
<thead><tr>${headings.join('')}</tr></thead>
<tbody>
${rows.map(row => renderRow(row, columns)).join('\n')}
</tbody>
</table>
</div>`
}

function renderRow({ cells, kind }: Row, columns: Column[]): string {
  let at = 0
  const written = cells.map((cell, nth) => {
    const column = columns[at]!
    at += cell.span ?? 1
    return nth === 0 ? renderRowHeader(cell) : renderCell(cell, column)
  })
  return `<tr class="${kind}">${written.join('')}</tr>`
}

/** The header cell of a row. */
function renderRowHeader({ text, span }: Cell): string {
  return span === undefined
    ? `<th scope="row" class="index">${escapeMarkup(text)}</th>`
    : `<th scope="row" colspan="${span}">${escapeMarkup(text)}</th>`
}

/** `data-label` has the heading of the column, shown on screens that are too narrow for columns. */
function renderCell({ text, note }: Cell, { heading, kind }: Column): string {
  if (text === '') return `<td class="${kind}"></td>`
  if (text === noValue) return `<td class="${kind} nothing">${noValue}</td>`
  const noteHtml = note ? `<small>${escapeMarkup(note)}</small>` : ''
  return `<td class="${kind}" data-label="${escapeMarkup(heading)}"><span>${escapeMarkup(text)}${noteHtml}</span></td>`
}
