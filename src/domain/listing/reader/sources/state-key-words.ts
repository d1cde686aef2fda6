/** The keys under which portals and the programs of agencies embed the values of a listing. */
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

export const keyWords: Record<StateKind, string> = {
  title: 'title name headline adtitle listingtitle propertytitle titulo titre titel subject h1 displayname',
  description: `description desc longdescription fulldescription descriptiontext htmldescription listingdescription propertydescription
    descripcion descricao descrizione descriptif beschreibung omschrijving opis body adtext publicremarks remarks detaileddescription
    descriptionhtml descriptionfull textdescription comments`,
  operation: `vermarktungsart angebotsart tipooperacao tipocontratto contratto tipotransazione operation operationtype transaction transactiontype listingtype offertype dealtype saletype businesstype purpose
    tipooperacion operacion contracttype distributiontype marketingtype channel category section saleorrent mode
    businessfunction transactiontypeid typetransaction adtype listingcategory operationtypename contract vermarktungsart`,
  type: `subclass propertysubclass objektart immobilientyp wohnungstyp tipologia tipoimovel tipoimmobile propertytype type subtype propertysubtype category typology typologytype estatetype realestatetype hometype housetype
    buildingtype categoryname tipoinmueble tipo typebien objecttype unittype propertytypename typologyname housingtype
    propertytypefulldescription propertytypes structuretype styletype`,
  price: `listsaleprice precioventa precioinmo precioalq precioalquiler prezzovendita prezzoaffitto prixvente valorvenda precovenda valorarrendamento nettokaltmiete mainvalue salesprice price pricevalue priceamount askingprice listprice listingprice saleprice rentprice displayprice mainprice
    currentprice pricetext priceformatted formattedprice precio prix preis preco prezzo prijs cena baserent coldrent
    kaltmiete kaufpreis loyer monthlyrent rent rentamount rentalprice finalprice totalprice priceraw amount advertisedprice
    listpricevalue primaryprice nettorent netrent rentalinformationrent purchaseprice exactprice unformattedprice`,
  currency: 'currency currencycode pricecurrency moneda devise currencyid currencyiso waehrung',
  period: `period priceperiod pricefrequency rentfrequency frequency paymentperiod rentperiod priceunit periodicity
    paymentfrequency rentalperiod`,
  priceMin: 'pricemin minprice pricefrom fromprice minimumprice',
  priceMax: 'pricemax maxprice priceto toprice maximumprice',
  area: `mconstruidos m2construidos metrosconstruidos superficiebuilt surfacebuilt buildingareatotal grossarea areabruta areabrutaconstrucao superficiecommerciale superficiemq mq anzahlqm wohnflache surfacebien square mts2 minimumsize maximumsize minsize maxsize overallspace livingsurface area squaremeters surface livingarea floorarea size builtarea constructedarea livingspace areasqm sizesqm surfacearea
    floorsize netarea netsurface totalarea propertysize internalarea habitablesurface nethabitablesurface m2 sqm
    livingsurface wohnflaeche superficie superficieconstruida superficietotal surfacehabitable squaremetre squaremeter metros
    propertyarea areabuilt constructedsurface areainsquaremeters livingareavalue builtsurface totalsurface homesize areatotal
    usableareas woonoppervlakte surfacem2 floorspace covered coveredarea interiorsize`,
  areaFeet: `structuresqft livingareasquarefeet buildingareasqft squarefeet sqft areasqft sizesqft livingareasqft floorareasqft sizesqfeet buildingsqft livingsquarefeet squarefootage
    sizesqfeetmax minimumareasqft interiorsqft`,
  usableArea:
    'mutiles m2utiles metrosutiles areautil superficiecalpestabile nutzflaeche usablearea usefularea usablesurface superficieutil utilarea areautil netusablearea',
  plotArea: `lotsizearea mparcela m2parcela metrosparcela areaterreno superficieterreno surfaceterrain grundstuecksflache plotspace surfaceland groundsurface erfsize plotarea landarea plotsize lotsize landsize land plot plotsurface landsurface plotspace grundstuecksflaeche terrain
    superficieparcela lotarea lotsizevalue sitearea areaplot areaterrain  plotsquaremeters landsurfacearea`,
  plotFeet: 'lotsizesquarefeet lotsqft landsqft plotsqft lotsizesqft lotsquarefeet',
  plotAcres: 'lotacres acres landacres lotsizeacres',
  rooms: `numerolocali nrlocali vani rooms roomcount numberofrooms roomscount roomsnumber numrooms nbpieces pieces zimmer anzahlzimmer ambientes locali
    roomsquantity totalrooms nbrooms zimmeranzahl roomsno numberrooms`,
  bedrooms: `numhabitaciones nhabitaciones habitacionestotal bedroomstotal anzahlschlafzimmer numeroquartos numerocamere bedrooms bedroomcount numberofbedrooms bedroomscount beds numbedrooms nbbedrooms dormitorios habitaciones quartos
    chambres schlafzimmer bedroom bedroomsnumber nbchambres  bedroomsquantity totalbedrooms numberbedrooms bed
    bedroomsnum numbeds numberofbeds camere slaapkamers bedroomtotal`,
  bathrooms: `numbanos nbanos banyos anzahlbadezimmer casasdebanho casasbanho numerobagni bagni bathroomstotal bathscount fullbathrooms bathrooms bathroomcount numberofbathrooms bathroomscount baths numbathrooms nbbathrooms banos banheiros bathroom
    bathroomsnumber badezimmer sallesdebain bathroomtotal bathroomstotalinteger totalbathrooms numberbathrooms bath bathroomsfloat
    bathroomsquantity numbaths numberofbathroomstotal badkamers numberofbathroomsinunit`,
  floor:
    'floor floornumber floorlevel planta etage andar piano floortext floorname level floorno pietro etagenummer',
  year: `anoconstr anodeconstruccion annocostruzione annoedificazione yearconstruction anneeconstr yearbuilt constructionyear buildingyear builtyear buildyear yearofconstruction baujahr anneeconstruction anoconstruccion
    yearofbuild builtin buildingconstructionyear anoconstrucao`,
  condition:
    'condition propertycondition conservation conservationstatus conservationstate conditiontype conservacion estadoconservacion estadoinmueble statoimmobile propertystate zustand buildingcondition objectcondition',
  energy: `energialetra letraenergia letraconsumo classeenergetica classificacaoenergetica certificadoenergetico energieeffizienzklasse energieklasse dpeclasse dpeetiquette energyclass energyrating energyclassification energyefficiency energylabel epcrating epc ber berrating dpe energyletter
    energycertificaterating efficiencyclass energyefficiencyclass epcscore energyconsumptioncategory energeticclass
    energycertificate currentenergyrating classeenergie dpeletter energycertificatelabel`,
  emissions:
    'emisionesletra letraemisiones gesetiquette gesclasse emissionsrating emissionrating co2class ges emissionclass emissionsclass greenhouseclass gesletter emissions',
  consumption: `energiavalor valorconsumo consumoenergia dpeconsommation dpevaleur energyconsumption energyconsumptionvalue primaryenergyconsumption primaryenergyconsumptionpersqm energydemand
    energydemandvalue energyconsumptionpersqm epi energyperformanceindicator consommationenergie endenergiebedarf
    energiebedarf energieverbrauch energieverbrauchskennwert endenergieverbrauch energieverbrauchwert energyperformancevalue dpevalue
    energyconsumptionkwh consumoenergetico energyvalue bervalue kwhm2 kwhpersqm`,
  emissionsAmount: `emisionesvalor valoremisiones gesvaleur co2emissions co2emission co2emissionspersqm emissionsvalue emissionvalue gesvalue carbonemissions
    co2value greenhousegasemissions co2persqm kgco2m2`,
  features: `generalfeatures featuresvalues features amenities keyfeatures propertyfeatures featurelist equipment extras highlights characteristics caracteristicas
    equipments listingfeatures amenitieslist equipamentos privateamenities comodidades featureslist merkmale ausstattung
    structuredfeatures ammenities bullets featuretags`,
  address: `address streetaddress displayaddress addressline addressline1 line1 addresstext fulladdress displayableaddress addressone
    formattedaddress direccion adresse indirizzo unparsedaddress  address1 propertyaddress publicaddress
    displayaddressline addressformatted endereco fullstreet`,
  street: 'street streetname route road calle rue strasse via straat streetline',
  number: 'streetnumber housenumber number buildingnumber housenr hausnummer nr streetno',
  neighbourhood: `sublocalitylevel1 sublocalitylevel2 neighbourhood neighborhood district quarter barrio bairro quartier suburb suburbname neighborhoodname
    districtname stadtteil zone zona sublocality microdistrict microzone neighbourhoodname neighbourhoods citydistrict ortsteil
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
