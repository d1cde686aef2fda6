/** Rules of Catalonia. */
import {
  all,
  hasAgentLicence,
  isHome,
  isInStressedArea,
  isLongTermRent,
  isNewBuild,
  makesStatement,
  statesLocation,
  statesProperty,
  statesRentLimit,
} from '../predicates.ts'
import { type AdvertisingRule, type Provision, rulesOf } from '../rule.ts'

const catalonia = { country: 'ES', region: 'ES-CT' } as const
const rightToHousing = 'https://www.boe.es/eli/es-ct/l/2007/12/28/18/con'
const consolidatedText = 'Consolidated text of the BOE (BOE-A-2008-3657), a version before 2020.'

const mandatoryMentions: Provision = {
  ...catalonia,
  law: { title: 'Llei 18/2007', article: 'art. 59', url: rightToHousing },
  from: '2008-04-09',
  until: null,
  confirmation: 'text',
  checkedAgainst: consolidatedText,
}

const agentRegister: Provision = {
  ...catalonia,
  law: { title: 'Llei 18/2007 and Decret 12/2010', article: 'arts. 57 and 59.e', url: rightToHousing },
  from: '2010-03-09',
  until: null,
  confirmation: 'text',
  checkedAgainst: consolidatedText,
}

const rentalOffers: Provision = {
  ...catalonia,
  law: { title: 'Llei 18/2007', article: 'art. 61.2', url: rightToHousing },
  from: '2008-04-09',
  until: null,
  confirmation: 'text',
  checkedAgainst: consolidatedText,
}

const rentLimits: Provision = {
  ...catalonia,
  law: {
    title: 'Llei 18/2007, as changed by Llei 11/2020',
    article: 'arts. 59 and 61',
    url: 'https://www.boe.es/eli/es-ct/l/2020/09/18/11/con',
  },
  from: '2020-09-22',
  until: '2025-01-29',
  confirmation: 'secondary',
  checkedAgainst:
    'Press of March 2024: the Tribunal Constitucional (STC 37/2022) left these articles in force.',
}

/** Decret llei 6/2024 had the same duties; the parliament did not ratify it. */
const rentLimitsAgain: Provision = {
  ...catalonia,
  law: {
    title: 'Llei 18/2007, as changed by Decret llei 1/2025',
    article: 'arts. 59.g and 61.2',
    url: 'https://portaljuridic.gencat.cat/eli/es-ct/dl/2025/01/28/1',
  },
  from: '2025-01-30',
  until: null,
  confirmation: 'secondary',
  checkedAgainst:
    'The federation of municipalities (fmc.cat) and two law firms. The changed wording itself was not available.',
}

const rentLimitMessage =
  'In a stressed area, advertising states the rent of the last contract in five years, or the reference index.'
export const cataloniaRules: AdvertisingRule[] = [
  ...rulesOf(mandatoryMentions, [
    {
      code: 'LOCATION_MISSING',
      field: 'property.municipality',
      severity: 'required',
      message: 'Advertising states where the home is.',
      applies: isHome,
      isMet: statesLocation,
    },
    {
      code: 'CONSTRUCTION_STATE_MISSING',
      field: 'advertising.construction',
      severity: 'required',
      message: 'Advertising of a new home states whether it is finished, under construction or planned.',
      applies: all(isHome, isNewBuild),
      isMet: makesStatement('construction'),
    },
    {
      code: 'BUILDING_PERMIT_MISSING',
      field: 'advertising.buildingPermit',
      severity: 'recommended',
      message:
        'If a new home is sold for the first time, advertising states number and expiry of the building permit.',
      applies: all(isHome, isNewBuild),
      isMet: makesStatement('buildingPermit'),
    },
    {
      code: 'USABLE_AREA_MISSING',
      field: 'property.usableSquareMeters',
      severity: 'required',
      message: 'Advertising of a new home states the usable and the built area.',
      applies: all(isHome, isNewBuild),
      isMet: statesProperty('usableSquareMeters'),
    },
    {
      code: 'BUILT_AREA_MISSING',
      field: 'property.squareMeters',
      severity: 'required',
      message: 'Advertising of a new home states the usable and the built area.',
      applies: all(isHome, isNewBuild),
      isMet: statesProperty('squareMeters'),
    },
  ]),
  ...rulesOf(agentRegister, [
    {
      code: 'AGENT_LICENCE_MISSING',
      field: 'agent.licence',
      severity: 'required',
      message: "Advertising states the agent's number in the register of agents (AICAT).",
      applies: isHome,
      isMet: hasAgentLicence,
    },
  ]),
  ...rulesOf(rentalOffers, [
    {
      code: 'USABLE_AREA_MISSING',
      field: 'property.usableSquareMeters',
      severity: 'required',
      message: 'The offer of a rental home states the usable area (superfície útil).',
      applies: all(isHome, isLongTermRent),
      isMet: statesProperty('usableSquareMeters'),
    },
    {
      code: 'PRICE_MISSING',
      field: 'property.price',
      severity: 'required',
      message: 'The offer of a rental home states the total rent.',
      applies: all(isHome, isLongTermRent),
      isMet: statesProperty('price'),
    },
  ]),
  ...rulesOf(rentLimits, [
    {
      code: 'RENT_LIMIT_MISSING',
      field: 'advertising.referenceRent',
      severity: 'required',
      message: rentLimitMessage,
      applies: all(isHome, isLongTermRent, isInStressedArea),
      isMet: statesRentLimit,
    },
  ]),
  ...rulesOf(rentLimitsAgain, [
    {
      code: 'STRESSED_AREA_UNSTATED',
      field: 'advertising.isStressedArea',
      severity: 'recommended',
      message: 'State whether the home is in a stressed area: most municipalities around Barcelona are.',
      applies: all(isHome, isLongTermRent),
      isMet: makesStatement('isStressedArea'),
    },
    {
      code: 'RENT_LIMIT_MISSING',
      field: 'advertising.referenceRent',
      severity: 'required',
      message: rentLimitMessage,
      applies: all(isHome, isLongTermRent, isInStressedArea),
      isMet: statesRentLimit,
    },
    {
      code: 'LARGE_HOLDER_UNSTATED',
      field: 'advertising.isLargeHolder',
      severity: 'required',
      message: 'In a stressed area, the offer of a rental home states whether the owner is a large holder.',
      applies: all(isHome, isLongTermRent, isInStressedArea),
      isMet: makesStatement('isLargeHolder'),
    },
  ]),
]
