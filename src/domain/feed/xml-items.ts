/** Splits a chunked XML stream into the elements with a given name, in bounded memory. */

export interface XmlItems {
  /** Adds a chunk and returns the elements it completes, as written with their tags; null for one that is too long. */
  push(text: string): (string | null)[]
  /** Call after the last chunk. Returns true if the root was closed, so the document is not truncated. */
  end(): boolean
  /** The text before the first element, up to a maximum length. */
  preamble(): string
}

const defaultItemLengthMax = 1_000_000
const tagLengthMax = 65_536
const preambleLengthMax = 100_000
const cdata = '<![CDATA['
const [doubleQuote, singleQuote, lessThan, greaterThan] = [0x22, 0x27, 0x3c, 0x3e]

/** The state of the reader within a document. */
interface ReaderState {
  elementName: string
  itemLengthMax: number
  /** Unprocessed text; everything before `position` is processed. */
  buffer: string
  position: number
  /** The closing delimiter of the comment, CDATA section or instruction at `position`. */
  sectionEnd: string | null
  root: string | null
  isRootClosed: boolean
  /** The open element at `position`. */
  item: OpenItem | null
  found: (string | null)[]
  hasFoundItem: boolean
  preamble: string
}

interface OpenItem {
  /** With prefix. */
  name: string
  /** Number of open elements with its name. */
  depth: number
  /** Start of its text in the buffer. */
  start: number
  /** Earlier text of the element, unless it is too long already. */
  pieces: string[]
  length: number
}

/**
 * Finds the elements with the local name `name`; of nested ones only the outermost. Comments, CDATA sections and
 * processing instructions are skipped. The text need not be well-formed: errors inside an element do not affect others.
 */
export function splitXmlItems(name: string, itemLengthMax = defaultItemLengthMax): XmlItems {
  const state: ReaderState = {
    elementName: name,
    itemLengthMax,
    buffer: '',
    position: 0,
    sectionEnd: null,
    root: null,
    isRootClosed: false,
    item: null,
    found: [],
    hasFoundItem: false,
    preamble: '',
  }
  return {
    push(text) {
      state.buffer += text
      read(state, false)
      compactBuffer(state)
      return state.found.splice(0)
    },
    end() {
      read(state, true)
      compactBuffer(state)
      // An element found only now begins after an unterminated tag.
      return state.isRootClosed && state.item === null && state.found.length === 0
    },
    preamble: () => state.preamble,
  }
}

/** Processes the buffer up to its end, or up to a construct that is incomplete. */
function read(state: ReaderState, isLast: boolean): void {
  while (skipSection(state)) {
    const { buffer } = state
    const open = buffer.indexOf('<', state.position)
    state.position = open === -1 ? buffer.length : open
    if (open === -1) return
    const char = buffer[open + 1]
    // The construct that begins here is not known yet.
    if (!isLast && (char === undefined || (char === '!' && buffer.length - open < cdata.length))) return
    if (char === '!' || char === '?') startSection(state)
    else {
      const isRead = state.item === null ? readOutside(state) : readInside(state, state.item)
      if (!isRead && !isLast && buffer.length - open < tagLengthMax) return
      if (!isRead) state.position = open + 1
    }
  }
}

/** Returns false if the section continues after the buffer. */
function skipSection(state: ReaderState): boolean {
  const { buffer, position, sectionEnd } = state
  if (sectionEnd === null) return true
  const end = buffer.indexOf(sectionEnd, position)
  state.position =
    end === -1 ? Math.max(position, buffer.length - sectionEnd.length + 1) : end + sectionEnd.length
  if (end !== -1) state.sectionEnd = null
  return end !== -1
}

function startSection(state: ReaderState): void {
  const { buffer, position } = state
  const [length, end] = buffer.startsWith('<!--', position)
    ? [4, '-->']
    : buffer.startsWith(cdata, position)
      ? [cdata.length, ']]>']
      : [2, buffer[position + 1] === '?' ? '?>' : '>']
  state.position = position + length
  state.sectionEnd = end
}

/** Processes the tag at `position`; returns false if it continues after the buffer. */
function readOutside(state: ReaderState): boolean {
  const { buffer, position: open, root, elementName } = state
  const end = findTagEnd(buffer, open)
  if (end === -1) return false
  state.position = end ?? open + 1
  if (end === null) return true
  const name = /^<\/?([^\s/>]+)/.exec(buffer.slice(open, Math.min(end, open + 200)))?.[1]
  if (name === undefined) state.position = open + 1
  else if (buffer[open + 1] === '/') state.isRootClosed ||= name === root
  else if (name.slice(name.indexOf(':') + 1) === elementName && !state.isRootClosed) {
    if (!state.hasFoundItem) keepPreamble(state, open)
    state.hasFoundItem = true
    const item: OpenItem = { name, depth: 1, start: open, pieces: [], length: 0 }
    state.item = item
    if (buffer[end - 2] === '/') closeItem(state, item)
  } else if (root === null) {
    state.root = name
    state.isRootClosed = buffer[end - 2] === '/'
  }
  return true
}

/** Does the same inside an element, where only tags with its own name matter. */
function readInside(state: ReaderState, item: OpenItem): boolean {
  const { buffer, position: open } = state
  const isClosing = buffer[open + 1] === '/'
  const from = open + (isClosing ? 2 : 1)
  const nameEnd = from + item.name.length
  if (!buffer.startsWith(item.name, from)) {
    // The name may be truncated at the end of the buffer.
    if (nameEnd > buffer.length && item.name.startsWith(buffer.slice(from))) return false
    state.position = open + 1
    return true
  }
  if (nameEnd < buffer.length && !/[\s/>]/.test(buffer[nameEnd]!)) {
    state.position = open + 1
    return true
  }
  const end = findTagEnd(buffer, open)
  if (end === -1) return false
  state.position = end ?? open + 1
  if (end === null) return true
  if (isClosing) item.depth -= 1
  else if (buffer[end - 2] !== '/') item.depth += 1
  if (item.depth === 0) closeItem(state, item)
  return true
}

function closeItem(state: ReaderState, { start, pieces, length }: OpenItem): void {
  const text = state.buffer.slice(start, state.position)
  const isTooLong = length + text.length > state.itemLengthMax
  state.found.push(isTooLong ? null : pieces.join('') + text)
  state.item = null
}

function keepPreamble(state: ReaderState, end: number): void {
  const remainingLength = preambleLengthMax - state.preamble.length
  state.preamble += state.buffer.slice(0, Math.min(end, remainingLength))
}

/** Removes processed text from the buffer, and keeps that of the open element. */
function compactBuffer(state: ReaderState): void {
  const { buffer, position, item } = state
  if (item !== null) {
    item.length += position - item.start
    if (item.length > state.itemLengthMax) item.pieces = []
    else item.pieces.push(buffer.slice(item.start, position))
    item.start = 0
  } else if (!state.hasFoundItem) keepPreamble(state, position)
  state.buffer = buffer.slice(position)
  state.position = 0
}

/**
 * The position after the `>` that ends the tag at `open`; `>` in quoted attributes is ignored. -1 if the text ends
 * before; null if another `<` comes first, because then it is not a tag.
 */
export function findTagEnd(text: string, open: number): number | null {
  let quote = 0
  for (let position = open + 1; position < text.length; position += 1) {
    const char = text.charCodeAt(position)
    if (quote !== 0) {
      if (char === quote) quote = 0
    } else if (char === doubleQuote || char === singleQuote) quote = char
    else if (char === greaterThan) return position + 1
    else if (char === lessThan) return null
  }
  return -1
}
