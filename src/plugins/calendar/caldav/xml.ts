/** Reads the replies of WebDAV as a tree. Entities of a document are not expanded, and its size is bounded. */
import { Parser } from 'htmlparser2'

/** An element. Names have no prefix: no two elements that are read differ in their namespace alone. */
export interface XmlElement {
  name: string
  attributes: Record<string, string>
  children: XmlElement[]
  text: string
}

const elementsMax = 200_000
const depthMax = 32

/** Null: it is not a whole XML document of the name, or exceeds the limits. */
export function parseXml(text: string, rootName: string): XmlElement | null {
  const document: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [document]
  let count = 0
  let isTooLarge = false
  let isWhole = false
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        count += 1
        isTooLarge ||= count > elementsMax || open.length > depthMax
        if (isTooLarge) return
        const localName = name.replace(/^.*:/, '').toLowerCase()
        const element: XmlElement = { name: localName, attributes, children: [], text: '' }
        open.at(-1)!.children.push(element)
        open.push(element)
      },
      ontext(part) {
        if (!isTooLarge) open.at(-1)!.text += part
      },
      // A reply that was cut would be read as a calendar with fewer events. An element without content is "implied" as well.
      onclosetag(_name, isImplied) {
        isWhole = !isImplied || (open.length === 2 && open[1]!.children.length === 0 && text.endsWith('/>'))
        if (!isTooLarge && open.length > 1) open.pop()
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(text)
  const root = document.children[0]
  return isWhole && !isTooLarge && root?.name === rootName ? root : null
}

export const findChild = (element: XmlElement | null, name: string): XmlElement | null =>
  element?.children.find(child => child.name === name) ?? null

/** Follows the names; null if one is missing or empty. */
export function findText(element: XmlElement | null, ...names: string[]): string | null {
  const found = names.reduce(findChild, element)
  return found?.text.trim() || null
}

/** True if an element of the name is anywhere below. */
export const contains = (element: XmlElement | null, name: string): boolean =>
  element?.children.some(child => child.name === name || contains(child, name)) ?? false

export const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
