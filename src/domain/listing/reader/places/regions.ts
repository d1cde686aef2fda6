/** Provinces, states and counties of countries, by which the level of a place in an address is known. */
import { toPhrase } from '../words/words.ts'

/** `shared`: its capital has the same name, so that the name alone is either. `city`: the region is one city. */
export type RegionKind = 'apart' | 'shared' | 'city'

/** Without accents. Codes of two or three letters are in `codes`. */
const names: Record<string, Partial<Record<RegionKind, string>>> = {
  ES: {
    apart: `alava,araba,asturias,principado de asturias,cantabria,guipuzcoa,gipuzkoa,illes balears,islas baleares,baleares,
      balears,balearic islands,la rioja,las palmas,navarra,nafarroa,vizcaya,bizkaia,andalucia,andalusia,aragon,canarias,
      islas canarias,canary islands,castilla y leon,castilla la mancha,cataluna,catalunya,catalonia,comunidad de madrid,
      comunidad valenciana,comunitat valenciana,extremadura,galicia,pais vasco,euskadi,region de murcia,
      comunidad foral de navarra`,
    shared: `albacete,alicante,alacant,almeria,avila,badajoz,barcelona,burgos,caceres,cadiz,castellon,castello,ciudad real,
      cordoba,a coruna,la coruna,coruna,cuenca,girona,gerona,granada,guadalajara,huelva,huesca,jaen,leon,lleida,lerida,
      lugo,madrid,malaga,murcia,ourense,orense,palencia,pontevedra,salamanca,santa cruz de tenerife,segovia,sevilla,
      seville,soria,tarragona,teruel,toledo,valencia,valladolid,zamora,zaragoza`,
  },
  PT: {
    apart: 'acores,azores,madeira,ilha da madeira,algarve,alentejo',
    shared: `aveiro,beja,braga,braganca,castelo branco,coimbra,evora,faro,guarda,leiria,lisboa,lisbon,portalegre,porto,
      santarem,setubal,viana do castelo,vila real,viseu`,
  },
  IT: {
    apart: `abruzzo,basilicata,calabria,campania,emilia romagna,friuli venezia giulia,lazio,liguria,lombardia,lombardy,marche,
      molise,piemonte,puglia,sardegna,sardinia,sicilia,sicily,toscana,tuscany,trentino alto adige,umbria,valle d aosta,
      veneto,barletta andria trani,forli cesena,massa carrara,monza e brianza,monza brianza,pesaro e urbino,sud sardegna,
      verbano cusio ossola`,
    shared: `agrigento,alessandria,ancona,aosta,arezzo,ascoli piceno,asti,avellino,bari,belluno,benevento,bergamo,biella,
      bologna,bolzano,brescia,brindisi,cagliari,caltanissetta,campobasso,caserta,catania,catanzaro,chieti,como,cosenza,
      cremona,crotone,cuneo,enna,fermo,ferrara,firenze,florence,foggia,frosinone,genova,gorizia,grosseto,imperia,isernia,
      l aquila,la spezia,latina,lecce,lecco,livorno,lodi,lucca,macerata,mantova,matera,messina,milano,milan,modena,napoli,
      naples,novara,nuoro,oristano,padova,palermo,parma,pavia,perugia,pescara,piacenza,pisa,pistoia,pordenone,potenza,
      prato,ragusa,ravenna,reggio calabria,reggio emilia,rieti,rimini,roma,rome,rovigo,salerno,sassari,savona,siena,
      siracusa,sondrio,taranto,teramo,terni,torino,turin,trapani,trento,treviso,trieste,udine,varese,venezia,venice,
      vercelli,verona,vibo valentia,vicenza,viterbo`,
  },
  FR: {
    apart: `ain,aisne,allier,alpes de haute provence,hautes alpes,alpes maritimes,ardeche,ardennes,ariege,aube,aude,aveyron,
      bouches du rhone,calvados,cantal,charente,charente maritime,cher,correze,corse du sud,haute corse,cote d or,
      cotes d armor,creuse,dordogne,doubs,drome,eure,eure et loir,finistere,gard,haute garonne,gers,gironde,herault,
      ille et vilaine,indre,indre et loire,isere,jura,landes,loir et cher,loire,haute loire,loire atlantique,loiret,lot,
      lot et garonne,lozere,maine et loire,manche,marne,haute marne,mayenne,meurthe et moselle,meuse,morbihan,moselle,
      nievre,nord,oise,orne,pas de calais,puy de dome,pyrenees atlantiques,hautes pyrenees,pyrenees orientales,bas rhin,
      haut rhin,rhone,haute saone,saone et loire,sarthe,savoie,haute savoie,seine maritime,seine et marne,yvelines,
      deux sevres,somme,tarn,tarn et garonne,var,vaucluse,vendee,vienne,haute vienne,vosges,yonne,territoire de belfort,
      essonne,hauts de seine,seine saint denis,val de marne,val d oise,guadeloupe,martinique,guyane,la reunion,mayotte,
      auvergne rhone alpes,bourgogne franche comte,bretagne,brittany,centre val de loire,corse,grand est,hauts de france,
      ile de france,normandie,normandy,nouvelle aquitaine,occitanie,pays de la loire,provence alpes cote d azur`,
    city: 'paris',
  },
  DE: {
    apart: `baden wurttemberg,bayern,bavaria,brandenburg,hessen,hesse,mecklenburg vorpommern,niedersachsen,lower saxony,
      nordrhein westfalen,north rhine westphalia,rheinland pfalz,saarland,sachsen,saxony,sachsen anhalt,
      schleswig holstein,thuringen,thuringia`,
    city: 'berlin,hamburg,bremen',
  },
  AT: {
    apart: 'burgenland,karnten,niederosterreich,oberosterreich,steiermark,tirol,vorarlberg',
    shared: 'salzburg',
    city: 'wien,vienna',
  },
  CH: {
    apart: `aargau,appenzell ausserrhoden,appenzell innerrhoden,basel landschaft,basel stadt,graubunden,jura,nidwalden,
      obwalden,thurgau,ticino,tessin,uri,valais,wallis,vaud,waadt`,
    shared: `bern,fribourg,freiburg,geneve,genf,geneva,glarus,luzern,lucerne,neuchatel,schaffhausen,schwyz,solothurn,
      st gallen,zug,zurich`,
  },
  BE: {
    apart: `brabant wallon,walloon brabant,waals brabant,vlaams brabant,brabant flamand,flemish brabant,hainaut,henegouwen,
      limburg,limbourg,luxembourg,oost vlaanderen,flandre orientale,east flanders,west vlaanderen,flandre occidentale,
      west flanders,wallonie,wallonia,flandre,vlaanderen,flanders`,
    shared: 'antwerpen,anvers,antwerp,liege,luik,namur,namen,bruxelles,brussel,brussels',
  },
  NL: {
    apart: `drenthe,flevoland,friesland,fryslan,gelderland,limburg,noord brabant,noord holland,overijssel,zeeland,
      zuid holland`,
    shared: 'groningen,utrecht',
  },
  GB: {
    apart: `bedfordshire,berkshire,buckinghamshire,cambridgeshire,cheshire,cornwall,cumbria,derbyshire,devon,dorset,
      east riding of yorkshire,east yorkshire,east sussex,essex,gloucestershire,greater london,greater manchester,
      hampshire,herefordshire,hertfordshire,isle of wight,kent,lancashire,leicestershire,lincolnshire,merseyside,middlesex,
      norfolk,north yorkshire,northamptonshire,northumberland,nottinghamshire,oxfordshire,rutland,shropshire,somerset,
      south yorkshire,staffordshire,suffolk,surrey,tyne and wear,tyne wear,warwickshire,west midlands,west sussex,
      west yorkshire,wiltshire,worcestershire,aberdeenshire,angus,argyll and bute,ayrshire,east ayrshire,north ayrshire,
      south ayrshire,clackmannanshire,dumfries and galloway,dunbartonshire,east lothian,fife,inverclyde,lanarkshire,
      north lanarkshire,south lanarkshire,midlothian,moray,perth and kinross,renfrewshire,scottish borders,stirlingshire,
      west lothian,blaenau gwent,carmarthenshire,ceredigion,denbighshire,flintshire,gwent,gwynedd,isle of anglesey,
      monmouthshire,pembrokeshire,powys,vale of glamorgan,rhondda cynon taf,clwyd,dyfed,england,scotland,wales,
      northern ireland,north west england,north east england,south west england,south east england,yorkshire`,
  },
  IE: {
    apart:
      'clare,kerry,laois,mayo,meath,offaly,westmeath,tyrone,fermanagh,down,connacht,leinster,munster,ulster',
    shared: `antrim,armagh,carlow,cavan,cork,derry,donegal,dublin,galway,kildare,kilkenny,leitrim,limerick,longford,louth,
      monaghan,roscommon,sligo,tipperary,waterford,wexford,wicklow`,
  },
  PL: {
    apart: `dolnoslaskie,kujawsko pomorskie,lubelskie,lubuskie,lodzkie,malopolskie,mazowieckie,opolskie,podkarpackie,
      podlaskie,pomorskie,slaskie,swietokrzyskie,warminsko mazurskie,wielkopolskie,zachodniopomorskie`,
  },
  CZ: { apart: 'vysocina', city: 'praha,prague,hlavni mesto praha' },
  US: {
    apart: `alabama,alaska,arizona,arkansas,california,colorado,connecticut,delaware,florida,georgia,hawaii,idaho,illinois,
      indiana,iowa,kansas,kentucky,louisiana,maine,maryland,massachusetts,michigan,minnesota,mississippi,missouri,montana,
      nebraska,nevada,new hampshire,new jersey,new mexico,north carolina,north dakota,ohio,oklahoma,oregon,pennsylvania,
      rhode island,south carolina,south dakota,tennessee,texas,utah,vermont,virginia,washington,west virginia,wisconsin,
      wyoming,district of columbia`,
    shared: 'new york',
  },
  CA: {
    apart: `alberta,british columbia,manitoba,new brunswick,newfoundland and labrador,nova scotia,ontario,
      prince edward island,saskatchewan,yukon,nunavut,northwest territories`,
    shared: 'quebec',
  },
  AU: {
    apart: `new south wales,victoria,queensland,south australia,western australia,tasmania,northern territory,
      australian capital territory`,
  },
  ZA: {
    apart:
      'gauteng,western cape,eastern cape,northern cape,kwazulu natal,free state,limpopo,mpumalanga,north west',
  },
  IN: {
    apart: `andhra pradesh,arunachal pradesh,assam,bihar,chhattisgarh,goa,gujarat,haryana,himachal pradesh,jharkhand,
      karnataka,kerala,madhya pradesh,maharashtra,manipur,meghalaya,mizoram,nagaland,odisha,punjab,rajasthan,sikkim,
      tamil nadu,telangana,tripura,uttar pradesh,uttarakhand,west bengal,jammu and kashmir,ladakh`,
    city: 'delhi,new delhi,chandigarh,puducherry,pondicherry',
  },
  NG: {
    apart: `abia,adamawa,akwa ibom,anambra,bayelsa,benue,borno,cross river,delta,ebonyi,edo,ekiti,fct,
      federal capital territory,imo,jigawa,kebbi,kogi,kwara,nasarawa,niger,ogun,ondo,osun,oyo,plateau,rivers,taraba,yobe,
      zamfara`,
    shared: 'abuja,bauchi,enugu,gombe,kaduna,kano,katsina,lagos,sokoto',
  },
  AE: { city: 'abu dhabi,ajman,dubai,fujairah,ras al khaimah,sharjah,umm al quwain' },
  MX: {
    apart: `baja california,baja california sur,chiapas,coahuila,guerrero,hidalgo,jalisco,estado de mexico,edo de mexico,
      michoacan,morelos,nayarit,nuevo leon,quintana roo,sinaloa,sonora,tabasco,tamaulipas,yucatan,distrito federal`,
    shared: `aguascalientes,campeche,chihuahua,colima,durango,guanajuato,oaxaca,puebla,queretaro,san luis potosi,tlaxcala,
      veracruz,zacatecas,ciudad de mexico,cdmx`,
  },
  AR: {
    apart: `catamarca,chaco,chubut,entre rios,jujuy,la pampa,misiones,rio negro,santa cruz,tierra del fuego,tucuman,
      gba norte,gba sur,gba oeste,bs as g b a zona norte,bs as g b a zona sur,bs as g b a zona oeste`,
    shared: `buenos aires,cordoba,corrientes,formosa,la rioja,mendoza,neuquen,salta,san juan,san luis,santa fe,
      santiago del estero,capital federal,ciudad autonoma de buenos aires,caba`,
  },
  BR: {
    apart: `acre,alagoas,amapa,amazonas,bahia,ceara,distrito federal,espirito santo,goias,maranhao,mato grosso,
      mato grosso do sul,minas gerais,para,paraiba,parana,pernambuco,piaui,rio grande do norte,rio grande do sul,rondonia,
      roraima,santa catarina,sergipe,tocantins`,
    shared: 'sao paulo,rio de janeiro',
  },
}
const codes: Record<string, string> = {
  US: 'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC',
  CA: 'AB BC MB NB NL NS ON PE QC SK YT',
  AU: 'NSW VIC QLD SA WA TAS ACT NT',
  BR: 'AC AL AP AM BA CE DF ES GO MA MT MS MG PA PB PR PE PI RJ RN RS RO RR SC SP SE TO',
  ZA: 'GP WC EC NC KZN FS LP MP NW',
  IT: 'AG AL AN AO AR AP AT AV BA BT BL BN BG BI BO BZ BS BR CA CL CB CE CT CZ CH CO CS CR KR CN EN FM FE FI FG FC FR GE GO GR IM IS AQ SP LT LE LC LI LO LU MC MN MS MT ME MI MO MB NA NO NU OR PD PA PR PV PG PU PE PC PI PT PN PZ PO RG RA RC RE RI RN RM RO SA SS SV SI SR SO TA TE TR TO TP TN TV TS UD VA VE VB VC VR VV VI VT',
}
/** Countries of which the page may also name districts as provinces, and those whose list has gaps. */
const openCountries = new Set(['GB', 'CZ', 'PL', 'CH', 'AT', 'BE', 'NL'])
/** Words that make any name one of a region: `County Kildare`, `okres Trutnov`, `Středočeský kraj`. */
const regionWords =
  /^(?:co|county|provincia|province|prov|okres|okr|powiat|pow|woj|wojewodztwo|kreis|landkreis|lk|comarca|departement|departamento|distrito) | (?:county|province|kraj|provincia|region|state|kreis|wojewodztwo|voivodeship|prefecture)$/
const nameMax = 60

const kinds = new Map<string, Map<string, RegionKind>>()
const countriesByName = new Map<string, string[]>()
for (const [country, lists] of Object.entries(names)) {
  const known = new Map<string, RegionKind>()
  for (const [kind, list] of Object.entries(lists))
    for (const name of list.split(/,\s*/)) known.set(name, kind as RegionKind)
  kinds.set(country, known)
  for (const name of known.keys()) countriesByName.set(name, [...(countriesByName.get(name) ?? []), country])
}
const codeSets = new Map(Object.entries(codes).map(([country, list]) => [country, new Set(list.split(' '))]))

/** The kind of a region of the country, or null for other places. */
export function findRegionKind(name: string, country: string): RegionKind | null {
  const text = name.trim()
  if (text.length < 2 || text.length > nameMax) return null
  if (codeSets.get(country)?.has(text)) return 'apart'
  const phrase = toPhrase(text)
  if (regionWords.test(phrase)) return 'apart'
  return kinds.get(country)?.get(phrase) ?? null
}

/** False for a name that is no province of the country, if all of them are known. */
export function mayBeProvince(name: string, country: string): boolean {
  return !kinds.has(country) || openCountries.has(country) || findRegionKind(name, country) !== null
}

/** The countries that have a region with this name. */
export function listCountriesOfRegion(name: string): readonly string[] {
  return name.length > nameMax ? [] : (countriesByName.get(toPhrase(name)) ?? [])
}
