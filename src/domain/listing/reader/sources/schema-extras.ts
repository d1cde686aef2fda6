/** Values of schema.org nodes (JSON-LD and microdata) that the quick parser does not have. */
import { getTypes, isNode, type JsonNode, type ListingNodes, toList } from '../../json-ld.ts'
import { toSingleLine } from '../../values.ts'
import { parseAreaText, toSquareMeters } from '../area-units.ts'
import { parseEnergyCode } from '../codes.ts'
import { toIsoCountry } from '../countries.ts'
import type { Candidate, PropertySubtype, ReaderSource } from '../page-listing.ts'
import type { StateKind } from './state-key-words.ts'
import { findKind, normalizeKey } from './state-keys.ts'
import { readFeatures, readStateValue } from './state-values.ts'

const subtypesByType: Record<string, PropertySubtype> = {
  Apartment: 'apartment',
  House: 'house',
  SingleFamilyResidence: 'house',
}
const unitsByCode: Record<string, string> = { FTK: 'sqft', MTK: 'm²', ACR: 'acres', HAR: 'ha', YDK: 'sq yd' }
const areaKinds = new Set<StateKind>(['area', 'plotArea', 'usableArea'])
const itemsMax = 200

/** `isMetric`: what an area without a unit means; null if unknown. */
export function readSchemaExtras(
  nodes: ListingNodes,
  source: ReaderSource,
  isMetric: boolean | null,
): Candidate[] {
  const candidates: Candidate[] = []
  const add = (found: object, where: string, weight: number) => {
    for (const [field, value] of Object.entries(found))
      if (value !== null && value !== undefined)
        candidates.push({ field, value, source, where, weight } as Candidate)
  }
  const dwellings = [...nodes.dwelling, ...nodes.listing]
  for (const node of dwellings.slice(0, 20)) {
    const subtype = getTypes(node)
      .map(type => subtypesByType[type])
      .find(type => type !== undefined)
    // Portals use these types for any home.
    add({ subtype }, 'type', 0.5)
    add({ squareMeters: readSize(node.floorSize ?? node.size, isMetric) }, 'floorSize', 0.8)
    add({ plotSquareMeters: readSize(node.lotSize, isMetric) }, 'lotSize', 0.8)
    add(readScalar('year', node.yearBuilt), 'yearBuilt', 0.8)
    add(readScalar('updatedAt', node.dateModified), 'dateModified', 0.7)
    add(
      {
        energyRating: parseEnergyCode(toText(node.energyEfficiencyClass ?? node.hasEnergyEfficiencyCategory)),
      },
      'energy',
      0.8,
    )
    add(readScalar('reference', node.sku ?? node.productID ?? node.identifier), 'sku', 0.5)
    for (const address of toList(node.address).filter(isNode))
      add({ country: toIsoCountry(toText(address.addressCountry)) }, 'addressCountry', 0.8)
    const amenities = toList(node.amenityFeature).slice(0, itemsMax)
    add(
      readFeatures(
        amenities.filter(isStated).map(amenity => toText(isNode(amenity) ? amenity.name : amenity)),
      ),
      'amenityFeature',
      0.8,
    )
    for (const property of toList(node.additionalProperty).slice(0, itemsMax))
      add(readProperty(property, isMetric), 'additionalProperty', 0.75)
  }
  for (const offer of nodes.offer.slice(0, 20)) {
    const prices = toList(offer.priceSpecification).filter(isNode)
    for (const node of [offer, ...prices])
      add(readScalar('period', node.unitText ?? node.unitCode), 'unitText', 0.7)
    if (/InStock/.test(toText(offer.availability))) add({ status: 'available' }, 'availability', 0.6)
    if (/SoldOut|Discontinued/.test(toText(offer.availability)))
      add({ status: 'withdrawn' }, 'availability', 0.6)
  }
  return candidates
}

function readProperty(property: unknown, isMetric: boolean | null): object {
  if (!isNode(property)) return {}
  const kind = findKind(normalizeKey(toText(property.name)))
  const value = property.value
  if (
    kind === null ||
    kind === 'title' ||
    kind === 'type' ||
    (typeof value !== 'string' && typeof value !== 'number')
  )
    return {}
  const unit = toText(property.unitText ?? property.unitCode)
  return readStateValue(kind, value, {
    unit: areaKinds.has(kind) && unit !== '' ? (unitsByCode[unit] ?? unit) : null,
    isMetric,
  })
}

function readScalar(kind: StateKind, value: unknown): object {
  const text = toText(value)
  return text === '' ? {} : readStateValue(kind, text, { unit: null, isMetric: null })
}

function readSize(value: unknown, isMetric: boolean | null): number | null {
  const node = toList(value)[0]
  if (typeof node === 'string') return parseAreaText(node)
  if (!isNode(node)) return null
  const amount = Number(toText(node.value ?? node.maxValue))
  const unit = toText(node.unitText ?? node.unitCode)
  const known = unitsByCode[unit.toUpperCase()] ?? unit
  if (!(amount > 0)) return parseAreaText(`${toText(node.value)} ${known}`)
  if (known !== '') return toSquareMeters(amount, known)
  return isMetric ? toSquareMeters(amount, 'm²') : null
}

function isStated(amenity: unknown): boolean {
  return !isNode(amenity) || !/^(?:false|no|0)$/i.test(toText(amenity.value))
}

function toText(value: unknown): string {
  if (typeof value === 'string') return toSingleLine(value.slice(0, 300)) ?? ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return toText(value[0])
  return isNode(value) ? toText((value as JsonNode).name ?? value.value ?? '') : ''
}
