/**
 * Decides if a text is about a property, an agency or an appointment: it has a word of these subjects, or of the facts. A model that was
 * led to another subject rarely has one. Greetings and thanks have none: they stand in any text.
 */
import { type MessageLanguage, messageLanguages } from '../messaging/opt-out-words.ts'
import { isFrequentWord } from './detect-language.ts'

/** Beginnings of words, without accents. */
const subjects: Record<MessageLanguage, string> = {
  es: 'mud motivo piso casa vivienda inmueb propieda apartament local garaje terreno visita visit cita precio venta vend compr alquil anunci agenc inmobil llam equipo barrio habitaci metros planta ascensor foto llave reserv disponi zona calle terraza coment inform ayud horario oficina escritur herenc hipotec comunidad vecin provincia reform obra certificad document valora tasa interes contact escrib avis confirm apunt lunes martes miercoles jueves viernes sabado domingo manana tarde semana hora correo telefono',
  ca: 'mud motiu pis casa habitatge immob propieta apartament local garatge terreny visit cita preu venda vend compra llog lloguer anunci agenc truca truqu equip barri habitaci metres planta ascensor foto clau reserv dispon zona carrer terrassa inform ajud horari oficina escriptur herenc hipotec comunitat vein provincia reform obra certificat document valora taxa interes contact escri avis confirm dilluns dimarts dimecres dijous divendres dissabte diumenge dema tarda setmana hora correu telefon',
  gl: 'mud motivo piso casa vivenda inmob propieda apartament local garaxe terreo visit cita prezo venda vend compra alug anunci axenc chama equipo barrio habitac metros planta ascensor foto chave reserv dispoñi disponi zona rua terraza inform axud horario oficina escritur herd hipotec comunidade vecin provincia reform obra certificad document valora taxa interes contact escri avis confirm luns martes mercores xoves venres sabado domingo mana tarde semana hora correo telefono',
  eu: 'mugi arrazoi pisu etxe higiezin jabe lokal garaje lur bisita hitzordu prezio saldu saltz salmenta eros alokair iragarki agentzi deitu talde auzo gela metro solairu igogailu igogail argazki giltza erreserba libre kale terraza informazio lagun ordu bulego eskritura herentzi hipoteka komunitate obra ziurtagiri dokumentu balora interes idatz abisa astelehen astearte asteazken ostegun ostiral larunbat igande bihar arratsalde aste posta telefono',
  pt: 'mud motivo apartament casa habitac moradia imove propried local garage terren visit marcac preco venda vend compra arrend alug anunci agenc imobil liga ligu equipa equipe pergunt bairro quarto metros andar elevador foto chave reserv disponi zona rua terraco inform ajud horari escritori escritur heranc hipotec condomini vizinh provincia reform obra certificad document avalia interes contact escrev avis confirm segunda terca quarta quinta sexta sabado domingo amanha tarde semana hora correio email telefone',
  it: 'trasf motivo appartament casa immobil abitazion proprieta locale garage terren visit appuntament prezz vendit vend compr affitt annunci agenz chiam team quartier camera metri piano ascensor foto chiav prenot disponib zona strada terrazz inform aiut orari ufficio rogito eredit mutuo ipotec condomini vicin provincia ristruttur lavori certificat document valuta interess contatt scriv avvis conferm lunedi martedi mercoledi giovedi venerdi sabato domenica domani pomeriggio settimana ora email telefono',
  en: 'move moving reason flat house home propert apartment premises garage plot visit viewing appointment price sale sell buy buyer rent listing advert agenc estate call team neighbourhood neighborhood room metre meter floor lift elevator photo key book reserv available area street terrace inform help hour deed notar inherit mortgage community neighbour neighbor renovat certificate document valu interest contact write notify confirm monday tuesday wednesday thursday friday saturday sunday tomorrow afternoon week email phone office opening',
  fr: 'demenag raison appartement maison logement bien immob propriet local garage terrain visit rendez prix vente vend achet acheteur loue location louer annonce agence appel equipe quartier chambre piece metre etage ascenseur photo cles reserv dispon zone rue terrasse inform aide horaire bureau notaire heritage hypothe copropriete voisin renov travaux certificat document estim interess contact ecri avis confirm lundi mardi mercredi jeudi vendredi samedi dimanche demain apres-midi semaine heure courriel mail telephone',
  de: 'umzieh umzug grund wohnung haus immobil eigentum objekt laden garage grundstuck besichtig termin preis verkauf kauf kaufer miet vermiet anzeige inserat agentur makler anruf anrufen team viertel zimmer quadratmeter etage aufzug foto schlussel reserv buch frei verfugbar strasse terrasse inform hilf helf uhr buro urkunde notar erb hypothek gemeinschaft nachbar renov sanier ausweis dokument unterlagen bewert interess kontakt schreib meld bestatig montag dienstag mittwoch donnerstag freitag samstag sonntag morgen nachmittag woche mail telefon',
}

/** Beginnings of the words of greetings, thanks and consent. */
const courtesies =
  'quier seguim know decid geschehen einen prie vagi seas pregunt respond respon respost resposta erantzu gald risp domand answer question repon antwort frage problem take time notier giornat schon belle voila hola buen bueno bon bona bones boas boa bom kaixo egun arratsalde ola hello hi dear good hallo guten lieb bonjour bonsoir ciao salve gracias graci grazas grazie thank obrigad merci dank eskerrik nada disposic disposi disposal quedo encantad placer vale perfec claro clar certo okay ok sure great glad welcome pleasure acuerdo accord daccord gern gerne alles super genial estupend estupen saludo saludos saluti salut gruss cordial atent dia dias day tag jour journee giorno noche noches night nacht notte noite felic feliz happy schon buona buon buongiorno buonasera prego rien bitte entendid entiendo comprend verstanden understand capisco entendo molt mucho muchas muchos tanto mille many very sehr vielen beaucoup lindo nice bonito tengas tenga have hab haben passez passe abbia tenha'

const toMatcher = (stems: string) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${stems.split(' ').join('|')})`, 'u')
const subjectMatchers = new Map(messageLanguages.map(language => [language, toMatcher(subjects[language])]))
const courtesy = toMatcher(courtesies)

const words = /\p{L}+/gu
const toWords = (text: string): readonly string[] => text.match(words) ?? []

/** Shorter words belong to every subject. */
const knownLengthMin = 5
const contentLengthMin = 4

const isContent = (word: string): boolean =>
  word.length >= contentLengthMin && !courtesy.test(word) && !isFrequentWord(word)

/** Not "Gracias por contarlo". */
function saysSomething(sentence: string): boolean {
  const count = toWords(sentence).filter(isContent).length
  return count > 1 || (count === 1 && !courtesy.test(sentence))
}

/** `plain`: without accents, in lower case. `language` null: any. */
export const hasSubject = (plain: string, language: MessageLanguage | null): boolean =>
  (language === null ? messageLanguages : [language]).some(each => subjectMatchers.get(each)!.test(plain))

/**
 * True if at least half of the sentences that say something name a subject or a word of the grounds, and for thanks alone.
 * `plain`, `grounded`: without accents, in lower case.
 */
export function isRelevant(
  plain: string,
  grounded: readonly string[],
  language: MessageLanguage | null,
): boolean {
  const known = new Set(grounded.flatMap(toWords).filter(word => word.length >= knownLengthMin))
  const sentences = plain.split(/[.!?:;…\n]+/).filter(saysSomething)
  const relevant = sentences.filter(
    sentence => hasSubject(sentence, language) || toWords(sentence).some(word => known.has(word)),
  )
  return sentences.length === 0 ? courtesy.test(plain) : relevant.length * 2 >= sentences.length
}
