/**
 * The vocabulary of features for leads, portal pages, filters, files and valuations (as amenities). A name may be
 * written in any of nine languages: Spanish, Catalan, Portuguese, Italian, French, German, Dutch, English, Polish.
 */
import { editDistance } from '../location/edits.ts'
import { toPlainWords } from '../plain-words.ts'

/**
 * Each feature with its synonyms, without accents, separated by commas. Append new features at the end: stored sets are
 * bits in this order.
 */
const featureWords = {
  lift: `lifts, elevator, elevators, ascensor, ascensores, ascensors, elevador, elevadores, ascensore, ascensori,
    ascenseur, aufzug, personenaufzug, fahrstuhl, winda, windy, has lift, con ascensor, com elevador, con ascensore,
    avec ascenseur, mit aufzug, liftanlage, dzwig, dzwig osobowy`,
  terrace: `terraces, roof terrace, terraza, terrazas, terrassa, terrasses, terraco, terracos, terrazza, terrazze,
    terrazzo, terrasse, dachterrasse, terras, dakterras, terrassen, taras, tarasy, rooftop terrace, rooftop, solarium,
    azotea, terrat, terraza privada, terrazza panoramica, terraco panoramico, toit terrasse, roof garden`,
  balcony: `balconies, balcon, balcones, balco, balcons, varanda, varandas, sacada, balcone, balconi, balkon, balkone,
    balkons, balkony, loggia, balcon terraza, lodzia, loggie`,
  parking: `parking space, parking spot, parking place, car park, car parking, garage, garages, carport, garaje, garajes,
    plaza de garaje, plaza de parking, plaza de aparcamiento, aparcamiento, garatge, aparcament, parquing,
    placa de parquing, placa de garatge, garagem, garagens, lugar de garagem, lugar de estacionamento, estacionamento,
    posto auto, posti auto, box auto, parcheggio, autorimessa, place de parking, place de stationnement, stationnement,
    stellplatz, parkplatz, tiefgarage, tiefgaragenstellplatz, garagenstellplatz, parkeerplaats, parkeren, parkeergarage,
    miejsce parkingowe, miejsce postojowe, miejsce garazowe, garaz, placa d aparcament, estacionamiento, cochera,
    posto auto coperto, posto auto scoperto, box, box singolo, box doppio, garage box, off street parking, driveway, oprit,
    tg stellplatz, aussenstellplatz, garagenplatz, carportstellplatz, garaz podziemny, lugar estacionamento,
    aparcamiento comunitario, parking comunitario, garaje privado, garagem box, inpandige garage`,
  pool: `pools, swimming pool, communal pool, private pool, piscina, piscinas, piscines, piscina comunitaria,
    piscina privada, piscina condominiale, piscine, schwimmbad, schwimmbecken, swimmingpool, zwembad, basen,
    piscina privativa, piscina comum, piscina condominio, piscina de condominio, alberca, piscine privee,
    piscine collective, piscina condominial`,
  garden: `gardens, jardin, jardines, jardi, jardins, jardim, giardino, giardini, garten, tuin, ogrod, ogrodek,
    jardin privado, jardin comunitario, zona ajardinada, zonas ajardinadas, zonas verdes, jardi privat, jardi comunitari,
    jardim privado, giardino privato, giardino condominiale, giardino comune, jardin privatif, jardin prive,
    gartenanteil, gartennutzung, gartenmitbenutzung, private garden, communal garden, shared garden, yard, backyard`,
  air_conditioning: `air conditioner, air con, aire con, aircon, a/c, ac, a/a, aire acondicionado, climatizacion, aire condicionat,
    climatitzacio, ar condicionado, climatizacao, aria condizionata, condizionatore, climatizzatore, climatizzazione,
    climatisation, air conditionne, klimaanlage, klimatisiert, klimatisierung, airco, klimatyzacja, climatizado,
    climatizada, bomba de frio calor, aire frio calor, split, clim, aer condicionat, airconditioning unit`,
  storage_room: `storage, storage space, store room, box room, trastero, trasteros, traster, trasters, arrecadacao,
    arrecadacoes, arrumos, cantina, ripostiglio, cellier, debarras, abstellraum, abstellkammer, kellerabteil, berging,
    bergruimte, komorka lokatorska, komorka, schowek, bodega, kellerraum, locker, cuarto trastero, arrumo`,
  fitted_wardrobes: `wardrobes, fitted wardrobe, built in wardrobe, built in wardrobes, built in closets,
    armarios empotrados, armario empotrado, armaris encastats, armari encastat, roupeiros, roupeiros embutidos,
    armarios embutidos, armadi a muro, armadio a muro, placards, placards integres, einbauschranke, einbauschrank,
    inbouwkasten, inbouwkast, szafy wnekowe, szafa wnekowa, szafy w zabudowie, armario, armarios, cabina armadio,
    walk in closet, walk in wardrobe, dressing, begehbarer kleiderschrank, vestidor, garderoba`,
  concierge: `doorman, porter, portero, portera, portero fisico, porteria, conserje, conserjeria, conserge, consergeria,
    porteiro, porteira, portaria, portiere, portineria, portinaio, gardien, gardienne, pfortner, portier, huismeester,
    conciergerie, dozorca, portiernia, servicio de porteria, hausmeister, portinaia, concierge 24h, conserje 24h,
    custode`,
  exterior: `facing the street, outward facing, outside, esterno, affaccio esterno, sur rue, zur strasse gelegen,
    okna od ulicy, esterna, doppio esterno, exterieur, aussenliegend, straatzijde, zewnetrzny, zewnetrzne, exteriores`,
  interior: `facing a courtyard, inward facing, interno, affaccio interno, sur cour, zum hof gelegen, achterzijde,
    okna od podworza, interna, interieur, innenliegend, hofseitig, binnenzijde, wewnetrzny, wewnetrzne, interiores`,
  top_floor: `ultima planta, darrera planta, ultimo piso, ultimo andar, ultimo piano, dernier etage, oberstes geschoss,
    oberste etage, bovenste verdieping, ostatnie pietro, najwyzsze pietro`,
  security: `alarm, alarm system, security system, seguridad, vigilancia, videovigilancia, alarma, puerta blindada,
    seguretat, vigilancia 24h, porta blindada, seguranca, alarme, sicurezza, allarme, videosorveglianza, porta blindata,
    securite, sicherheit, alarmanlage, beveiliging, alarmsysteem, vigilanza, residence securisee, sicherheitsdienst,
    bezpieczenstwo, ochrona, monitoring, cctv, videovigilancia 24h, seguridad 24h, porteiro 24h, gated community,
    urbanizacion cerrada, condominio fechado, condominio cerrado, monitoring 24h, ochrona 24h, camaras de seguridad`,
  waterfront: `seafront, beachfront, frontline beach, primera linea, primera linea de mar, primera linea de playa,
    primera linia, a primera linia, primera linia de mar, frente al agua, affaccio sull acqua, au bord de l eau,
    wasserlage, primeira linha, primeira linha de mar, prima linea, fronte mare, front de mer, bord de mer,
    pieds dans l eau, erste meereslinie, am wasser, aan het water, eerste lijn, pierwsza linia brzegowa, nad woda,
    prima linea mare, primeira linha de praia, seegrundstuck, uferlage, linia brzegowa, pierwsza linia, aan zee`,
  view: `views, good views, mountain view, mountain views, panoramic view, vistas, vista, vistas a la montana,
    buenas vistas, vistes, vistes a la muntanya, vista panoramica, vue, vues, vue degagee, aussicht, ausblick, uitzicht,
    widok, vistas despejadas, vista montagna, vista montanha, vista serra, vista lago, vista rio, vistas al rio,
    vista citta, vista cidade, vistas a la ciudad, bergblick, weitblick, fernblick, lake view, city view, river view,
    vista aperta, vista desafogada`,
  basement: `cellar, cave, sotano, soterrani, soterrado, seminterrato, scantinato, sous sol, keller, kelder, souterrain,
    piwnica, taverna, kellergeschoss`,
  renovated: `refurbished, reformado, reformada, renovado, renovada, rehabilitado, rehabilitada, reformat, remodelado,
    remodelada, ristrutturato, ristrutturata, renove, renovee, renoviert, saniert, gerenoveerd, wyremontowany,
    wyremontowane, po remoncie, totalmente reformado, totalmente renovado, totalmente ristrutturato,
    completamente ristrutturato, kernsaniert, modernisiert, modernised, modernized, zmodernizowane, zmodernizowany,
    odnowione, fully renovated, recuperado, entierement renove`,
  heating: `central heating, underfloor heating, calefaccion, calefaccion central, calefaccion individual, calefaccio,
    aquecimento, aquecimento central, riscaldamento, riscaldamento autonomo, riscaldamento centralizzato, chauffage,
    chauffage central, heizung, zentralheizung, fussbodenheizung, verwarming, centrale verwarming, ogrzewanie,
    ogrzewanie centralne, chauffage au gaz, chauffage individuel, gas central heating, gas heating, gasheizung,
    fernwarme, cv ketel, ogrzewanie miejskie, ogrzewanie gazowe, calefaccion gas natural, calefaccion de gas,
    calefaccion por suelo radiante, suelo radiante, piso radiante, riscaldamento a pavimento, radiadores, radiators,
    bomba de calor, warmepumpe, heat pump, pompe a chaleur, warmtepomp, pompa ciepla, pompa di calore, vloerverwarming,
    etagenheizung`,
  fireplace: `fire place, open fire, chimenea, llar de foc, xemeneia, lareira, caminetto, camino, cheminee, kamin,
    open haard, haard, kominek, recuperador de calor, kaminofen, stufa a legna, poele a bois, wood burner, houtkachel`,
  furnished: `fully furnished, amueblado, amueblada, totalmente amueblado, con muebles, moblat, moblada, mobilado,
    mobilada, mobiliado, mobiliada, arredato, arredata, ammobiliato, ammobiliata, meuble, meublee, mobliert, moebliert,
    gemeubileerd, umeblowane, umeblowany, muebles, amoblado, amoblada, arredamento, meubels, meble`,
  accessible: `wheelchair accessible, disabled access, step free, accesible, adaptado, adaptada, movilidad reducida,
    adaptado a movilidad reducida, acceso para minusvalidos, adaptat, mobilitat reduida, acessivel, mobilidade reduzida,
    accessibile, accesso disabili, accessibile ai disabili, accessible pmr, pmr, barrierefrei, rollstuhlgerecht,
    toegankelijk, rolstoeltoegankelijk, dla niepelnosprawnych, dostepne dla niepelnosprawnych,
    adaptado a personas con movilidad reducida, accesible para sillas de ruedas, accesibilidad, accessibile disabili,
    acessibilidade, acesso a pessoas com mobilidade reduzida, accessibility, wheelchair access, acces handicape,
    accessible aux handicapes, dostosowane dla niepelnosprawnych, behindertengerecht, accessibilita`,
  sea_view: `sea views, ocean view, ocean views, vistas al mar, vista al mar, vista a mar, vistas mar, vistes al mar,
    vista mar, vista de mar, vista para o mar, vistas de mar, vista mare, vista sul mare, vue mer, vue sur mer,
    vue sur la mer, meerblick, seeblick, zeezicht, uitzicht op zee, widok na morze, vista oceano, vistas al oceano,
    vista de oceano, sea facing`,
}

export type Feature = keyof typeof featureWords

export const propertyFeatures = Object.keys(featureWords) as [Feature, ...Feature[]]

/**
 * Patterns that find a feature among other words of a portal page or a cell of a file, in lower case without accents.
 */
export const featurePatterns: [RegExp, Feature][] = [
  [/\b(ascensor|elevador|ascensore|lift|elevator)\b/, 'lift'],
  [/\b(terrazas?|terracos?|terrazz[oaie]|terraces?)\b/, 'terrace'],
  [/\b(balcon(es)?|varandas?|balcon[ei]|balcony|balconies)\b/, 'balcony'],
  [/\b(garaje|garagem|estacionamento|post[oi] auto|box auto|parking|garage)\b/, 'parking'],
  [/\b(piscina|(swimming )?pool)\b/, 'pool'],
  [/\b(jardin(es)?|jardi(m|ns)|giardin[oi]|gardens?)\b/, 'garden'],
  [/\b(aire acondicionado|ar condicionado|aria condizionata|air conditioning)\b/, 'air_conditioning'],
  [/\b(trasteros?|arrecadac(ao|oes)|cantina|storage|storeroom|box room)\b/, 'storage_room'],
  [
    /\b(armarios empotrados|(roupeiros?|armarios?) embutidos?|armadi(o)? a muro|(fitted|built-in|built in) wardrobes?)\b/,
    'fitted_wardrobes',
  ],
  // A video intercom ("videoportero") is not a concierge.
  [
    /(?<!video[ -]?)\b(porter[oa](?! (automatico|electronico))|conserje|porteir[oa]|portaria|portier[ea]|portineria|portinaio|doorman|concierge)\b/,
    'concierge',
  ],
  [/\b(ultima planta|ultimo (andar|piso|piano)|top floor)\b/, 'top_floor'],
  [
    /\b(seguridad|vigilancia|videovigilancia|alarma|alarme|allarme|puerta blindada|porta blinda[dt]a|videosorveglianza|security|alarm)\b/,
    'security',
  ],
  [/\b(primera linea|primeira linha|fronte mare|waterfront|seafront)\b/, 'waterfront'],
  [/\b(vistas? al? mar|vistas? (de |para o )?mar|vista mare|sea views?)\b/, 'sea_view'],
  [/\b(vistas? a la montana|mountain views?)\b/, 'view'],
  [/\b(basement|cellar)\b/, 'basement'],
  [/\b(reformad[oa]|remodelad[oa]|ristrutturat[oa]|renovated|refurbished)\b/, 'renovated'],
  [/\b(calefaccion|aquecimento|riscaldamento|heating)\b/, 'heating'],
  [/\b(chimenea|lareira|caminetto|fireplace)\b/, 'fireplace'],
  [/\b(?<!cocina |cozinha |cucina )(amueblad[oa]|mobilad[oa]|arredat[oa]|furnished)\b/, 'furnished'],
  [
    /\b(adaptad[oa] (a|para) (personas con )?movilidad reducida|acessivel a mobilidade reduzida|accessibile ai disabili|wheelchair accessible)\b/,
    'accessible',
  ],
]

/** Only letters and digits, so that `air_conditioning`, `Air conditioning` and `airConditioning` are equal. */
function toKey(text: string): string {
  return toPlainWords(text)
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

const featuresByKey = new Map<string, Feature>(
  propertyFeatures.flatMap(feature =>
    [feature, ...featureWords[feature].split(',')].map((words): [string, Feature] => [toKey(words), feature]),
  ),
)

/** The feature that the whole text names (`Piscina`, `swimming_pool`, `Aufzug`); null if it names none. */
export function parseFeatureName(text: string): Feature | null {
  return Object.hasOwn(featureWords, text)
    ? (text as Feature)
    : (featuresByKey.get(toKey(text.slice(0, nameMax))) ?? null)
}

/** Maximum length of a name. */
const nameMax = 60

/**
 * The nearest feature: the longest name contained in the text (`Giardino privato`), otherwise the one with the smallest
 * edit distance. Null if every distance is more than a third of the text.
 */
function findNearestFeature(text: string): Feature | null {
  const truncated = text.slice(0, nameMax)
  const containedFeature = findContainedFeature(truncated)
  if (containedFeature !== null) return containedFeature
  const textKey = toKey(truncated)
  let distanceMax = Math.floor(textKey.length / 3)
  let nearest: Feature | null = null
  for (const [key, feature] of featuresByKey) {
    const { whole } = editDistance(textKey, key, distanceMax)
    if (whole > distanceMax) continue
    nearest = feature
    if (whole === 0) break
    distanceMax = whole - 1
  }
  return nearest
}

/** Maximum number of words in a name. */
const nameWordsMax = 6

/** The feature with the longest name that is a part of the text. */
function findContainedFeature(text: string): Feature | null {
  const words = text.split(/[^\p{L}\p{M}\p{N}]+/u).filter(word => word !== '')
  for (let count = Math.min(nameWordsMax, words.length); count > 0; count -= 1)
    for (let index = 0; index + count <= words.length; index += 1) {
      const key = toKey(words.slice(index, index + count).join(''))
      const feature = key.length > 2 ? featuresByKey.get(key) : undefined
      if (feature !== undefined) return feature
    }
  return null
}

/** Maximum number of suggestions per list. One takes 0.3 ms, and a batch of leads may hold 25,000 unknown names. */
const suggestionsMax = 10

/** An unknown name of a list: its index, the nearest feature, and the error message. */
export interface UnknownFeature {
  index: number
  nearest: Feature | null
  message: string
}

/** Parses a list of features. Duplicates are removed. */
export function parseFeatureNames(texts: readonly string[]): {
  features: Feature[]
  unknown: UnknownFeature[]
} {
  const features = new Set<Feature>()
  const unknown: UnknownFeature[] = []
  for (const [index, text] of texts.entries()) {
    const feature = parseFeatureName(text)
    if (feature !== null) features.add(feature)
    else unknown.push({ index, ...explainUnknown(text, unknown.length < suggestionsMax) })
  }
  return { features: [...features], unknown }
}

function explainUnknown(text: string, withSuggestion: boolean): Omit<UnknownFeature, 'index'> {
  const unknown = `${JSON.stringify(text)} is not a known feature`
  if (!withSuggestion) return { nearest: null, message: unknown }
  const nearest = findNearestFeature(text)
  const message =
    nearest === null
      ? `must be one of ${propertyFeatures.join(', ')}, and not ${JSON.stringify(text)}`
      : `${unknown}; the nearest is ${nearest}`
  return { nearest, message }
}
