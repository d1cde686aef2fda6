/** Words of streets and house numbers in es, ca, gl, eu, pt, it, en, fr and de: in lower case, without accents. */

const toSet = (words: string) => new Set(words.trim().split(/\s+/))

/** Stand before the name. */
export const streetTypes = toSet(`
  calle callejon carrer carrero avenida avinguda paseo passeig plaza placa praca praza placeta ronda rambla alameda travesia travessia
  travessera travessa camino cami caminho camino carretera estrada cuesta costanilla glorieta bulevar passatge pasaje baixada torrent riera
  rua ruela largo beco calcada rotunda via viale corso piazza piazzale piazzetta vicolo strada lungomare lungotevere contrada salita
  rue avenue boulevard place chemin impasse allee quai cours route square passage ruelle kale kalea etorbidea hiribidea`)

/** Abbreviations that no other word looks like. */
export const shortTypes = toSet(`
  av avd avda avgda pza plza plz ctra crta rda rbla ptge pje psg pso trva cno bvd blvd vle`)

/** Abbreviations only before a full stop, a slash or º. */
export const dottedTypes = toSet('c cl r v p pl pg ps pc tv trav gta bd boul ch imp all sq str urb')

/** A number may stand before these and their name: `12, rue de Rivoli`. */
export const typesAfterNumber = toSet(
  'rue avenue av boulevard bd place chemin impasse allee quai cours route square passage ruelle',
)

/** Stand after the name. */
export const basqueTypes = toSet(
  'kale kalea kaleko kalean etorbidea etorbideko hiribidea ibilbidea pasealekua plaza enparantza bidea',
)
export const englishTypes = toSet(
  'street st road rd avenue ave lane ln drive dr close court ct place pl square sq terrace way crescent gardens hill row boulevard blvd mews walk grove',
)
export const germanTypes = toSet('strasse str platz allee weg ring gasse')
/** Types after a name that end with a full stop. */
export const shortSuffix = /^(?:st|rd|ave|ln|dr|ct|pl|sq|blvd)$|str$/
export const germanSuffix = /.(?:strasse|str|gasse|allee|chaussee)$/
/** Also end other words, so that only a number or the known name makes them streets. */
export const vagueGermanSuffix = /.(?:weg|platz|ring|damm|ufer)$/
export const noGermanStreets = toSet(`
  seitenstrasse nebenstrasse wohnstrasse einbahnstrasse spielstrasse anliegerstrasse sackgasse stellplatz parkplatz spielplatz arbeitsplatz
  sitzplatz essplatz garagenplatz`)

/** May stand between the type and the name, and within names. */
export const particles = toSet(`
  a al d da das de degli dei del dell della delle dels den der des di do dos du e el els i l la las le les los lo of the und van von y`)

/** Stand before a street and belong to it. */
export const articles = toSet('la el l las los les the der dem a o il lo')
export const prepositions = toSet(`
  en in em na no nas nos nella nell nel sulla sulle sul a al alla all à au aux at on an auf am dans sur de del della dell da do du di`)
/** Those that say that the property is there; others name a landmark. */
export const locations = toSet('en in em na no nella nel al au auf on dans')
/** Words before `al` that make a street a landmark. */
export const landmarks = toSet(
  'junto frente proximo cercano pegado junt proper tocant vicino fronte davanti accanto',
)

/** Words that end a name, although they follow a type: `plaza de garaje 2`. */
export const notNames = toSet(`
  garaje garatge parking aparcamiento aparcament garagem estacionamento posto numero num con amb sense com sem sin senza avec sans with para
  por per pour privada privado tranquila tranquilo peatonal principal amplia`)

/** What a number counts, so that it is no house number. */
const units = toSet('m m2 mq mt mts km kms h hs min mins bed beds bath baths uhr zi eur euro euros vani t')
const unitBeginnings =
  /^(?:metr|minut|hab|dorm|ban[oy]|banh|quarto|cuarto|suite|assoalhad|camer|local[ei]|bagn|room|bedroom|bathroom|piece|chambre|zimmer|plazas|plaza|place|ano|any|anni|year|ans$|jahr|plantas|plantes|pisos|piani|floors|etages|andares|vivienda|habitatge|estrel|logel|gela)/
export const isUnit = (word: string) => units.has(word) || unitBeginnings.test(word)

/** Stand before a house number. */
export const numberMarks = toSet('n num numero nro nr civico')
/** Stand between a house number and the street that it is of. */
export const joints = toSet('de del d da do di della dell du of')
/** Belong to a house number. */
export const numberSuffixes = toSet('bis ter quater')

/** Stand before a floor, staircase or door. */
export const doorWords = toSet(
  'esc escalera escala pta puerta porta portal bloque bloc int interno scala apt apto flat piso planta pis andar',
)
/** Are a door themselves. */
export const doors = toSet('dcha dta dto drcha dreta izq izda izqda esq')
export const ordinalSigns = toSet('º ª °')
export const ordinalEndings = toSet('er ro do to mo vo no ra da ta r n t a e th st nd rd eme')
