/** National rules of Spain. */
import {
  all,
  hasEnergyRating,
  isHome,
  isInStressedArea,
  isLongTermRent,
  isNewBuild,
  isSale,
  isShortTermRent,
  makesStatement,
  needsEnergyRating,
  statesLocation,
  statesProperty,
  statesRentLimit,
} from '../predicates.ts'
import { type AdvertisingRule, type Provision, rulesOf } from '../rule.ts'

const spain = { country: 'ES', region: null, until: null } as const

const energyCertificates: Provision = {
  ...spain,
  law: {
    title: 'Real Decreto 390/2021',
    article: 'arts. 15.2 and 17.3',
    url: 'https://www.boe.es/eli/es/rd/2021/06/01/390/con',
  },
  from: '2021-06-03',
  confirmation: 'text',
  checkedAgainst: 'Consolidated text of the BOE (BOE-A-2021-9176), with the changes of 23 July 2026.',
}

/** Additional provision 2: it applies where a region has no rules of its own. */
const consumerInformation: Provision = {
  ...spain,
  law: {
    title: 'Real Decreto 515/1989',
    article: 'arts. 2, 4 and 8',
    url: 'https://www.boe.es/eli/es/rd/1989/04/21/515',
  },
  from: '1989-11-17',
  confirmation: 'text',
  checkedAgainst: 'Text of the BOE (BOE-A-1989-11181).',
}

const consumerPrices: Provision = {
  ...spain,
  law: {
    title: 'Real Decreto Legislativo 1/2007',
    article: 'art. 20.1.c',
    url: 'https://www.boe.es/eli/es/rdlg/2007/11/16/1/con',
  },
  from: '2010-01-01',
  confirmation: 'text',
  checkedAgainst: 'Ley 29/2009, which wrote the article, in the database of directive 2005/29/EC.',
}

const beforeDeposit: Provision = {
  ...spain,
  law: {
    title: 'Ley 12/2023',
    article: 'arts. 30 and 31',
    url: 'https://www.boe.es/eli/es/l/2023/05/24/12/con',
  },
  from: '2023-05-26',
  confirmation: 'text',
  checkedAgainst: 'Consolidated text of the BOE (BOE-A-2023-12203).',
}

/** It binds platforms and hosts, not a sheet that is sent to a person. */
const shortTermRentals: Provision = {
  ...spain,
  law: {
    title: 'Real Decreto 1312/2024',
    article: 'arts. 5, 6.b and 10.6',
    url: 'https://www.boe.es/eli/es/rd/2024/12/23/1312',
  },
  from: '2025-07-01',
  confirmation: 'text',
  checkedAgainst:
    'Text of the BOE (BOE-A-2024-26931). It is contested before the Tribunal Supremo; no judgment was found.',
}

export const spainRules: AdvertisingRule[] = [
  ...rulesOf(energyCertificates, [
    {
      code: 'ENERGY_RATING_MISSING',
      field: 'energy.rating',
      severity: 'required',
      message:
        'Every offer and advertisement includes the energy rating. A certificate in progress is not enough.',
      applies: needsEnergyRating,
      isMet: hasEnergyRating,
    },
  ]),
  ...rulesOf(consumerInformation, [
    {
      code: 'PRICE_MISSING',
      field: 'property.price',
      severity: 'recommended',
      message: 'Brochures and similar documents state the total price or rent.',
      applies: isHome,
      isMet: statesProperty('price'),
    },
    {
      code: 'USABLE_AREA_MISSING',
      field: 'property.usableSquareMeters',
      severity: 'recommended',
      message: 'Brochures and similar documents state the usable area (superficie útil).',
      applies: isHome,
      isMet: statesProperty('usableSquareMeters'),
    },
    {
      code: 'LOCATION_MISSING',
      field: 'property.municipality',
      severity: 'recommended',
      message: 'Brochures and similar documents state where the home is.',
      applies: isHome,
      isMet: statesLocation,
    },
    {
      code: 'CONSTRUCTION_STATE_MISSING',
      field: 'advertising.construction',
      severity: 'recommended',
      message: 'Advertising states whether the building is finished or under construction.',
      applies: all(isHome, isNewBuild),
      isMet: makesStatement('construction'),
    },
  ]),
  ...rulesOf(consumerPrices, [
    {
      code: 'PRICE_WITHOUT_TAXES',
      field: 'advertising.priceIncludesTaxes',
      severity: 'required',
      message: 'An advertised price is the complete price, with taxes.',
      applies: all(isHome, isSale, isNewBuild, statesProperty('price')),
      isMet: ({ advertising }) => advertising.priceIncludesTaxes !== false,
    },
    {
      code: 'PRICE_TAXES_UNSTATED',
      field: 'advertising.priceIncludesTaxes',
      severity: 'recommended',
      message: 'The price of a new home includes VAT (IVA). Confirm that it does.',
      applies: all(isHome, isSale, isNewBuild, statesProperty('price')),
      isMet: makesStatement('priceIncludesTaxes'),
    },
  ]),
  ...rulesOf(beforeDeposit, [
    {
      code: 'YEAR_BUILT_MISSING',
      field: 'property.yearBuilt',
      severity: 'recommended',
      message: 'Before any payment, the interested person may demand the age of the building.',
      applies: isHome,
      isMet: statesProperty('yearBuilt'),
    },
    {
      code: 'BUILT_AREA_MISSING',
      field: 'property.squareMeters',
      severity: 'recommended',
      message: 'Before any payment, the interested person may demand the usable and the built area.',
      applies: isHome,
      isMet: statesProperty('squareMeters'),
    },
    {
      code: 'RENT_LIMIT_MISSING',
      field: 'advertising.referenceRent',
      severity: 'recommended',
      message:
        'In a stressed area, the agent states the last rent of the past five years and the reference index before the contract.',
      applies: all(isHome, isLongTermRent, isInStressedArea),
      isMet: statesRentLimit,
    },
  ]),
  ...rulesOf(shortTermRentals, [
    {
      code: 'SHORT_TERM_REGISTRATION_MISSING',
      field: 'advertising.shortTermRegistration',
      severity: 'recommended',
      message:
        'Online platforms show the registration number of a short-term rental; regional laws on tourism may require one everywhere.',
      applies: all(isHome, isShortTermRent),
      isMet: makesStatement('shortTermRegistration'),
    },
  ]),
]
