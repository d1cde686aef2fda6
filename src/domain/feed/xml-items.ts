/** A stream of XML cut into the elements of one name, in memory bounded by one of them, however the text was cut. */

export interface XmlItems {
  /** The elements that this piece completes, as written, each with its tags; null for one that is too long. */
  push(text: string): (string | null)[]
  /** After the last piece: whether the root was closed, which it is not in a document that was cut. */
  end(): boolean
  /** The text before the first element, as far as it was read and no more than is worth reading. */
  preamble(): string
}

const defaultItemLengthMax = 1_000_000
const tagLengthMax = 65_536
const preambleLengthMax = 100_000
const cdata = '<![CDATA['
const [DoubleQuote, SingleQuote, lessThan, greaterThan] = [0x22, 0x27, 0x3c, 0x3e]

/** A reader in the middle of a document. */
interface ReaderState {
  elementName: string
  itemMaxLength: number
  /** The text not done with; all before `position` is read. */
  buffer: string
  position: number
  /** What ends the comment, CDATA section or instruction around `position`. */
  sectionEnd: string | null
  root: string | null
  isRootClosed: boolean
  /** The element around `position`. */
  item: OpenItem | null
  found: (string | null)[]
  isFirstSeen: boolean
  preamble: string
}

interface OpenItem {
  /** With its prefix. */
  name: string
  /** How many elements of its name are open. */
  depth: number
  /** Where what is in the buffer of it begins. */
  start: number
  /** What was read of it before, unless that is too long already. */
  pieces: string[]
  length: number
}

/**
 * Elements whose local name is `name`, outermost first; what stands in comments, CDATA sections and processing
 * instructions is no element. The text need not be well-formed: what is wrong inside an element stays inside it.
 */
export function splitXmlItems(name: string, itemMaxLength = defaultItemLengthMax): XmlItems {
  const state: ReaderState = {
    elementName: name,
    itemMaxLength,
    buffer: '',
    position: 0,
    sectionEnd: null,
    root: null,
    isRootClosed: false,
    item: null,
    found: [],
    isFirstSeen: false,
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
      // What only now turns out to be an element stood behind a tag that nothing ended.
      return state.isRootClosed && state.item === null && state.found.length === 0
    },
    preamble: () => state.preamble,
  }
}

/** Up to the end of the buffer, or to what cannot be told apart without the text behind it. */
function read(state: ReaderState, isLast: boolean): void {
  while (skipSection(state)) {
    const { buffer } = state
    const open = buffer.indexOf('<', state.position)
    state.position = open === -1 ? buffer.length : open
    if (open === -1) return
    const sign = buffer[open + 1]
    // As long as it is not known what begins here.
    if (!isLast && (sign === undefined || (sign === '!' && buffer.length - open < cdata.length))) return
    if (sign === '!' || sign === '?') startSection(state)
    else {
      const isRead = state.item === null ? readOutside(state) : readInside(state, state.item)
      if (!isRead && !isLast && buffer.length - open < tagLengthMax) return
      if (!isRead) state.position = open + 1
    }
  }
}

/** False if it goes on behind the buffer. */
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

/** Reads the tag at `position`; false if it goes on behind the buffer. */
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
    if (!state.isFirstSeen) keepPreamble(state, open)
    state.isFirstSeen = true
    const item: OpenItem = { name, depth: 1, start: open, pieces: [], length: 0 }
    state.item = item
    if (buffer[end - 2] === '/') closeItem(state, item)
  } else if (root === null) {
    state.root = name
    state.isRootClosed = buffer[end - 2] === '/'
  }
  return true
}

/** Likewise inside an element, where only the tags of its own name matter. */
function readInside(state: ReaderState, item: OpenItem): boolean {
  const { buffer, position: open } = state
  const isClosing = buffer[open + 1] === '/'
  const from = open + (isClosing ? 2 : 1)
  const behind = from + item.name.length
  if (!buffer.startsWith(item.name, from)) {
    // As much of the name as there is may be cut short.
    if (behind > buffer.length && item.name.startsWith(buffer.slice(from))) return false
    state.position = open + 1
    return true
  }
  if (behind < buffer.length && !/[\s/>]/.test(buffer[behind]!)) {
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
  const isTooLong = length + text.length > state.itemMaxLength
  state.found.push(isTooLong ? null : pieces.join('') + text)
  state.item = null
}

function keepPreamble(state: ReaderState, end: number): void {
  const remainingLength = preambleLengthMax - state.preamble.length
  state.preamble += state.buffer.slice(0, Math.min(end, remainingLength))
}

/** Drops what is read, or puts it by with the element that it belongs to. */
function compactBuffer(state: ReaderState): void {
  const { buffer, position, item } = state
  if (item !== null) {
    item.length += position - item.start
    if (item.length > state.itemMaxLength) item.pieces = []
    else item.pieces.push(buffer.slice(item.start, position))
    item.start = 0
  } else if (!state.isFirstSeen) keepPreamble(state, position)
  state.buffer = buffer.slice(position)
  state.position = 0
}

/**
 * Behind the `>` that ends the tag at `open`, for one in an attribute's quotes ends nothing; -1 if the text ends before, and
 * null if another `<` comes first: then it is no tag, and nobody looks further for its end.
 */
export function findTagEnd(text: string, open: number): number | null {
  let quote = 0
  for (let position = open + 1; position < text.length; position += 1) {
    const sign = text.charCodeAt(position)
    if (quote !== 0) {
      if (sign === quote) quote = 0
    } else if (sign === DoubleQuote || sign === SingleQuote) quote = sign
    else if (sign === greaterThan) return position + 1
    else if (sign === lessThan) return null
  }
  return -1
}
