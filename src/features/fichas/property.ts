/** Converts what was read of a listing to the property of a sheet, without the advertiser's personal data. */
import type { ParsedListing } from '../../domain/listing/parse-listing.ts'
import type { PageListing } from '../../domain/listing/reader/page-listing.ts'
import { compile } from '../../kit/schema.ts'
import type { FichaContent, FieldEvidence, PropertyField } from './content.ts'
import type { FetchedListing } from './fetch-listing.ts'
import { redactContact, redactTitle } from './redact-contact.ts'
import {
  descriptionLengthMax,
  FichaProperty,
  photosMax,
  textLengthMax,
  titleLengthMax,
} from './sheet-schemas.ts'

export interface ReadProperty extends Pick<FichaContent, 'property' | 'evidence' | 'energy' | 'isReserved'> {
  /** URLs, in the order of the page. */
  photoUrls: string[]
  /** What the photos show, by their URLs. */
  captions: Map<string, string>
}

/** Fields that belong together: all of them come from the same reader. */
const fieldGroups: PropertyField[][] = [
  ['title'],
  ['description'],
  ['operation'],
  ['propertyType'],
  ['subtype'],
  ['price', 'currency'],
  ['squareMeters'],
  ['usableSquareMeters'],
  ['plotSquareMeters'],
  ['rooms'],
  ['bedrooms'],
  ['bathrooms'],
  ['floorText', 'floor'],
  ['yearBuilt'],
  ['condition'],
  ['features'],
  ['address'],
  ['neighbourhood'],
  ['municipality'],
  ['province'],
  ['postcode'],
  ['latitude', 'longitude'],
  ['reference'],
]

const lengths: Partial<Record<PropertyField, number>> = {
  title: titleLengthMax,
  description: descriptionLengthMax,
  postcode: 20,
}

/**
 * The portal's reader knows its pages, so its values come first; the general reader adds what that one does not read.
 * `country`: ISO 3166-1 alpha-2, of the portal.
 */
export function toProperty({ parsed, general, captions }: FetchedListing, country: string): ReadProperty {
  const property: Record<string, unknown> = {}
  const evidence: Record<string, FieldEvidence> = {}
  for (const group of fieldGroups) {
    const reader = [parsed && toParsedReader(parsed), general && toGeneralReader(general)].find(
      each => each && isStated(each.find(group[0]!)),
    )
    for (const field of group) {
      property[field] = reader?.find(field) ?? (field === 'features' ? [] : null)
      const source = reader && isStated(property[field]) ? reader.findEvidence(field) : null
      if (source) evidence[field] = source
    }
  }
  const names = [parsed?.listing.contact.name, general?.values.advertiserName].filter(
    name => typeof name === 'string',
  )
  const values = property as FichaProperty
  const { energyRating = null, emissionsRating = null, images = [] } = general?.values ?? {}
  const { energyConsumptionKwhM2 = null, emissionsKgM2 = null } = general?.values ?? {}
  const photoUrls = parsed && parsed.listing.images.length > 0 ? parsed.listing.images : images
  return {
    property: dropInvalid(
      limitTexts({
        ...values,
        title: redactTitle(values.title, names),
        description: redactContact(values.description, names),
        pricePeriod: toPricePeriod(values, general),
        country: toCountry(values, general, country),
      }),
    ),
    evidence,
    energy: {
      rating: energyRating,
      emissions: emissionsRating,
      consumptionKwhM2: energyConsumptionKwhM2,
      emissionsKgM2,
    },
    isReserved: general?.values.status === 'reserved',
    photoUrls: photoUrls.slice(0, photosMax),
    captions: new Map(
      [...captions].flatMap(([url, caption]) => {
        const redacted = redactContact(caption, names)
        return redacted === null ? [] : [[url, redacted]]
      }),
    ),
  }
}

/** One of the readers of the page. */
interface Reader {
  find(field: PropertyField): unknown
  findEvidence(field: PropertyField): FieldEvidence | null
}

function toParsedReader({ listing, provenance }: ParsedListing): Reader {
  return {
    find: field => listing[field as keyof typeof listing] ?? null,
    findEvidence(field) {
      const source = provenance[field as keyof typeof provenance]
      return source ? { source, where: null, confidence: null } : null
    },
  }
}

function toGeneralReader({ values, evidence }: PageListing): Reader {
  return {
    find: field => values[field as keyof typeof values] ?? null,
    findEvidence(field) {
      const found = evidence[field as keyof typeof evidence]
      return found
        ? { source: found.source, where: truncate(found.where, textLengthMax), confidence: found.confidence }
        : null
    },
  }
}

function isStated(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)
}

/** Listings state prices of rents per month unless the page says otherwise. */
function toPricePeriod(
  { operation, price }: FichaProperty,
  general: PageListing | null,
): FichaProperty['pricePeriod'] {
  if (operation !== 'rent' || price === null) return null
  return general?.values.price === price ? (general.values.pricePeriod ?? 'month') : 'month'
}

/** Spanish portals list Portuguese properties too; the form of their postcodes tells them apart. */
function toCountry({ postcode }: FichaProperty, general: PageListing | null, country: string): string {
  if (postcode !== null && /^\d{4}-\d{3}$/.test(postcode)) return 'PT'
  return general?.values.country ?? country
}

function limitTexts(property: FichaProperty): FichaProperty {
  const entries = Object.entries(property).map(([field, value]) => {
    const max = lengths[field as PropertyField] ?? textLengthMax
    return [field, typeof value === 'string' ? truncate(value, max) : value]
  })
  return Object.fromEntries(entries) as FichaProperty
}

const findErrors = compile(FichaProperty)

/** Removes values that no property has, such as a year of construction in the future. */
function dropInvalid(property: FichaProperty): FichaProperty {
  const fields = findErrors(property).map(({ path }) => path.split('/')[1]!)
  const removed = fields.map(field => [field, field === 'features' ? [] : null])
  return { ...property, ...Object.fromEntries(removed) }
}

function truncate(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…`.toWellFormed() : text
}
