/** The texts of reports in English. */
import type { ReportWords } from '../words.ts'

export const en: ReportWords = {
  title: { sale: 'Indicative price estimate', rent: 'Indicative rent estimate' },
  disclaimer: 'For guidance only: this is not an official appraisal.',
  section: {
    summary: 'Summary',
    map: 'Where the comparables are',
    comparables: 'Comparable properties',
    adjustments: 'The calculation, step by step',
    distribution: 'Prices per m² in the area',
    trend: 'Price per m² over time',
    method: 'How it was worked out',
  },
  estimated: {
    asking: { sale: 'Estimated asking price', rent: 'Estimated asking rent' },
    closed: { sale: 'Estimated sale price', rent: 'Estimated rent' },
  },
  thePrice: {
    asking: { sale: 'the asking price', rent: 'the asking rent' },
    closed: { sale: 'the sale price', rent: 'the agreed rent' },
  },
  price: {
    asking: { sale: 'Asking price', rent: 'Asking rent' },
    closed: { sale: 'Sale price', rent: 'Agreed rent' },
  },
  basis: {
    asking: {
      sale: 'Based on asking prices of listings, not on sale prices.',
      rent: 'Based on monthly asking rents of listings, not on signed leases.',
    },
    closed: {
      sale: 'Based on prices of completed sales.',
      rent: 'Based on monthly rents of signed leases.',
    },
  },
  oldPrices: (newest, month, median) =>
    `The newest of the prices used is ${newest} old (${month}), and half of them are at least ${median} old: the market may have moved since.`,
  widerForAge: 'The range is therefore wider.',
  range: coverage => `Likely range (${coverage})`,
  pricePerSquareMeter: 'Price per m²',
  confidence: 'Confidence',
  confidenceLevel: { high: 'High', medium: 'Medium', low: 'Low' },
  valuedOn: 'Date of valuation',
  issuedOn: 'Date of issue',
  thisProperty: 'This property',
  column: {
    seen: { asking: 'Seen', closed: 'Closed' },
    distance: 'Distance',
    area: 'Floor area',
    characteristics: 'Characteristics',
    adjustedPrice: 'Adjusted price',
    weight: 'Weight',
    share: 'Adjusted price × weight',
  },
  factor: {
    time: 'Date',
    place: 'Location',
    size: 'Floor area',
    plot: 'Plot',
    bedrooms: 'Bedrooms',
    bathrooms: 'Bathrooms',
    condition: 'Condition',
    floor: 'Floor',
    lift: 'Lift',
    amenities: 'Features',
    yearBuilt: 'Year built',
    subtype: 'Kind',
    unexplained: 'Other causes',
  },
  adjustmentsIntro:
    'Each price is raised or lowered for what that comparable has less or more than this property. Below each amount, in grey, is what is known of the comparable. The adjusted price, multiplied by its weight, is what it contributes to the estimate.',
  unexplainedIntro:
    '“Other causes” is the part of a comparable’s price that the known facts do not explain (light, noise, a hurry to sell): only some of it is passed on to this property. The percentage below is the share of the price that it was.',
  sum: 'Sum',
  rounded: 'Estimate, rounded',
  scaleCaption:
    'The bar is the range, the line the estimate. Each circle is the adjusted price of a comparable, with its number.',
  mapCaption:
    'The house marks this property. Each circle is a comparable, with its number in the table; the larger it is, the more it weighs in the estimate. North is up, distances are to scale.',
  mapBeyond: 'Comparables with an arrow lie beyond the map, in that direction and at the distance stated.',
  count: { asking: 'Number of listings', closed: 'Number of deals' },
  distributionCaption: {
    asking: 'How many listings in the area ask each price per m².',
    closed: 'How many deals in the area were closed at each price per m².',
  },
  beyondAxis: count => `Beyond the axis: ${count}.`,
  trendCaption: {
    asking: 'Each dot is a listing; the line joins the medians of the months.',
    closed: 'Each dot is a deal; the line joins the medians of the months.',
  },
  tooFewMonths: 'The data of this area cover fewer than three months: too few to show a trend.',
  noPrices: 'There are no prices of this area to show.',

  method: {
    how: 'Similar properties are sought nearby. The price of each is adjusted for what sets it apart from this property: date, location, floor area and other characteristics. The estimate is the average of these adjusted prices, in which the most similar properties weigh most.',
    counts: (used, considered) =>
      `${considered} properties were considered, of which ${used} ${used === 1 ? 'is' : 'are'} used in the estimate.`,
    chosen: 'The comparables used were chosen by the person who ordered the valuation.',
    leftOut: 'Left out',
    exclusion: {
      excluded_by_request: 'Ruled out by the person who ordered the valuation',
      not_chosen: 'Not chosen by the person who ordered the valuation',
      less_similar: 'Less similar than those used',
      same_property: 'This same property',
      implausible_price: 'With an implausible price',
    },
    range: (coverage, price, low, high) =>
      `The range means that, in ${coverage} of cases like this one, ${price} lies between ${low} and ${high}. It is wider where there are few comparables, or less similar ones.`,
    currency: 'Currency',
    deviation: 'Forecast standard deviation',
    adjustments: 'Adjustments',
    calibrated: date => `calibrated to this market on ${date}`,
    uncalibrated: 'default values, not yet calibrated to this market',
  },
}
