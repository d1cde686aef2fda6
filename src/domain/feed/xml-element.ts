/**
 * Parses one XML element into a small tree. Values are decoded on demand. Lenient, because feeds are often malformed.
 */
import { decodeEntities } from '../listing/html.ts'
import { findTagEnd } from './xml-items.ts'

export interface XmlElement {
  /** Local name, without prefix. */
  name: string
  /** The opening tag as written; read attributes with `findAttribute`. */
  tag: string
  /** Everything between its tags, as written. */
  inner: string
  children: XmlElement[]
}

const depthMax = 50

/** Parses the first element of the text; null if there is none. An unclosed element ends with its parent. */
export function parseXmlElement(text: string): XmlElement | null {
  const document: OpenElement = { name: '', element: { name: '', tag: '', inner: '', children: [] }, from: 0 }
  const stack = [document]
  let position = 0
  while (true) {
    const open = text.indexOf('<', position)
    if (open === -1) break
    const char = text.charCodeAt(open + 1)
    if (char === bang || char === questionMark) {
      position = findSectionEnd(text, open)
      continue
    }
    const end = char === slash || isNameStart(char) ? findTagEnd(text, open) : null
    if (end === -1) break
    position = end ?? open + 1
    if (end === null) continue
    if (char === slash) close(stack, text, open, parseName(text, open + 2, end))
    else {
      const name = parseName(text, open + 1, end)
      const local = name.slice(name.indexOf(':') + 1)
      const element = { name: local, tag: text.slice(open, end), inner: '', children: [] }
      stack.at(-1)!.element.children.push(element)
      if (text.charCodeAt(end - 2) !== slash && stack.length < depthMax)
        stack.push({ name, element, from: end })
    }
    if (stack.length === 1 && document.element.children.length > 0) break
  }
  while (stack.length > 1) {
    const { element, from } = stack.pop()!
    element.inner = text.slice(from)
  }
  return document.element.children[0] ?? null
}

interface OpenElement {
  /** With prefix. */
  name: string
  element: XmlElement
  /** Start of its content. */
  from: number
}

const [bang, questionMark, slash] = [0x21, 0x3f, 0x2f]

/** Closes the innermost element with this name, and unclosed elements inside it. Without a match the tag is ignored. */
function close(stack: OpenElement[], text: string, end: number, name: string): void {
  let depth = stack.length - 1
  while (depth > 0 && stack[depth]!.name !== name) depth -= 1
  while (depth > 0 && stack.length > depth) {
    const { element, from } = stack.pop()!
    element.inner = text.slice(from, end)
  }
}

function parseName(text: string, from: number, end: number): string {
  let position = from
  while (position < end) {
    const char = text.charCodeAt(position)
    // White space, slash or the end of the tag.
    if (char <= 0x20 || char === slash || char === 0x3e) break
    position += 1
  }
  return text.slice(from, position)
}

/** True for a letter, `_`, or a character beyond ASCII. */
function isNameStart(char: number): boolean {
  return (char >= 0x61 && char <= 0x7a) || (char >= 0x41 && char <= 0x5a) || char === 0x5f || char > 0x7f
}

/** The position after the comment, CDATA section, declaration or instruction at `open`. */
function findSectionEnd(text: string, open: number): number {
  const [length, closing] = text.startsWith('<!--', open)
    ? [4, '-->']
    : text.startsWith('<![CDATA[', open)
      ? [9, ']]>']
      : text[open + 1] === '?'
        ? [2, '?>']
        : [2, '>']
  const end = text.indexOf(closing, open + length)
  return end === -1 ? text.length : end + closing.length
}

/** The first child with this name, or null. */
export function findChild(element: XmlElement | null | undefined, name: string): XmlElement | null {
  return element?.children.find(child => child.name === name) ?? null
}

/** The first child for each name, for elements whose children are read many times. */
export function indexChildren(element: XmlElement): Map<string, XmlElement> {
  const fields = new Map<string, XmlElement>()
  for (const child of element.children) if (!fields.has(child.name)) fields.set(child.name, child)
  return fields
}

/** All children with this name. */
export function findChildren(element: XmlElement | null | undefined, name: string): XmlElement[] {
  return element?.children.filter(child => child.name === name) ?? []
}

/** The trimmed value: references decoded, CDATA verbatim, comments removed, tags kept. '' if there is no element. */
export function getValue(element: XmlElement | null | undefined): string {
  if (!element) return ''
  const { inner } = element
  if (!inner.includes('<!')) return decodeEntities(inner).trim()
  let value = ''
  let position = 0
  for (let open = inner.indexOf('<!'); open !== -1; open = inner.indexOf('<!', position)) {
    value += decodeEntities(inner.slice(position, open))
    position = findSectionEnd(inner, open)
    if (inner.startsWith('<![CDATA[', open))
      value += inner.slice(open + 9, inner.endsWith(']]>', position) ? position - 3 : position)
  }
  return (value + decodeEntities(inner.slice(position))).trim()
}
