/** HTML as data: the script builds elements of it without `innerHTML`, which strict pages refuse, and the page without the script is rendered of it. */
import { escapeMarkup } from '../../../documents/markup.ts'

/** A text, or an element: its tag, attributes and children. */
export type TreeNode = string | readonly [tag: string, attributes: Record<string, string>, ...TreeNode[]]

const voidTags = new Set(['input'])

export function renderTree(node: TreeNode): string {
  if (typeof node === 'string') return escapeMarkup(node)
  const [tag, attributes, ...children] = node
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeMarkup(value)}"`)
  const start = `<${tag}${written.join('')}>`
  // A newline at the beginning of a textarea is dropped.
  const content = (tag === 'textarea' ? '\n' : '') + children.map(renderTree).join('')
  return voidTags.has(tag) ? start : `${start}${content}</${tag}>`
}
