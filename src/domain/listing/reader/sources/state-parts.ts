/** Extracts parts of the objects in embedded data: labels, units, photos, coordinates. */
import { toAbsoluteUrl, toSingleLine } from '../../values.ts'
import { normalizeKey } from './state-keys.ts'

export type Node = Record<string, unknown>

/** The text of an item in a list of features. */
export function toLabel(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item
  const node = item as Node
  const label = [
    node.label,
    node.name,
    node.title,
    node.text,
    node.displayText,
    node.feature,
    node.value,
    node.content,
  ]
  return label.find(value => typeof value === 'string')
}

const labelDepthMax = 3
const labelsMax = 200

/** The texts of the features in an object: `{ "12": { label: 'Lift' } }`, `{ Exterior: [{ name: 'Pool' }] }`. */
export function listLabels(value: unknown, depth = 0): unknown[] {
  if (Array.isArray(value)) return value.slice(0, labelsMax).flatMap(item => listLabels(item, depth + 1))
  if (typeof value !== 'object' || value === null) return depth === 0 ? [] : [value]
  const label = toLabel(value)
  if (label !== undefined) return [label]
  if (depth >= labelDepthMax) return []
  const members = Object.values(value).slice(0, labelsMax)
  return members
    .flatMap(member => (typeof member === 'object' ? listLabels(member, depth + 1) : []))
    .slice(0, labelsMax)
}

/** The unit beside a value: `{ value: 151, unit: 'm²' }`, `{ livingArea: 1206, livingAreaUnits: 'sqft' }`. */
export function findUnit(node: Node, key: string): string | null {
  for (const name in node) {
    const value = node[name]
    if (typeof value !== 'string' || value.length > 30) continue
    const normalized = normalizeKey(name)
    if (!normalized.includes('unit')) continue
    if (
      /^(?:unit|units|unitcode|unittext|sizeunit|areaunit|unitofmeasure|unitabbreviation)$/.test(
        normalized,
      ) ||
      normalized.startsWith(key)
    )
      return value
  }
  return null
}

const imageKeys = [
  'url',
  'src',
  'href',
  'large',
  'full',
  'original',
  'image',
  'imageUrl',
  'contentUrl',
  'srcUrl',
  'fullSize',
  'link',
  'path',
  'uri',
]

/** The URL of an item in a list of photos; null for plans, films and logos. */
export function findImage(item: unknown, base: string): string | null {
  if (typeof item === 'string') return /^(?:https?:)?\/\//.test(item) ? toAbsoluteUrl(item, base) : null
  if (typeof item !== 'object' || item === null) return null
  const node = item as Node
  const kind = `${toSingleLine(String(node.type ?? node.category ?? ''))}`
  if (/plan|video|logo|tour|document|brochure|epc/i.test(kind)) return null
  for (const key of [...imageKeys, ...Object.keys(node)]) {
    const value = node[key]
    if (typeof value === 'string' && /^(?:https?:)?\/\//.test(value)) return toAbsoluteUrl(value, base)
  }
  for (const value of Object.values(node).slice(0, 10)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
    const inner = Object.values(value).find(text => typeof text === 'string' && /^https?:\/\//.test(text))
    if (typeof inner === 'string') return toAbsoluteUrl(inner, base)
  }
  return null
}

const hiddenKeys = /approx|hide(?:map|address|location|exact|pin)|isarea|fuzzy|obfuscat/
const shownKeys =
  /^(?:is|has|show|display)?(?:show)?(?:exact|precise)(?:address|location|position|point|coordinates)?$/
const regionZoomMax = 12

/** True if the point is the middle of a region, because the advertiser hides the place. */
export function isApproximatePlace(node: Node): boolean {
  for (const name in node) {
    const key = normalizeKey(name)
    const value = node[name]
    if (key === 'zoom' && Number(value) > 0 && Number(value) <= regionZoomMax) return true
    if (value === true && hiddenKeys.test(key)) return true
    if (value === false && shownKeys.test(key)) return true
  }
  return false
}

/** Some portals encode the digits in base64. */
export function decodeDegrees(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/]{8,40}={0,2}$/.test(value) || /^\d+$/.test(value))
    return value
  try {
    const decoded = atob(value)
    return /^-?\d{1,3}\.\d+$/.test(decoded) ? decoded : value
  } catch {
    return value
  }
}
