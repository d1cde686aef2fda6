/** Reads HTML by string search, without building a document: finding a tag by its name is a hundred times faster. */

/** One element: its opening tag as written, and everything up to its closing tag. */
export interface Element {
  tag: string
  inner: string
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  euro: '€',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  hellip: '…',
  bull: '•',
  trade: '™',
  OElig: 'Œ',
  oelig: 'œ',
  thinsp: '\u2009',
  ensp: '\u2002',
  emsp: '\u2003',
}
// Entity names of U+00A1 to U+00FF, in order.
const latin1EntityNames =
  'iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml'
for (const [position, name] of latin1EntityNames.split(' ').entries())
  entities[name] = String.fromCharCode(0xa1 + position)

// Control characters that are not white space.
const controls = /[\p{Cc}--\s]/v
// White space other than a single space: most texts need no replacement.
const otherSpaces = /\s{2,}|[^\S ]/g

/** Decodes character references once. Unknown ones are kept. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z][a-z0-9]{1,7}));/gi,
    (whole, hex, decimal, name) => {
      if (name !== undefined) return Object.hasOwn(entities, name) ? entities[name]! : whole
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      // The HTML standard reads 128 to 159 as Windows-1252: `&#128;` is the euro sign.
      if (code >= 0x80 && code < 0xa0) return new TextDecoder('windows-1252').decode(Uint8Array.of(code))
      return code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)
        ? '\uFFFD'
        : String.fromCodePoint(code)
    },
  )
}

/**
 * The text of a part of a page: without tags, scripts and styles, decoded, with white space collapsed. At most
 * `lengthMax` characters.
 */
export function extractText(html: string, lengthMax = Number.POSITIVE_INFINITY): string {
  let text = ''
  let rest = ''
  let position = 0
  let enough = lengthMax * 2
  const partMax = lengthMax * 20
  while (true) {
    if (text.length > enough) {
      // White space and character references may be most of the text.
      if (collapseSpaces(text).length > lengthMax) break
      enough = text.length * 2
    }
    const open = html.indexOf('<', position)
    if (open === -1) {
      rest = html.slice(position, position + partMax)
      break
    }
    text += `${html.slice(position, Math.min(open, position + partMax))} `
    const closing = html.startsWith('<!--', open) ? '-->' : (findSkippedClosing(html, open) ?? '>')
    const close = html.indexOf(closing, open + 1)
    if (close === -1) return collapseSpaces(text).slice(0, lengthMax)
    position = close + closing.length
  }
  return collapseSpaces(text + rest).slice(0, lengthMax)
}

function findSkippedClosing(html: string, open: number): string | null {
  if (html.startsWith('<script', open)) return '</script>'
  return html.startsWith('<style', open) ? '</style>' : null
}

function collapseSpaces(text: string): string {
  return toPlainText(text).replace(otherSpaces, ' ').trim()
}

/**
 * Decodes character references, and replaces what databases and JSON do not accept: control characters, lone
 * surrogates.
 */
export function toPlainText(text: string): string {
  const decoded = decodeEntities(text).toWellFormed()
  return controls.test(decoded)
    ? decoded.replace(/\p{Cc}/gu, control => (/\s/.test(control) ? control : ' '))
    : decoded
}

/** The decoded value of an attribute in an opening tag; null if it has none. */
export function findAttribute(tag: string, name: string): string | null {
  for (let position = tag.indexOf(name); position !== -1; position = tag.indexOf(name, position + 1)) {
    if (!/\s/.test(tag[position - 1] ?? '') || tag[position + name.length] !== '=') continue
    const from = position + name.length + 1
    const quote = tag[from]
    if (quote === '"' || quote === "'") {
      const to = tag.indexOf(quote, from + 1)
      return to === -1 ? null : decodeEntities(tag.slice(from + 1, to))
    }
    return decodeEntities(/^[^\s>]*/.exec(tag.slice(from))![0])
  }
  return null
}

/**
 * The elements with this name (lower case), and class if given, in page order. Elements nested in a match are skipped.
 * Returns at most `limit`. An unclosed element ends at the end of the text.
 */
export function findElements(
  html: string,
  name: string,
  className?: string,
  limit = Number.POSITIVE_INFINITY,
): Element[] {
  const found: Element[] = []
  let position = 0
  while (found.length < limit) {
    const start = html.indexOf(`<${name}`, position)
    if (start === -1) return found
    const end = html.indexOf('>', start)
    if (end === -1) return found
    position = end + 1
    const tag = html.slice(start, position)
    if (!/[\s>/]/.test(tag[name.length + 1]!)) continue
    if (className !== undefined && !hasClass(tag, className)) continue
    const close = findClosingTag(html, name, position)
    found.push({ tag, inner: html.slice(position, close) })
    position = close
  }
  return found
}

/** The first matching element, or null. */
export function findElement(html: string, name: string, className?: string): Element | null {
  return findElements(html, name, className, 1)[0] ?? null
}

export function hasClass(tag: string, className: string): boolean {
  // Class names contain no character references, so a tag without the name as a substring needs no parsing.
  return tag.includes(className) && (findAttribute(tag, 'class')?.split(/\s+/).includes(className) ?? false)
}

/** The position of the closing tag of an element that was opened before `from`. */
function findClosingTag(html: string, name: string, from: number): number {
  let depth = 1
  let position = from
  while (true) {
    const close = html.indexOf(`</${name}`, position)
    if (close === -1) return html.length
    depth += countOpenings(html.slice(position, close), name) - 1
    if (depth === 0) return close
    position = close + 1
  }
}

function countOpenings(html: string, name: string): number {
  let count = 0
  for (
    let position = html.indexOf(`<${name}`);
    position !== -1;
    position = html.indexOf(`<${name}`, position + 1)
  ) {
    if (/[\s>/]/.test(html[position + name.length + 1] ?? '')) count += 1
  }
  return count
}
