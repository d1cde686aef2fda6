/** Rules of Portugal. */
import {
  all,
  hasAgentLicence,
  hasEnergyRating,
  isHome,
  isLongTermRent,
  isNewBuild,
  isSale,
  isShortTermRent,
  makesStatement,
  needsEnergyRating,
  statesProperty,
} from '../predicates.ts'
import { type AdvertisingRule, type Provision, rulesOf } from '../rule.ts'

const portugal = { country: 'PT', region: null, until: null } as const

const energyCertificates: Provision = {
  ...portugal,
  law: {
    title: 'Decreto-Lei 101-D/2020',
    article: 'arts. 22.3, 32 and 33',
    url: 'https://data.dre.pt/eli/dec-lei/101-D/2020/12/07/p/dre/pt/html',
  },
  from: '2021-07-01',
  confirmation: 'text',
  checkedAgainst: 'Text of the Diário da República, and the notice of ADENE (sce.pt).',
}

const agents: Provision = {
  ...portugal,
  law: {
    title: 'Lei 15/2013',
    article: 'art. 13',
    url: 'https://data.dre.pt/eli/lei/15/2013/02/08/p/dre/pt/html',
  },
  from: '2013-03-01',
  confirmation: 'secondary',
  checkedAgainst:
    'The bill of 2012 in the journal of parliament. Neither the published law nor its first day was available.',
}

const rentals: Provision = {
  ...portugal,
  law: {
    title: 'Decreto-Lei 89/2021',
    article: null,
    url: 'https://data.dre.pt/eli/dec-lei/89/2021/11/03/p/dre/pt/html',
  },
  from: '2021-11-04',
  confirmation: 'secondary',
  checkedAgainst: 'Jornal de Notícias, Vida Imobiliária and a law firm quote it. The article is not known.',
}

const newHomes: Provision = {
  ...portugal,
  law: {
    title: 'Decreto-Lei 68/2004',
    article: null,
    url: 'https://data.dre.pt/eli/dec-lei/68/2004/03/25/p/dre/pt/html',
  },
  from: '2004-08-16',
  confirmation: 'secondary',
  checkedAgainst:
    'DECO PROteste lists the duties. Article, first day, and what Decreto-Lei 10/2024 left of it were not found.',
}

const localAccommodation: Provision = {
  ...portugal,
  law: {
    title: 'Decreto-Lei 128/2014',
    article: 'art. 17.2',
    url: 'https://data.dre.pt/eli/dec-lei/128/2014/08/29/p/dre/pt/html',
  },
  from: '2014-11-27',
  confirmation: 'text',
  checkedAgainst:
    'The decree of 2018 that republished it, in the journal of parliament; not the changes after 2018.',
}

export const portugalRules: AdvertisingRule[] = [
  ...rulesOf(energyCertificates, [
    {
      code: 'ENERGY_RATING_MISSING',
      field: 'energy.rating',
      severity: 'required',
      message: 'Every advertisement states the energy class. A certificate in progress is not enough.',
      applies: needsEnergyRating,
      isMet: hasEnergyRating,
    },
  ]),
  ...rulesOf(agents, [
    {
      code: 'AGENT_LICENCE_MISSING',
      field: 'agent.licence',
      severity: 'required',
      message: "Advertising states the agency's licence number (AMI).",
      applies: () => true,
      isMet: hasAgentLicence,
    },
  ]),
  ...rulesOf(rentals, [
    {
      code: 'USE_PERMIT_MISSING',
      field: 'advertising.usePermit',
      severity: 'required',
      message:
        'Advertising of a rental home states the number of the permit of use (licença ou autorização de utilização).',
      applies: all(isHome, isLongTermRent),
      isMet: makesStatement('usePermit'),
    },
    {
      code: 'USABLE_AREA_MISSING',
      field: 'property.usableSquareMeters',
      severity: 'required',
      message: 'Advertising of a rental home states the usable area (área útil).',
      applies: all(isHome, isLongTermRent),
      isMet: statesProperty('usableSquareMeters'),
    },
    {
      code: 'ROOMS_MISSING',
      field: 'property.bedrooms',
      severity: 'required',
      message: 'Advertising of a rental home states the typology (T0, T1, T2, …).',
      applies: all(isHome, isLongTermRent),
      isMet: ({ property }) =>
        property.bedrooms !== null || (property.rooms ?? 0) > 0 || property.subtype === 'studio',
    },
  ]),
  ...rulesOf(newHomes, [
    {
      code: 'USABLE_AREA_MISSING',
      field: 'property.usableSquareMeters',
      severity: 'recommended',
      message: 'Advertising of a home for sale states the usable area (área útil).',
      applies: all(isHome, isSale),
      isMet: statesProperty('usableSquareMeters'),
    },
    {
      code: 'CONSTRUCTION_STATE_MISSING',
      field: 'advertising.construction',
      severity: 'recommended',
      message: 'Advertising of a new home states the phase of construction.',
      applies: all(isHome, isSale, isNewBuild),
      isMet: makesStatement('construction'),
    },
  ]),
  ...rulesOf(localAccommodation, [
    {
      code: 'SHORT_TERM_REGISTRATION_MISSING',
      field: 'advertising.shortTermRegistration',
      severity: 'required',
      message: 'Advertising of local accommodation (alojamento local) states the registration number.',
      applies: all(isHome, isShortTermRent),
      isMet: makesStatement('shortTermRegistration'),
    },
  ]),
]
