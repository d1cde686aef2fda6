/** Rules of Italy. */
import {
  all,
  hasEnergyRating,
  isEnergyExempt,
  isHome,
  isNewBuild,
  isSale,
  isShortTermRent,
  makesStatement,
  needsEnergyRating,
  statesProperty,
} from '../predicates.ts'
import { type AdvertisingRule, type Provision, rulesOf } from '../rule.ts'

const italy = { country: 'IT', region: null, until: null } as const
const normattiva = 'https://www.normattiva.it/uri-res/N2Ls?urn:nir:stato:'

/** Not for homes that are used less than four months a year: the agent declares them exempt. */
const energyCertificates: Provision = {
  ...italy,
  law: {
    title: 'Decreto legislativo 192/2005',
    article: 'art. 6, comma 8',
    url: `${normattiva}decreto.legislativo:2005-08-19;192`,
  },
  from: '2013-08-04',
  confirmation: 'secondary',
  checkedAgainst:
    'The region Friuli-Venezia Giulia and the association of agents FIMAA, which both quote it.',
}

const shortTermRentals: Provision = {
  ...italy,
  law: {
    title: 'Decreto-legge 145/2023',
    article: 'art. 13-ter',
    url: `${normattiva}decreto.legge:2023-10-18;145`,
  },
  from: '2025-01-01',
  confirmation: 'secondary',
  checkedAgainst: 'Federalberghi and tax advisers. It also binds agents. The text was not available.',
}

const consumerCode: Provision = {
  ...italy,
  law: {
    title: 'Codice del consumo',
    article: 'art. 22, comma 4',
    url: `${normattiva}decreto.legislativo:2005-09-06;206`,
  },
  from: '2007-09-21',
  confirmation: 'text',
  checkedAgainst: 'Text of the Gazzetta Ufficiale.',
}

export const italyRules: AdvertisingRule[] = [
  ...rulesOf(energyCertificates, [
    {
      code: 'ENERGY_RATING_MISSING',
      field: 'energy.rating',
      severity: 'required',
      message: 'Every advertisement states the energy class. A certificate in progress is not enough.',
      applies: needsEnergyRating,
      isMet: hasEnergyRating,
    },
    {
      code: 'ENERGY_CONSUMPTION_MISSING',
      field: 'energy.consumptionKwhM2',
      severity: 'required',
      message: 'Every advertisement states the global energy performance index (EPgl, kWh/m² a year).',
      applies: advertised => needsEnergyRating(advertised) && !isEnergyExempt(advertised),
      isMet: ({ energy }) => (energy?.consumptionKwhM2 ?? null) !== null,
    },
  ]),
  ...rulesOf(shortTermRentals, [
    {
      code: 'SHORT_TERM_REGISTRATION_MISSING',
      field: 'advertising.shortTermRegistration',
      severity: 'required',
      message: 'Every advertisement of a short-term rental states the national identification code (CIN).',
      applies: all(isHome, isShortTermRent),
      isMet: makesStatement('shortTermRegistration'),
    },
  ]),
  ...rulesOf(consumerCode, [
    {
      code: 'PRICE_MISSING',
      field: 'property.price',
      severity: 'recommended',
      message: 'An invitation to purchase states the price with taxes.',
      applies: isHome,
      isMet: statesProperty('price'),
    },
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
      message: 'The price of a new home includes VAT (IVA), if it is due. Confirm that it does.',
      applies: all(isHome, isSale, isNewBuild, statesProperty('price')),
      isMet: makesStatement('priceIncludesTaxes'),
    },
  ]),
]
