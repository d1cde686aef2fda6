/** The codes of property sheets. */
import type { ErrorCodes } from './error-codes.ts'

/** `warnings[].code` of a property sheet that is no rule of the law. */
export const sheetWarnings: ErrorCodes = {
  LISTING_RESERVED: [
    'The portal showed the listing as reserved when it was read.',
    'Find out whether the property is still available.',
  ],
  PHOTOS_FAILED: ['Some photos of the listing could not be copied.', 'Make the sheet again later.'],
  NO_PHOTOS: ['The sheet shows no photo.', 'Choose photos with PATCH.'],
}

/** `warnings[].code` of a property sheet that lacks what a law requires in advertising. */
export const advertisingWarnings: ErrorCodes = {
  ENERGY_RATING_MISSING: [
    'There is no energy rating, or its certificate is in progress.',
    'Set `energy.rating`; `exempt` if none is required.',
  ],
  ENERGY_CONSUMPTION_MISSING: ['There is no energy performance index.', 'Set `energy.consumptionKwhM2`.'],
  PRICE_MISSING: ['There is no price.', 'Set `property.price`.'],
  PRICE_WITHOUT_TAXES: [
    'The price of a new home does not include taxes.',
    'Set a price with taxes, and `advertising.priceIncludesTaxes`.',
  ],
  PRICE_TAXES_UNSTATED: [
    'Nobody has stated whether the price of a new home includes taxes.',
    'Set `advertising.priceIncludesTaxes`.',
  ],
  USABLE_AREA_MISSING: ['There is no usable area.', 'Set `property.usableSquareMeters`.'],
  BUILT_AREA_MISSING: ['There is no built area.', 'Set `property.squareMeters`.'],
  ROOMS_MISSING: ['There is no number of rooms.', 'Set `property.bedrooms`.'],
  YEAR_BUILT_MISSING: ['The age of the building is unknown.', 'Set `property.yearBuilt`.'],
  LOCATION_MISSING: ['There is neither municipality nor address.', 'Set `property.municipality`.'],
  CONSTRUCTION_STATE_MISSING: [
    'Nobody has stated how far a new building is.',
    'Set `advertising.construction`.',
  ],
  BUILDING_PERMIT_MISSING: [
    'There is no building permit of a new building.',
    'Set `advertising.buildingPermit`.',
  ],
  USE_PERMIT_MISSING: ['There is no permit of use.', 'Set `advertising.usePermit`.'],
  AGENT_LICENCE_MISSING: ['There is no licence or registration number of the agent.', 'Set `agent.licence`.'],
  SHORT_TERM_REGISTRATION_MISSING: [
    'There is no registration number of a short-term rental.',
    'Set `advertising.shortTermRegistration`.',
  ],
  STRESSED_AREA_UNSTATED: [
    'Nobody has stated whether the home is in a stressed area.',
    'Set `advertising.isStressedArea`.',
  ],
  RENT_LIMIT_MISSING: [
    'There is neither the last rent nor the reference rent of a home in a stressed area.',
    'Set `advertising.lastRent` or `advertising.referenceRent`.',
  ],
  LARGE_HOLDER_UNSTATED: [
    'Nobody has stated whether the owner of a home in a stressed area is a large holder.',
    'Set `advertising.isLargeHolder`.',
  ],
}
