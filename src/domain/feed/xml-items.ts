// A stream of XML cut into the elements of one name, in memory bounded by one of them, however the text was cut.

export interface XmlItems {
  /** The elements that this piece completes, as written, each with its tags; null for one that is too long. */
  push(text: string): (string | null)[]
  /** After the last piece: whether the root was closed, which it is not in a document that was cut. */
  end(): boolean
  /** The text before the first element, as far as it was read and no more than is worth reading. */
  preamble(): string
}

const ITEM_MAX_LENGTH = 1_000_000
const TAG_MAX_LENGTH = 65_536
const PREAMBLE_MAX_LENGTH = 100_000
const CDATA = '<![CDATA['
const [DOUBLE_QUOTE, SINGLE_QUOTE, LESS, GREATER] = [0x22, 0x27, 0x3c, 0x3e]

/** A reader in the middle of a document. */
interface Reading {
  wanted: string
  itemMaxLength: number
  /** The text not done with; all before `at` is read. */
  buffer: string
  at: number
  /** What ends the comment, CDATA section or instruction around `at`. */
  sectionEnd: string | null
  root: string | null
  isRootClosed: boolean
  /** The element around `at`. */
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
export function splitXmlItems(name: string, itemMaxLength = ITEM_MAX_LENGTH): XmlItems {
  const reading: Reading = {
    wanted: name,
    itemMaxLength,
    buffer: '',
    at: 0,
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
      reading.buffer += text
      read(reading, false)
      moveOn(reading)
      return reading.found.splice(0)
    },
    end() {
      read(reading, true)
      moveOn(reading)
      // What only now turns out to be an element stood behind a tag that nothing ended.
      return reading.isRootClosed && reading.item === null && reading.found.length === 0
    },
    preamble: () => reading.preamble,
  }
}

/** Up to the end of the buffer, or to what cannot be told apart without the text behind it. */
function read(reading: Reading, isLast: boolean): void {
  while (skipSection(reading)) {
    const { buffer } = reading
    const open = buffer.indexOf('<', reading.at)
    reading.at = open === -1 ? buffer.length : open
    if (open === -1) return
    const sign = buffer[open + 1]
    // As long as it is not known what begins here.
    if (!isLast && (sign === undefined || (sign === '!' && buffer.length - open < CDATA.length))) return
    if (sign === '!' || sign === '?') startSection(reading)
    else {
      const isRead = reading.item === null ? readOutside(reading) : readInside(reading, reading.item)
      if (!isRead && !isLast && buffer.length - open < TAG_MAX_LENGTH) return
      if (!isRead) reading.at = open + 1
    }
  }
}

/** False if it goes on behind the buffer. */
function skipSection(reading: Reading): boolean {
  const { buffer, at, sectionEnd } = reading
  if (sectionEnd === null) return true
  const end = buffer.indexOf(sectionEnd, at)
  reading.at = end === -1 ? Math.max(at, buffer.length - sectionEnd.length + 1) : end + sectionEnd.length
  if (end !== -1) reading.sectionEnd = null
  return end !== -1
}

function startSection(reading: Reading): void {
  const { buffer, at } = reading
  const [length, end] = buffer.startsWith('<!--', at)
    ? [4, '-->']
    : buffer.startsWith(CDATA, at)
      ? [CDATA.length, ']]>']
      : [2, buffer[at + 1] === '?' ? '?>' : '>']
  reading.at = at + length
  reading.sectionEnd = end
}

/** Reads the tag at `at`; false if it goes on behind the buffer. */
function readOutside(reading: Reading): boolean {
  const { buffer, at: open, root, wanted } = reading
  const end = tagEnd(buffer, open)
  if (end === -1) return false
  reading.at = end ?? open + 1
  if (end === null) return true
  const name = /^<\/?([^\s/>]+)/.exec(buffer.slice(open, Math.min(end, open + 200)))?.[1]
  if (name === undefined) reading.at = open + 1
  else if (buffer[open + 1] === '/') reading.isRootClosed ||= name === root
  else if (name.slice(name.indexOf(':') + 1) === wanted && !reading.isRootClosed) {
    if (!reading.isFirstSeen) keepPreamble(reading, open)
    reading.isFirstSeen = true
    const item: OpenItem = { name, depth: 1, start: open, pieces: [], length: 0 }
    reading.item = item
    if (buffer[end - 2] === '/') closeItem(reading, item)
  } else if (root === null) {
    reading.root = name
    reading.isRootClosed = buffer[end - 2] === '/'
  }
  return true
}

/** Likewise inside an element, where only the tags of its own name matter. */
function readInside(reading: Reading, item: OpenItem): boolean {
  const { buffer, at: open } = reading
  const isClosing = buffer[open + 1] === '/'
  const from = open + (isClosing ? 2 : 1)
  const behind = from + item.name.length
  if (!buffer.startsWith(item.name, from)) {
    // As much of the name as there is may be cut short.
    if (behind > buffer.length && item.name.startsWith(buffer.slice(from))) return false
    reading.at = open + 1
    return true
  }
  if (behind < buffer.length && !/[\s/>]/.test(buffer[behind]!)) {
    reading.at = open + 1
    return true
  }
  const end = tagEnd(buffer, open)
  if (end === -1) return false
  reading.at = end ?? open + 1
  if (end === null) return true
  if (isClosing) item.depth -= 1
  else if (buffer[end - 2] !== '/') item.depth += 1
  if (item.depth === 0) closeItem(reading, item)
  return true
}

function closeItem(reading: Reading, { start, pieces, length }: OpenItem): void {
  const text = reading.buffer.slice(start, reading.at)
  const isTooLong = length + text.length > reading.itemMaxLength
  reading.found.push(isTooLong ? null : pieces.join('') + text)
  reading.item = null
}

function keepPreamble(reading: Reading, end: number): void {
  const room = PREAMBLE_MAX_LENGTH - reading.preamble.length
  reading.preamble += reading.buffer.slice(0, Math.min(end, room))
}

/** Drops what is read, or puts it by with the element that it belongs to. */
function moveOn(reading: Reading): void {
  const { buffer, at, item } = reading
  if (item !== null) {
    item.length += at - item.start
    if (item.length > reading.itemMaxLength) item.pieces = []
    else item.pieces.push(buffer.slice(item.start, at))
    item.start = 0
  } else if (!reading.isFirstSeen) keepPreamble(reading, at)
  reading.buffer = buffer.slice(at)
  reading.at = 0
}

/**
 * Behind the `>` that ends the tag at `open`, for one in an attribute's quotes ends nothing; -1 if the text ends before, and
 * null if another `<` comes first: then it is no tag, and nobody looks further for its end.
 */
export function tagEnd(text: string, open: number): number | null {
  let quote = 0
  for (let at = open + 1; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (quote !== 0) {
      if (sign === quote) quote = 0
    } else if (sign === DOUBLE_QUOTE || sign === SINGLE_QUOTE) quote = sign
    else if (sign === GREATER) return at + 1
    else if (sign === LESS) return null
  }
  return -1
}
