/** The text of an HTML mail, without building a document. Quoted messages get `> `, as in plain text. */
import { Parser } from 'htmlparser2'

const hidden = new Set(['head', 'style', 'script', 'title', 'template', 'noscript', 'svg'])
const blocks = new Set(
  'address article aside blockquote center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main ol p pre section table tr ul'.split(
    ' ',
  ),
)
const voids = new Set([
  'br',
  'hr',
  'img',
  'input',
  'meta',
  'link',
  'wbr',
  'area',
  'base',
  'col',
  'embed',
  'source',
  'track',
])
/** Elements around a quoted message. */
const quoteClass =
  /(?:^|\s)(?:gmail_quote|gmail_extra|yahoo_quoted|protonmail_quote|tutanota_quote|zmail_extra)(?:\s|$)/
/** Outlook has no element around it: everything after this one is quoted. */
const quoteStartId = /^(?:divRplyFwdMsg|appendonsend|mail-editor-reference-message-container|reply-intro)$/
/** The parser searches its open elements, so their number is limited. The rest of a deeper page is left out. */
const depthMax = 500

export function toHtmlText(html: string): string {
  const lines: string[] = []
  let line = ''
  let hiddenDepth = 0
  let quoteDepth = 0
  let isRestQuoted = false
  const isQuoted = () => quoteDepth > 0 || isRestQuoted
  const endLine = () => {
    const text = line.replace(/ {2,}/g, ' ').trim()
    if (text !== '' || (lines.length > 0 && lines.at(-1) !== ''))
      lines.push(isQuoted() && text ? `> ${text}` : text)
    line = ''
  }
  const endBlock = () => {
    if (line.trim() !== '') endLine()
  }
  const open: { name: string; isQuote: boolean }[] = []
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (blocks.has(name)) endBlock()
        if (name === 'br') endLine()
        if (voids.has(name)) return
        if (quoteStartId.test(attributes.id ?? '')) isRestQuoted = true
        const isQuote =
          (name === 'blockquote' && attributes.type === 'cite') || quoteClass.test(attributes.class ?? '')
        if (isQuote) {
          endBlock()
          quoteDepth++
        }
        if (hidden.has(name)) hiddenDepth++
        open.push({ name, isQuote })
        if (open.length > depthMax) throw new TooDeep()
      },
      ontext(text) {
        if (hiddenDepth === 0) line += text.replace(/\s+/g, ' ')
      },
      onclosetag(name) {
        if (blocks.has(name)) endBlock()
        if (name === 'p') endLine()
        if (voids.has(name)) return
        const element = open.pop()
        if (hidden.has(name) && hiddenDepth > 0) hiddenDepth--
        if (element?.isQuote) {
          endBlock()
          quoteDepth--
        }
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  try {
    parser.end(html)
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error
  }
  endLine()
  return lines.join('\n').trim()
}

class TooDeep extends Error {}
