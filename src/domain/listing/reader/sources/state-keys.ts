/** The keys under which portals embed the values of a listing, and the branches that describe something else. */

/** What a key states. `point` is a pair of coordinates; `street` and `number` are parts of the address. */
export type StateKind =
  | 'title'
  | 'description'
  | 'operation'
  | 'type'
  | 'price'
  | 'currency'
  | 'period'
  | 'priceMin'
  | 'priceMax'
  | 'area'
  | 'areaFeet'
  | 'usableArea'
  | 'plotArea'
  | 'plotFeet'
  | 'plotAcres'
  | 'rooms'
  | 'bedrooms'
  | 'bathrooms'
  | 'floor'
  | 'year'
  | 'condition'
  | 'energy'
  | 'emissions'
  | 'consumption'
  | 'emissionsAmount'
  | 'features'
  | 'address'
  | 'street'
  | 'number'
  | 'neighbourhood'
  | 'municipality'
  | 'province'
  | 'postcode'
  | 'country'
  | 'latitude'
  | 'longitude'
  | 'point'
  | 'images'
  | 'advertiserName'
  | 'phone'
  | 'advertiserType'
  | 'status'
  | 'reference'
  | 'publishedAt'
  | 'updatedAt'

const keyWords: Record<StateKind, string> = {
  title:
    'title name headline adtitle listingtitle propertytitle titulo titre titel subject h1 displayname pagetitle',
  description: `description desc longdescription fulldescription descriptiontext htmldescription listingdescription propertydescription
    descripcion descricao descrizione descriptif beschreibung omschrijving opis body adtext publicremarks remarks detaileddescription
    descriptionhtml descriptionfull textdescription comments`,
  operation: `operation operationtype transaction transactiontype listingtype offertype dealtype saletype businesstype purpose
    tipooperacion operacion contracttype distributiontype marketingtype channel category section saleorrent mode
    businessfunction transactiontypeid typetransaction adtype listingcategory operationtypename contract vermarktungsart`,
  type: `propertytype type subtype propertysubtype category typology typologytype estatetype realestatetype hometype housetype
    buildingtype categoryname tipoinmueble tipo typebien objecttype unittype propertytypename typologyname housingtype
    propertytypefulldescription propertytypes structuretype styletype`,
  price: `mainvalue salesprice price pricevalue priceamount askingprice listprice listingprice saleprice rentprice displayprice mainprice
    currentprice pricetext priceformatted formattedprice precio prix preis preco prezzo prijs cena baserent coldrent
    kaltmiete kaufpreis loyer monthlyrent rent rentamount rentalprice finalprice totalprice priceraw amount advertisedprice
    listpricevalue primaryprice nettorent netrent rentalinformationrent purchaseprice exactprice unformattedprice`,
  currency: 'currency currencycode pricecurrency moneda devise currencyid currencyiso waehrung',
  period: `period priceperiod pricefrequency rentfrequency frequency paymentperiod rentperiod priceunit periodicity
    paymentfrequency rentalperiod`,
  priceMin: 'pricemin minprice pricefrom fromprice minimumprice',
  priceMax: 'pricemax maxprice priceto toprice maximumprice',
  area: `square mts2 minimumsize maximumsize minsize maxsize overallspace livingsurface area squaremeters surface livingarea floorarea size builtarea constructedarea livingspace areasqm sizesqm surfacearea
    floorsize netarea netsurface usefularea totalarea propertysize internalarea habitablesurface nethabitablesurface m2 sqm
    livingsurface wohnflaeche superficie superficieconstruida superficietotal surfacehabitable squaremetre squaremeter metros
    propertyarea areabuilt constructedsurface areainsquaremeters livingareavalue builtsurface totalsurface homesize areatotal
    usableareas woonoppervlakte surfacem2 floorspace covered coveredarea interiorsize`,
  areaFeet: `squarefeet sqft areasqft sizesqft livingareasqft floorareasqft sizesqfeet buildingsqft livingsquarefeet squarefootage
    sizesqfeetmax minimumareasqft interiorsqft`,
  usableArea: 'usablearea usefularea usablesurface superficieutil utilarea areautil netusablearea',
  plotArea: `plotspace surfaceland groundsurface erfsize plotarea landarea plotsize lotsize landsize land plot plotsurface landsurface plotspace grundstuecksflaeche terrain
    superficieparcela lotarea lotsizevalue sitearea areaplot areaterrain  plotsquaremeters landsurfacearea`,
  plotFeet: 'lotsqft landsqft plotsqft lotsizesqft lotsquarefeet',
  plotAcres: 'lotacres acres landacres lotsizeacres',
  rooms: `rooms roomcount numberofrooms roomscount roomsnumber numrooms nbpieces pieces zimmer anzahlzimmer ambientes locali
    roomsquantity totalrooms nbrooms zimmeranzahl roomsno numberrooms`,
  bedrooms: `bedrooms bedroomcount numberofbedrooms bedroomscount beds numbedrooms nbbedrooms dormitorios habitaciones quartos
    chambres schlafzimmer bedroom bedroomsnumber nbchambres  bedroomsquantity totalbedrooms numberbedrooms bed
    bedroomsnum numbeds numberofbeds camere slaapkamers bedroomtotal`,
  bathrooms: `bathscount fullbathrooms bathrooms bathroomcount numberofbathrooms bathroomscount baths numbathrooms nbbathrooms banos banheiros bathroom
    bathroomsnumber badezimmer sallesdebain bathroomtotal bathroomstotalinteger totalbathrooms numberbathrooms bath bathroomsfloat
    bathroomsquantity numbaths numberofbathroomstotal badkamers numberofbathroomsinunit`,
  floor:
    'floor floornumber floorlevel planta etage andar piano floortext floorname level numberoffloor floorno pietro etagenummer',
  year: `yearbuilt constructionyear buildingyear builtyear buildyear yearofconstruction baujahr anneeconstruction anoconstruccion
    yearofbuild builtin buildingconstructionyear anoconstrucao`,
  condition:
    'condition propertycondition conservation conservationstatus conservationstate conditiontype  zustand buildingcondition objectcondition',
  energy: `energyclass energyrating energyclassification energyefficiency energylabel epcrating epc ber berrating dpe energyletter
    energycertificaterating efficiencyclass energyefficiencyclass epcscore energyconsumptioncategory energeticclass
    energycertificate currentenergyrating classeenergie dpeletter energycertificatelabel`,
  emissions:
    'emissionsrating emissionrating co2class ges emissionclass emissionsclass greenhouseclass gesletter emissions',
  consumption: `energyconsumption energyconsumptionvalue primaryenergyconsumption primaryenergyconsumptionpersqm energydemand
    energydemandvalue energyconsumptionpersqm epi energyperformanceindicator consommationenergie endenergiebedarf
    energiebedarf energieverbrauch energieverbrauchskennwert endenergieverbrauch energieverbrauchwert energyperformancevalue dpevalue
    energyconsumptionkwh consumoenergetico energyvalue epcvalue bervalue energyefficiencyvalue energyratingvalue
    kwhm2 kwhpersqm`,
  emissionsAmount: `co2emissions co2emission co2emissionspersqm emissionsvalue emissionvalue gesvalue carbonemissions
    co2value greenhousegasemissions co2persqm kgco2m2`,
  features: `features amenities keyfeatures propertyfeatures featurelist equipment extras highlights characteristics caracteristicas
    equipments listingfeatures amenitieslist equipamentos privateamenities comodidades featureslist merkmale ausstattung
    structuredfeatures ammenities bullets featuretags`,
  address: `address streetaddress displayaddress addressline addressline1 line1 addresstext fulladdress displayableaddress addressone
    formattedaddress direccion adresse indirizzo unparsedaddress  address1 propertyaddress publicaddress
    displayaddressline addressformatted endereco fullstreet`,
  street: 'street streetname route road calle rue strasse via straat streetline',
  number: 'streetnumber housenumber number buildingnumber housenr hausnummer nr streetno',
  neighbourhood: `sublocalitylevel1 sublocalitylevel2 neighbourhood neighborhood district quarter barrio bairro quartier suburb suburbname neighborhoodname
    districtname stadtteil zone zona sublocality microdistrict neighbourhoodname neighbourhoods citydistrict ortsteil
    `,
  municipality: `city municipality locality town cityname addresslocality municipalityname localityname ciudad cidade comune ville
    ort stadt gemeente plaats commune municipio towncity citytown placename poblacion miasto mesto postaltown`,
  province: `administrativearealevel1 province region state county addressregion provincename regionname statecode provincia bundesland departement
    stateprovince countyname statename estado stateorprovince wojewodztwo kraj department`,
  postcode: `postcode postalcode zip zipcode codepostal codigopostal plz cap cep cp zippostalcode postcodezip fullpostcode eircode`,
  country: 'country countrycode addresscountry countryname countryid countryiso',
  latitude: 'latitude lat geolat maplat latitud breitengrad addresslat maplatof',
  longitude: 'longitude lng lon long geolng maplng longitud laengengrad geolon addresslng maplngof',
  point:
    'coordinates geo point location latlng geopoint geolocation coords center centre position coordinate latlon geocode',
  images: `images photos pictures gallery imageurls photourls photo image media pics fotos bilder medialist imagelist
    multimedia photolist originalphotos responsivephotos propertyimages galleryimages mediaitems listingimages photogallery
    pictureurls imagenes imagens assets`,
  advertiserName: `organisation organization company companylegalname shopname advertisername agencyname agentname sellername companyname publishername brokername contactname officename ownername
    displaynameagent vendorname listedby brokeragename tradingname companytradingname attributionbrokername anunciante brandname
    estateagentname realtorname commercialname anbietername branchdisplayname clientname `,
  phone: `whatsapp whatsappnumber officephone landline displaynumber phone phonenumber telephone tel mobile mobilephone contactphone phonedisplay telefono telefone telefon mainphone
    displayphone localnumber phone1 phonenumbers phones telephonenumber agentphone agencyphone contacttelephone brokerphonenumber
    agentphonenumber attributionphone callphone hidadphone adphone`,
  advertiserType: `advertisertype sellertype publishertype clienttype ownertype usertype agenttype isprivate isprofessional isagency
    isagent isowner contacttype accounttype sellertypename ispro  professional`,
  status:
    'status listingstatus availability propertystatus availabilitystatus statustype homestatus isreserved adstatus',
  reference: `displayid publicid reference ref referenceid referencenumber externalreference propertyreference refnumber referencia agencyreference
    referencecode  mlsid clientreference adref objectnumber immonr  propertycode internalreference customerreference`,
  publishedAt: `publishedat publishdate publicationdate datepublished createdat creationdate dateposted publishedon listedat
    firstpublishdate dateadded listingdate addeddate firstvisibledate firstpublished datecreated postedat created listeddate
    createddate activationdate onlinedate`,
  updatedAt: `updatedat modificationdate datemodified lastupdated lastupdatedate modifiedat updatedate lastmodified updateddate
    modifieddate lastmodificationdate refreshedat datemodification`,
}

const kindByKey = new Map<string, StateKind>()
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
  /^(?:display|property|listing|main|estate|object|unit|advert|ad|home|realestate|numberof|numberof|nb|num|total|geo|map|public|exact|no|hid|av)(?=.{3})/
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
  const kind = found === 'floor' && /count|total|floors/.test(key) ? null : found
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
