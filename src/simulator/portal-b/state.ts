/** The state objects of portal_b's listings: one on pages of results, others on the detail page. */
import type { SimulatedListing } from '../listing.ts'
import {
  clientTypes,
  extraFeatureNames,
  formatPrice,
  operationWords,
  propertyWords,
  toDetailPath,
  toListingId,
  toPhotoPath,
  toStreet,
} from './words.ts'

const roomTypes = ['living room', 'kitchen', 'bedroom', 'bathroom', null, 'exterior', 'other']
const subtypes: Record<SimulatedListing['subtype'], [name: string, id: number]> = {
  flat: ['Flat', 1],
  studio: ['Studio', 6],
  duplex: ['Duplex', 7],
  office: ['Office', 12],
  shop: ['Local', 10],
  garage: ['Garage', 15],
}

/** A listing on a page of results. */
export function toCardState(listing: SimulatedListing, origin: string, asOf: number) {
  const shared = toSharedState(listing, asOf)
  return {
    accuracy: false,
    ...shared,
    brandInfo: { barColor: '#F5F5F5', logo: null, textColor: '#1D1D1D' },
    dateOriginal: shared.date,
    description: listing.description,
    detailWithParams: { 'es-ES': `${toDetailPath(listing)}?from=list` },
    externalContactUrl: null,
    features: [
      ...toExtras(listing).map(([, key, id]) => ({ key, value: id, maxValue: 0, minValue: 0 })),
      ...Object.entries(buildCounts(listing)).map(([key, value]) => ({
        key,
        value,
        maxValue: 0,
        minValue: 0,
      })),
    ],
    hasListLogo: listing.advertiser.type === 'agency',
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
    isNew: asOf - listing.publishedAt.getTime() < 86_400_000,
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
    location: `${toStreet(listing)}, ${listing.neighbourhood}`,
    minPrice: 0,
    multimedia: toPhotos(listing, origin),
    otherFeaturesCount: 0,
    price: formatPrice(listing),
    promotionId: 0,
    promotionUrl: null,
    promotionTitle: null,
    promotionTypologies: [],
    rawPrice: listing.price,
    reducedPrice: null,
    subtypeId: subtypes[listing.subtype][1],
    typeId: propertyWords[listing.propertyType].id,
    userId: null,
  }
}

/** The same listing in the second list of the page. */
export function toItemState(listing: SimulatedListing, origin: string) {
  const { id, type, name, reference } = buildPublisher(listing)
  return {
    contracts: [7, 107, 110, 129, 152, 163, 165, 174].map(productId => ({ productId })),
    location: {
      address: `${toStreet(listing)}, ${listing.neighbourhood}`,
      zone: `${listing.city}, ${listing.province}`,
      municipality: listing.neighbourhood,
      locality: listing.city,
    },
    detailUrl: toDetailPath(listing),
    id: `1_${toListingId(listing.id)}`,
    multimedias: toPhotos(listing, origin).map(({ src, roomType }, at) => ({
      classification: roomType,
      position: at + 1,
      type: 'IMAGE',
      url: src,
    })),
    phone: listing.advertiser.phone,
    publisher: { alias: name, id: String(id), isBank: false, name, reference, type },
    price: { amount: listing.price, amountDrop: 0 },
    features: { ...emptyCounts, ...buildCounts(listing) },
  }
}

/** A listing on the detail page: the older of two objects. */
export function toDetailState(listing: SimulatedListing, origin: string, asOf: number) {
  const { conservationStatus, ...counts } = { ...emptyCounts, ...buildCounts(listing) }
  return {
    energyCertificate: listing.energy ?? '',
    accuracy: false,
    alterDate: listing.updatedAt.toISOString().slice(0, 19),
    ...toSharedState(listing, asOf),
    clientContactEmail: '',
    clientEmail: '',
    clientName: listing.advertiser.name,
    contactName: listing.advertiser.name,
    descriptions: { 'es-ES': listing.description },
    energyCertificateDownload: '',
    externalContactUrl: '',
    extras: [],
    features: { ...counts, conservationState: conservationStatus, energyCertificate: 0, surfaceLand: 0 },
    featuresList: toExtras(listing).map(([, key]) => ({
      label: key,
      literal: `FEATURES.${key.toUpperCase()}`,
      value: 'true',
    })),
    hasMicrosite: listing.advertiser.type === 'agency',
    hasOpenHouse: false,
    highlight: false,
    isTrackedPhone: true,
    location: '',
    multimedia: toPhotos(listing, origin).map(({ src, type }) => ({ src, type })),
    originId: 0,
    otherFeatures: {},
    price: listing.price,
    propertyTypeId: propertyWords[listing.propertyType].id,
    reducedPrice: null,
    reference: buildPublisher(listing).reference,
    showPrice: true,
    subtypeId: subtypes[listing.subtype][1],
  }
}

/** The newer object of the detail page. */
export function toDetailEntityState(listing: SimulatedListing, origin: string) {
  const number = Number(listing.address.slice(listing.address.lastIndexOf(', ') + 2))
  return {
    id: `1_${toListingId(listing.id)}`,
    address: {
      coordinates: { lat: listing.latitude, lng: listing.longitude },
      country: 'España',
      district: listing.neighbourhood,
      isExact: true,
      locality: listing.city,
      municipality: listing.neighbourhood,
      neighborhood: null,
      province: listing.province,
      street: { name: toStreet(listing), type: null, number },
      visibilityMode: 1,
      zipCode: listing.postcode,
    },
    creationDate: listing.publishedAt.toISOString().slice(0, 23),
    description: listing.description,
    energyCertificate: { energyEfficiencyRatingType: listing.energy },
    multimedias: toPhotos(listing, origin).map(({ src, type }, at) => ({
      position: at + 1,
      type,
      url: src,
    })),
    publisher: buildPublisher(listing),
    constructionType: listing.condition === 'new' ? 'newConstruction' : 'secondHand',
    features: Object.entries(buildCounts(listing)).map(([type, value]) => ({
      type: type.toUpperCase(),
      value,
    })),
    price: { amount: listing.price, amountDrop: 0, periodicity: toPeriodicity(listing) },
    transactionTypeId: operationWords[listing.operation].id,
  }
}

/** Fields of both objects. */
function toSharedState(listing: SimulatedListing, asOf: number) {
  const client = clientTypes[listing.advertiser.type]
  return {
    address: {
      country: 'España',
      district: listing.neighbourhood,
      neighborhood: null,
      zipCode: listing.postcode,
      municipality: listing.city,
      province: listing.province,
      city: listing.city,
      cityZone: null,
      upperLevel: listing.neighbourhood,
    },
    buildingSubtype: subtypes[listing.subtype][0],
    buildingType: propertyWords[listing.propertyType].buildingType,
    clientAlias: listing.advertiser.name,
    clientId: buildPublisher(listing).id,
    clientType: client.name,
    clientTypeId: client.id,
    coordinates: { latitude: listing.latitude, longitude: listing.longitude, accuracy: 0 },
    date: formatAge(listing.publishedAt.getTime(), asOf),
    detail: { 'es-ES': toDetailPath(listing) },
    id: toSafeNumber(toListingId(listing.id)),
    isNewConstruction: listing.condition === 'new',
    periodicityId: toPeriodicity(listing),
    phone: listing.advertiser.phone,
    transactionTypeId: operationWords[listing.operation].id,
  }
}

const emptyCounts = {
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

/** The stated counts in the portal's codes, without the rooms of a studio. */
function buildCounts(listing: SimulatedListing): Partial<typeof emptyCounts> {
  const { bathrooms, bedrooms, condition, floor, squareMeters } = listing
  return {
    ...(bathrooms ? { bathrooms } : {}),
    ...(condition === 'good' ? { conservationStatus: 1 + (Number(listing.id.at(-1)) % 3 || 0) } : {}),
    ...(condition === 'to_renovate' ? { conservationStatus: 4 } : {}),
    ...(floor === null ? {} : { floor: toFloorCode(floor) }),
    ...(bedrooms ? { rooms: bedrooms } : {}),
    surface: squareMeters,
  }
}

/** The basement is 1, the ground floor 3, the first floor 6; all above the tenth are 16. */
function toFloorCode(floor: number): number {
  if (floor < 0) return 1
  return floor === 0 ? 3 : Math.min(floor + 5, 16)
}

function toExtras({ features }: SimulatedListing) {
  return extraFeatureNames.filter(([feature]) => features.includes(feature))
}

function toPhotos({ id, photoCount }: SimulatedListing, origin: string) {
  return Array.from({ length: photoCount }, (_, at) => ({
    type: 'image',
    src: origin + toPhotoPath(id, at + 1),
    roomType: roomTypes[at % roomTypes.length]!,
  }))
}

function buildPublisher({ id, advertiser }: SimulatedListing) {
  const { name, phone, type } = advertiser
  return {
    alias: name,
    // An agency has one number for all its listings, like its phone.
    id: 9_202_000_000_000 + (Number(phone.slice(3)) % 1_000_000_000),
    name,
    phone,
    reference: `V${id.slice(-6)}`,
    type: clientTypes[type].name,
  }
}

function toPeriodicity({ operation }: Pick<SimulatedListing, 'operation'>): number {
  return operation === 'rent' ? 3 : 0
}

function formatAge(timestamp: number, asOf: number) {
  const hours = Math.max(Math.floor((asOf - timestamp) / 3_600_000), 0)
  return hours < 24
    ? { diff: hours, unit: 'HOURS', timestamp }
    : { diff: Math.floor(hours / 24), unit: 'DAYS', timestamp }
}

function toSafeNumber(id: string): number | string {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : id
}
