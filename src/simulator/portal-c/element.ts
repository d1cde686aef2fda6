// How portal_c writes an advert in JSON: an element of a search, and everything that it knows of one.
import type { Advert, Condition, Feature, Subtype } from '../advert.ts'
import { spanishPhone } from '../advertisers.ts'
import { capital, counted, thousands } from '../spanish.ts'

/** Its own numbers for the adverts that other portals show as well. */
const CODE_PREFIX = '9'
const SHORT_DESCRIPTION = 250
const TYPES: Record<Subtype, string> = {
  flat: 'flat',
  duplex: 'duplex',
  studio: 'studio',
  office: 'office',
  shop: 'premise',
  garage: 'garage',
}
const STATUS: Record<Condition, string> = { new: 'newdevelopment', good: 'good', to_renovate: 'renew' }
const STATUS_PHRASES: Record<Condition, string> = {
  new: 'Promoción de obra nueva',
  good: 'Segunda mano/buen estado',
  to_renovate: 'Segunda mano/para reformar',
}
const FEATURE_PHRASES: readonly (readonly [Feature, string])[] = [
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

export function codeOf(id: string): string {
  return CODE_PREFIX + id
}

/** The id of the advert that has a code, if one may have it. */
export function idOfCode(code: string): string | undefined {
  return code.startsWith(CODE_PREFIX) ? code.slice(CODE_PREFIX.length) : undefined
}

export function listingPath(id: string): string {
  return `/inmueble/${codeOf(id)}/`
}

export function photoPath(id: string, number: number): string {
  return `/WEB_LISTING/${codeOf(id)}/${number}.png`
}

/** An element of `elementList`. */
export function elementOf(advert: Advert, origin: string): object {
  const { id, description } = advert
  const [title = '', ...subtitle] = advert.title.split(', ')
  return {
    propertyCode: codeOf(id),
    thumbnail: origin + photoPath(id, 1),
    externalReference: `W-${id.slice(-6)}`,
    numPhotos: advert.photoCount,
    ...(advert.floor === null ? {} : { floor: floorCode(advert.floor) }),
    price: advert.price,
    priceInfo: {
      price: { amount: advert.price, currencySuffix: advert.operation === 'rent' ? '€/mes' : '€' },
    },
    propertyType: typeOf(advert),
    operation: advert.operation,
    size: advert.squareMeters,
    // As the true interface does: a count that is not known is 0 where it makes no sense, and left out elsewhere.
    ...countOf('rooms', advert.bedrooms, advert),
    ...countOf('bathrooms', advert.bathrooms, advert),
    address: advert.address,
    province: advert.province,
    municipality: advert.city,
    district: advert.neighbourhood,
    country: 'es',
    latitude: advert.latitude,
    longitude: advert.longitude,
    showAddress: true,
    url: origin + listingPath(id),
    description:
      description.length > SHORT_DESCRIPTION ? `${description.slice(0, SHORT_DESCRIPTION)}...` : description,
    hasVideo: false,
    ...(advert.condition === null ? {} : { status: STATUS[advert.condition] }),
    newDevelopment: advert.condition === 'new',
    favourite: false,
    firstActivationDate: advert.publishedAt.getTime(),
    modificationDate: advert.updatedAt.getTime(),
    contactInfo: contactInfoOf(advert),
    ...featuresOf(advert),
    priceByArea: Math.round(advert.price / advert.squareMeters),
    detailedType: { typology: typeOf(advert) },
    suggestedTexts: { subtitle: subtitle.join(', '), title },
    ...{ hasPlan: false, has3DTour: false, has360: false, hasStaging: false, topNewDevelopment: false },
    ...{
      preferenceHighlight: false,
      topHighlight: false,
      urgentVisualHighlight: false,
      visualHighlight: false,
    },
  }
}

/** What the interface says of one advert. */
export function propertyOf(advert: Advert, origin: string): object {
  const phrases = phrasesOf(advert).map(phrase => ({ phrase }))
  return {
    ...elementOf(advert, origin),
    state: 'active',
    description: advert.description,
    multimedia: {
      images: Array.from({ length: advert.photoCount }, (_, photo) => ({
        url: origin + photoPath(advert.id, photo + 1),
        tag: photo === 0 ? 'livingRoom' : 'unknown',
        multimediaId: Number(advert.id.slice(-7)) * 100 + photo,
      })),
      videos: [],
    },
    ...(advert.energy === null
      ? {}
      : {
          energyCertification: {
            title: 'Certificado energético',
            energyConsumption: { type: advert.energy },
          },
        }),
    translatedTexts: {
      characteristicsDescriptions: [
        { key: 'features', title: 'Características básicas', detailFeatures: phrases },
      ],
    },
  }
}

function featuresOf({ features }: Advert): object {
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

function typeOf({ subtype, features }: Advert): string {
  return subtype === 'flat' && features.includes('top_floor') ? 'penthouse' : TYPES[subtype]
}

function floorCode(floor: number): string {
  if (floor === 0) return 'bj'
  return floor < 0 ? 'st' : String(floor)
}

function countOf(name: string, count: number | null, { propertyType }: Advert): object {
  if (count === null) return propertyType === 'homes' ? {} : { [name]: 0 }
  return { [name]: count }
}

function contactInfoOf({ id, advertiser: { type, name, phone } }: Advert): object {
  return {
    ...(type === 'agency' ? { commercialName: name } : {}),
    phone1: {
      phoneNumber: phone.slice(3),
      formattedPhone: spanishPhone(phone),
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

function phrasesOf(advert: Advert): string[] {
  const phrases = [`${thousands(advert.squareMeters)} m² construidos`]
  if (advert.bedrooms !== null) phrases.push(capital(counted(advert.bedrooms, 'habitación', 'habitaciones')))
  if (advert.bathrooms !== null) phrases.push(capital(counted(advert.bathrooms, 'baño', 'baños')))
  if (advert.condition !== null) phrases.push(STATUS_PHRASES[advert.condition])
  for (const [feature, phrase] of FEATURE_PHRASES) if (advert.features.includes(feature)) phrases.push(phrase)
  const side = advert.features.find(feature => feature === 'exterior' || feature === 'interior')
  if (side) phrases.push(capital(side))
  if (advert.yearBuilt !== null) phrases.push(`Construido en ${advert.yearBuilt}`)
  return phrases
}
