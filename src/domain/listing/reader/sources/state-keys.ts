/** The keys under which portals embed the values of a listing, and the branches that describe something else. */

import { keyWords, type StateKind } from './state-key-words.ts'

export const kindByKey = new Map<string, StateKind>()
for (const [kind, words] of Object.entries(keyWords))
  for (const word of words.split(/\s+/)) {
    if (word !== '' && !kindByKey.has(word)) kindByKey.set(word, kind as StateKind)
  }

/** Kinds of keys that mean the advertiser only below a key of the advertiser. */
export const advertiserKinds: Record<string, StateKind> = {
  name: 'advertiserName',
  displayname: 'advertiserName',
  title: 'advertiserName',
  fullname: 'advertiserName',
  tradingname: 'advertiserName',
  organisation: 'advertiserName',
  organization: 'advertiserName',
  legalname: 'advertiserName',
  international: 'phone',
  type: 'advertiserType',
}

const advertiserKey =
  /^(?:(?:listing|estate|real|property|contact|main|primary|ad)*(?:agents?|agency|agencies|advertiser|publisher|owner|seller|broker|realtor|customers?|vendor|lister|anunciante|immobiliare|anbieter|provider|contactinfo|contact|contacts|contactdetails|contactpersons?|professional|company|office|branch|organization|organisation|dealer|client|user|usr|account|consultant|contactdata|sellerinfo|agentinfo|estateagent|agencydetails|supplier|host|attributioninfo|advertisers))$/

const foreignKey =
  /currenc(?:ies|yrates?|ylist|yoptions)|exchangerate|converter|instal+ment|financ|simulator|similar|related|recommend|nearby|near(?:est|by)|others?listing|otherpropert|moreprop|moreads|school|^pois?$|pointsofinterest|transport|station|mortgage|loan|calculator|comparable|history|previous|sold|estimate|breadcrumb|menu|footer|header|navigation|translation|i18n|messages|dictionary|labels$|locale|experiment|featureflag|toggles|suggest|favou?rite|faq|review|testimonial|searchparams|search(?:criteria|filters?|results?)|filters?$|facets|aggregation|savedsearch|recentsearch|adslots?|^ads?$|banner|advertis(?:ing|ement)s?$|sponsor|sitelinks|links$|seo|trends?|statistics|paidservices|promotions?$|packages?$|priceregister|pricechanges|marketdata|priceguide|demograph|valuation|avm|broadband|insurance|commute|openinghours|openhours|blog|news|articles|legal|cookie|consent|captcha|^queue$|routes?$|router|theme|styles?$|icons?$|logos?$|avatar|profile|userstate|currentuser|^me$|session|auth|permissions|subscriptions|newsletter|survey|crosssell|upsell|highlightedlistings|latestlistings|alsoviewed|viewed|listings$|properties$|^ads$|results$|hits$|units$|nextlisting|prevlisting|portal(?:info)?$|site(?:info|config)?$|config(?:uration)?$|^env$|settings$|floorplans?$|stampduty|fees?$|charges?$|tax(?:es)?$|homevalues|neighborhoodprices|floorplanimages|virtualtour|videos?$|taxhistory|pricehistory|rentzestimate|zestimate|forsalelistings/

const genericKey =
  /^(?:value|values|amount|text|label|display|displayvalue|formatted|formattedvalue|raw|content|main|primary|unit|short|long|localized|en|es|de|fr|it|pt|nl|pl|default|code|id|key|translated|translatedname|fullname|longname|shortname|displaytext|rendered)$/

export function normalizeKey(key: string): string {
  return key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

const prefixes =
  /^(?:display|property|listing|main|estate|object|unit|advert|ad|home|realestate|numberof|numberof|nb|num|total|geo|map|public|exact|no|hid|gps|coord)(?=.{3})/
const suffixes =
  /(?<=.{3})(?:normalized|formatted|text|value|raw|display|name|label|string|info|count|number|num|localized|inwords|eur|main)$/
/** Longer keys are no words. */
const keyMax = 40
const kindsCache = new Map<string, StateKind | null>()
const cacheMax = 20_000

/** The kind of a normalized key. Prefixes and suffixes that portals add to a word are ignored. */
export function findKind(key: string): StateKind | null {
  if (key.length > keyMax) return null
  const known = kindsCache.get(key)
  if (known !== undefined) return known
  const found =
    kindByKey.get(key) ??
    kindByKey.get(key.replace(prefixes, '')) ??
    kindByKey.get(key.replace(suffixes, '')) ??
    kindByKey.get(key.replace(prefixes, '').replace(suffixes, '')) ??
    null
  // The storeys of a building are not the floor of a dwelling.
  const kind = found === 'floor' && /count|total|floors|^(?:numberof|nb|num)/.test(key) ? null : found
  if (kindsCache.size >= cacheMax) kindsCache.clear()
  kindsCache.set(key, kind)
  return kind
}

export function isAdvertiserKey(key: string): boolean {
  return advertiserKey.test(key)
}

const advertiserPrefix =
  /^(?:agent|agency|office|shop|broker|brokerage|seller|advertiser|contact|publisher|company|owner|realtor|branch|customer)(?=.{3})/

/** The kind of a key such as `shopPhoneNumber` or `agencyAddress`: the advertiser's own, or null. */
export function findAdvertiserKind(key: string): StateKind | 'other' | null {
  if (!advertiserPrefix.test(key) || kindByKey.has(key)) return null
  const bare = key.replace(advertiserPrefix, '')
  const kind = advertiserKinds[bare] ?? findKind(bare)
  return kind === 'phone' || kind === 'advertiserName' || kind === 'advertiserType' ? kind : 'other'
}

/** True for branches about other listings, places nearby, the portal or the reader of the page. */
export function isForeignKey(key: string): boolean {
  // Longer keys are requests or messages.
  return key.length <= keyMax && foreignKey.test(key)
}

const hardForeignKey =
  /seo|^share|breadcrumb|^meta(?:data|tags)?$|social|searchparams|headinfo|headtags|^hreflang|alternate/

/** True for texts for search engines and for sharing, also those about this page. */
export function isMetaKey(key: string): boolean {
  return key.length <= keyMax && hardForeignKey.test(key)
}

const trackingKey =
  /track|analytics|datalayer|utag|gtm|targeting|bidder|prebid|dfp|doubleclick|adserver|adkeyvalues|digitaldata|avitems|ecommerce|pixel|metrics|gptconfig|zad/

/** True for data of counters and advertising: it often has slugs, classes of prices, and codes. */
export function isTrackingKey(key: string): boolean {
  return trackingKey.test(key)
}

const roomKey =
  /^(?:bedrooms?|kitchen|terraces?|garden|balcon(?:y|ies)|livingroom|diningroom|laundryroom|garages?|parking|cellar|basement|attic|office|bathrooms?|showerrooms?|toilets?|rooms?|storage|constructionpermit|building)$/

/** True for parts of a dwelling, which have areas of their own. */
export function isRoomKey(key: string): boolean {
  return roomKey.test(key)
}

/** True for keys that mean nothing without the key above them. */
export function isGenericKey(key: string): boolean {
  return genericKey.test(key)
}

/** Keys that many objects have: they count only beside keys that are typical of a listing. */
export const commonKeys = new Set(
  `type tipo name title titulo titel number nr state status area level location zone zona body text amount mode category section channel contract
  position center centre region created h1 subject image media assets contact period frequency land condition size
  description desc country code user professional level town point address comments photo images photos published address1 features highlights
  currency m2 street route via calle ref reference epc land plot room bed bath floor phone bullets extras`.split(
    /\s+/,
  ),
)
/** Kinds that hardly any other object than a listing has. */
export const strongKinds = new Set<StateKind>([
  'price',
  'area',
  'areaFeet',
  'rooms',
  'bedrooms',
  'bathrooms',
  'postcode',
  'municipality',
  'latitude',
  'year',
  'plotArea',
  'usableArea',
  'description',
  'operation',
  'neighbourhood',
  'province',
  'publishedAt',
])
