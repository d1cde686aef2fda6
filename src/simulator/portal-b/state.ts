// The objects in which portal_b's scripts keep adverts: one on pages of results, another on an advert's own page.
import type { Advert } from '../advert.ts'
import {
  CLIENT_TYPES,
  detailPath,
  EXTRAS,
  listingIdOf,
  OPERATION_WORDS,
  PROPERTY_WORDS,
  photoPath,
  priceText,
  streetOf,
} from './words.ts'

const ROOM_TYPES = ['living room', 'kitchen', 'bedroom', 'bathroom', null, 'exterior', 'other']
const SUBTYPES: Record<Advert['subtype'], [name: string, id: number]> = {
  flat: ['Flat', 1],
  studio: ['Studio', 6],
  duplex: ['Duplex', 7],
  office: ['Office', 12],
  shop: ['Local', 10],
  garage: ['Garage', 15],
}

/** An advert on a page of results. */
export function cardState(advert: Advert, origin: string, asOf: number) {
  const shared = sharedState(advert, asOf)
  return {
    accuracy: false,
    ...shared,
    brandInfo: { barColor: '#F5F5F5', logo: null, textColor: '#1D1D1D' },
    dateOriginal: shared.date,
    description: advert.description,
    detailWithParams: { 'es-ES': `${detailPath(advert)}?from=list` },
    externalContactUrl: null,
    features: [
      ...extrasOf(advert).map(([, key, id]) => ({ key, value: id, maxValue: 0, minValue: 0 })),
      ...Object.entries(countsOf(advert)).map(([key, value]) => ({ key, value, maxValue: 0, minValue: 0 })),
    ],
    hasListLogo: advert.advertiser.type === 'agency',
    hasSubsidies: false,
    hasVideo: 0,
    hasStamp: false,
    hasVgo: false,
    hasFloorPlans: false,
    isBareOwnership: false,
    isCompleted: null,
    isDiscarded: false,
    isExternalContact: false,
    isFaved: false,
    isHighlighted: false,
    isMainTypology: false,
    isNew: asOf - advert.publishedAt.getTime() < 86_400_000,
    isOccupied: false,
    isOpportunity: false,
    isPackAdvancePriority: false,
    isPackBasicPriority: true,
    isPackMinimalPriority: false,
    isPackPremiumPriority: false,
    isPremium: false,
    isPromotion: false,
    isTemporaryRental: false,
    isTop: false,
    isTopPlus: false,
    isTrackedPhone: true,
    isVirtualTour: false,
    isVisited: false,
    hasOpenHouse: false,
    location: `${streetOf(advert)}, ${advert.neighbourhood}`,
    minPrice: 0,
    multimedia: photosOf(advert, origin),
    otherFeaturesCount: 0,
    price: priceText(advert),
    promotionId: 0,
    promotionUrl: null,
    promotionTitle: null,
    promotionTypologies: [],
    rawPrice: advert.price,
    reducedPrice: null,
    subtypeId: SUBTYPES[advert.subtype][1],
    typeId: PROPERTY_WORDS[advert.propertyType].id,
    userId: null,
  }
}

/** The same advert as the second list of the page keeps it. */
export function itemState(advert: Advert, origin: string) {
  const { id, type, name, reference } = publisherOf(advert)
  return {
    contracts: [7, 107, 110, 129, 152, 163, 165, 174].map(productId => ({ productId })),
    location: {
      address: `${streetOf(advert)}, ${advert.neighbourhood}`,
      zone: `${advert.city}, ${advert.province}`,
      municipality: advert.neighbourhood,
      locality: advert.city,
    },
    detailUrl: detailPath(advert),
    id: `1_${listingIdOf(advert.id)}`,
    multimedias: photosOf(advert, origin).map(({ src, roomType }, at) => ({
      classification: roomType,
      position: at + 1,
      type: 'IMAGE',
      url: src,
    })),
    phone: advert.advertiser.phone,
    publisher: { alias: name, id: String(id), isBank: false, name, reference, type },
    price: { amount: advert.price, amountDrop: 0 },
    features: { ...EMPTY_COUNTS, ...countsOf(advert) },
  }
}

/** An advert on its own page: the older of its two objects there. */
export function detailState(advert: Advert, origin: string, asOf: number) {
  const { conservationStatus, ...counts } = { ...EMPTY_COUNTS, ...countsOf(advert) }
  return {
    energyCertificate: advert.energy ?? '',
    accuracy: false,
    alterDate: advert.updatedAt.toISOString().slice(0, 19),
    ...sharedState(advert, asOf),
    clientContactEmail: '',
    clientEmail: '',
    clientName: advert.advertiser.name,
    contactName: advert.advertiser.name,
    descriptions: { 'es-ES': advert.description },
    energyCertificateDownload: '',
    externalContactUrl: '',
    extras: [],
    features: { ...counts, conservationState: conservationStatus, energyCertificate: 0, surfaceLand: 0 },
    featuresList: extrasOf(advert).map(([, key]) => ({
      label: key,
      literal: `FEATURES.${key.toUpperCase()}`,
      value: 'true',
    })),
    hasMicrosite: advert.advertiser.type === 'agency',
    hasOpenHouse: false,
    highlight: false,
    isTrackedPhone: true,
    location: '',
    multimedia: photosOf(advert, origin).map(({ src, type }) => ({ src, type })),
    originId: 0,
    otherFeatures: {},
    price: advert.price,
    propertyTypeId: PROPERTY_WORDS[advert.propertyType].id,
    reducedPrice: null,
    reference: publisherOf(advert).reference,
    showPrice: true,
    subtypeId: SUBTYPES[advert.subtype][1],
  }
}

/** The newer one. */
export function detailEntityState(advert: Advert, origin: string) {
  const number = Number(advert.address.slice(advert.address.lastIndexOf(', ') + 2))
  return {
    id: `1_${listingIdOf(advert.id)}`,
    address: {
      coordinates: { lat: advert.latitude, lng: advert.longitude },
      country: 'España',
      district: advert.neighbourhood,
      isExact: true,
      locality: advert.city,
      municipality: advert.neighbourhood,
      neighborhood: null,
      province: advert.province,
      street: { name: streetOf(advert), type: null, number },
      visibilityMode: 1,
      zipCode: advert.postcode,
    },
    creationDate: advert.publishedAt.toISOString().slice(0, 23),
    description: advert.description,
    energyCertificate: { energyEfficiencyRatingType: advert.energy },
    multimedias: photosOf(advert, origin).map(({ src, type }, at) => ({ position: at + 1, type, url: src })),
    publisher: publisherOf(advert),
    constructionType: advert.condition === 'new' ? 'newConstruction' : 'secondHand',
    features: Object.entries(countsOf(advert)).map(([type, value]) => ({ type: type.toUpperCase(), value })),
    price: { amount: advert.price, amountDrop: 0, periodicity: periodicityOf(advert) },
    transactionTypeId: OPERATION_WORDS[advert.operation].id,
  }
}

/** What both objects have in common. */
function sharedState(advert: Advert, asOf: number) {
  const client = CLIENT_TYPES[advert.advertiser.type]
  return {
    address: {
      country: 'España',
      district: advert.neighbourhood,
      neighborhood: null,
      zipCode: advert.postcode,
      municipality: advert.city,
      province: advert.province,
      city: advert.city,
      cityZone: null,
      upperLevel: advert.neighbourhood,
    },
    buildingSubtype: SUBTYPES[advert.subtype][0],
    buildingType: PROPERTY_WORDS[advert.propertyType].buildingType,
    clientAlias: advert.advertiser.name,
    clientId: publisherOf(advert).id,
    clientType: client.name,
    clientTypeId: client.id,
    coordinates: { latitude: advert.latitude, longitude: advert.longitude, accuracy: 0 },
    date: ageOf(advert.publishedAt.getTime(), asOf),
    detail: { 'es-ES': detailPath(advert) },
    id: numberIfSafe(listingIdOf(advert.id)),
    isNewConstruction: advert.condition === 'new',
    periodicityId: periodicityOf(advert),
    phone: advert.advertiser.phone,
    transactionTypeId: OPERATION_WORDS[advert.operation].id,
  }
}

const EMPTY_COUNTS = {
  antiquity: 0,
  bathrooms: 0,
  conservationStatus: 0,
  floor: 0,
  heating: 0,
  hotWater: 0,
  orientation: 0,
  rooms: 0,
  surface: 0,
}

/** The numbers that are stated, in the portal's codes; a studio's rooms are not. */
function countsOf(advert: Advert): Partial<typeof EMPTY_COUNTS> {
  const { bathrooms, bedrooms, condition, floor, squareMeters } = advert
  return {
    ...(bathrooms ? { bathrooms } : {}),
    ...(condition === 'good' ? { conservationStatus: 1 + (Number(advert.id.at(-1)) % 3 || 0) } : {}),
    ...(condition === 'to_renovate' ? { conservationStatus: 4 } : {}),
    ...(floor === null ? {} : { floor: floorCode(floor) }),
    ...(bedrooms ? { rooms: bedrooms } : {}),
    surface: squareMeters,
  }
}

/** The cellar is 1, the ground floor 3, the first 6; all past the tenth are 16. */
function floorCode(floor: number): number {
  if (floor < 0) return 1
  return floor === 0 ? 3 : Math.min(floor + 5, 16)
}

function extrasOf({ features }: Advert) {
  return EXTRAS.filter(([feature]) => features.includes(feature))
}

function photosOf({ id, photoCount }: Advert, origin: string) {
  return Array.from({ length: photoCount }, (_, at) => ({
    type: 'image',
    src: origin + photoPath(id, at + 1),
    roomType: ROOM_TYPES[at % ROOM_TYPES.length]!,
  }))
}

function publisherOf({ id, advertiser }: Advert) {
  const { name, phone, type } = advertiser
  return {
    alias: name,
    // An agency's number is the same on all its adverts, as its telephone is.
    id: 9_202_000_000_000 + (Number(phone.slice(3)) % 1_000_000_000),
    name,
    phone,
    reference: `V${id.slice(-6)}`,
    type: CLIENT_TYPES[type].name,
  }
}

function periodicityOf({ operation }: Pick<Advert, 'operation'>): number {
  return operation === 'rent' ? 3 : 0
}

function ageOf(timestamp: number, asOf: number) {
  const hours = Math.max(Math.floor((asOf - timestamp) / 3_600_000), 0)
  return hours < 24
    ? { diff: hours, unit: 'HOURS', timestamp }
    : { diff: Math.floor(hours / 24), unit: 'DAYS', timestamp }
}

function numberIfSafe(id: string): number | string {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : id
}
