/** Formats a listing of portal_c in JSON: an element of a search, or the whole property. */

import { formatSpanishPhone } from '../advertisers.ts'
import type { Condition, Feature, SimulatedListing, Subtype } from '../listing.ts'
import { capitalize, formatCount, formatThousands } from '../spanish.ts'

/** Prefix of the portal's codes, so that each portal has its own. */
const codePrefix = '9'
const descriptionLengthMax = 250
const types: Record<Subtype, string> = {
  flat: 'flat',
  duplex: 'duplex',
  studio: 'studio',
  office: 'office',
  shop: 'premise',
  garage: 'garage',
}
const status: Record<Condition, string> = { new: 'newdevelopment', good: 'good', to_renovate: 'renew' }
const statusPhrases: Record<Condition, string> = {
  new: 'Promoción de obra nueva',
  good: 'Segunda mano/buen estado',
  to_renovate: 'Segunda mano/para reformar',
}
const featurePhrases: readonly (readonly [Feature, string])[] = [
  ['lift', 'Con ascensor'],
  ['terrace', 'Terraza'],
  ['balcony', 'Balcón'],
  ['parking', 'Plaza de garaje incluida en el precio'],
  ['pool', 'Piscina'],
  ['garden', 'Jardín'],
  ['air_conditioning', 'Aire acondicionado'],
  ['storage_room', 'Trastero'],
  ['fitted_wardrobes', 'Armarios empotrados'],
  ['concierge', 'Portero'],
  ['top_floor', 'Última planta'],
]

export function toCode(id: string): string {
  return codePrefix + id
}

/** The id of the listing with a code; undefined for an invalid code. */
export function toId(code: string): string | undefined {
  return code.startsWith(codePrefix) ? code.slice(codePrefix.length) : undefined
}

export function toListingPath(id: string): string {
  return `/inmueble/${toCode(id)}/`
}

export function toPhotoPath(id: string, number: number): string {
  return `/WEB_LISTING/${toCode(id)}/${number}.png`
}

/** An element of `elementList`. */
export function toElement(listing: SimulatedListing, origin: string): object {
  const { id, description } = listing
  const [title = '', ...subtitle] = listing.title.split(', ')
  return {
    propertyCode: toCode(id),
    thumbnail: origin + toPhotoPath(id, 1),
    externalReference: `W-${id.slice(-6)}`,
    numPhotos: listing.photoCount,
    ...(listing.floor === null ? {} : { floor: toFloorCode(listing.floor) }),
    price: listing.price,
    priceInfo: {
      price: { amount: listing.price, currencySuffix: listing.operation === 'rent' ? '€/mes' : '€' },
    },
    propertyType: toType(listing),
    operation: listing.operation,
    size: listing.squareMeters,
    // Like the real interface: an unknown count is omitted; it is 0 for types without rooms.
    ...toCount('rooms', listing.bedrooms, listing),
    ...toCount('bathrooms', listing.bathrooms, listing),
    address: listing.address,
    province: listing.province,
    municipality: listing.city,
    district: listing.neighbourhood,
    country: 'es',
    latitude: listing.latitude,
    longitude: listing.longitude,
    showAddress: true,
    url: origin + toListingPath(id),
    description:
      description.length > descriptionLengthMax
        ? `${description.slice(0, descriptionLengthMax)}...`
        : description,
    hasVideo: false,
    ...(listing.condition === null ? {} : { status: status[listing.condition] }),
    newDevelopment: listing.condition === 'new',
    favourite: false,
    firstActivationDate: listing.publishedAt.getTime(),
    modificationDate: listing.updatedAt.getTime(),
    contactInfo: toContactInfo(listing),
    ...toFeatures(listing),
    priceByArea: Math.round(listing.price / listing.squareMeters),
    detailedType: { typology: toType(listing) },
    suggestedTexts: { subtitle: subtitle.join(', '), title },
    hasPlan: false,
    has3DTour: false,
    has360: false,
    hasStaging: false,
    topNewDevelopment: false,
    preferenceHighlight: false,
    topHighlight: false,
    urgentVisualHighlight: false,
    visualHighlight: false,
  }
}

/** The reply for one property. */
export function toProperty(listing: SimulatedListing, origin: string): object {
  const phrases = toPhrases(listing).map(phrase => ({ phrase }))
  return {
    ...toElement(listing, origin),
    state: 'active',
    description: listing.description,
    multimedia: {
      images: Array.from({ length: listing.photoCount }, (_, photo) => ({
        url: origin + toPhotoPath(listing.id, photo + 1),
        tag: photo === 0 ? 'livingRoom' : 'unknown',
        multimediaId: Number(listing.id.slice(-7)) * 100 + photo,
      })),
      videos: [],
    },
    ...(listing.energy === null
      ? {}
      : {
          energyCertification: {
            title: 'Certificado energético',
            energyConsumption: { type: listing.energy },
          },
        }),
    translatedTexts: {
      characteristicsDescriptions: [
        { key: 'features', title: 'Características básicas', detailFeatures: phrases },
      ],
    },
  }
}

function toFeatures({ features }: SimulatedListing): object {
  const has = (feature: Feature) => features.includes(feature)
  return {
    exterior: has('exterior'),
    hasLift: has('lift'),
    ...(has('parking')
      ? { parkingSpace: { hasParkingSpace: true, isParkingSpaceIncludedInPrice: true } }
      : {}),
    features: {
      hasSwimmingPool: has('pool'),
      hasTerrace: has('terrace'),
      hasAirConditioning: has('air_conditioning'),
      hasBoxRoom: has('storage_room'),
      hasGarden: has('garden'),
    },
  }
}

function toType({ subtype, features }: SimulatedListing): string {
  return subtype === 'flat' && features.includes('top_floor') ? 'penthouse' : types[subtype]
}

function toFloorCode(floor: number): string {
  if (floor === 0) return 'bj'
  return floor < 0 ? 'st' : String(floor)
}

function toCount(name: string, count: number | null, { propertyType }: SimulatedListing): object {
  if (count === null) return propertyType === 'homes' ? {} : { [name]: 0 }
  return { [name]: count }
}

function toContactInfo({ id, advertiser: { type, name, phone } }: SimulatedListing): object {
  return {
    ...(type === 'agency' ? { commercialName: name } : {}),
    phone1: {
      phoneNumber: phone.slice(3),
      formattedPhone: formatSpanishPhone(phone),
      prefix: '34',
      phoneNumberForMobileDialing: phone,
      nationalNumber: true,
    },
    contactName: name,
    userType: type === 'agency' ? 'professional' : 'private',
    contactMethod: 'all',
    ...(type === 'agency'
      ? { micrositeShortName: `pro-${id.slice(-4)}`, externalReference: id.slice(-6) }
      : {}),
  }
}

function toPhrases(listing: SimulatedListing): string[] {
  const phrases = [`${formatThousands(listing.squareMeters)} m² construidos`]
  if (listing.bedrooms !== null)
    phrases.push(capitalize(formatCount(listing.bedrooms, 'habitación', 'habitaciones')))
  if (listing.bathrooms !== null) phrases.push(capitalize(formatCount(listing.bathrooms, 'baño', 'baños')))
  if (listing.condition !== null) phrases.push(statusPhrases[listing.condition])
  for (const [feature, phrase] of featurePhrases) if (listing.features.includes(feature)) phrases.push(phrase)
  const side = listing.features.find(feature => feature === 'exterior' || feature === 'interior')
  if (side) phrases.push(capitalize(side))
  if (listing.yearBuilt !== null) phrases.push(`Construido en ${listing.yearBuilt}`)
  return phrases
}
