/**
 * Decides if an answer is about a property, an agency or an appointment at all: it has a word of these subjects, or of the facts. A model
 * that was led to another subject rarely has one.
 */
import { type MessageLanguage, messageLanguages } from '../messaging/opt-out-words.ts'

/** Beginnings of words, without accents. */
const stems: Record<MessageLanguage, string> = {
  es: 'piso casa vivienda inmueb propieda apartament local garaje terreno visita visit cita precio venta vend alquil anunci agenc inmobil gracias hola vale perfect claro llama equipo respond pregunt barrio habitaci metro planta ascensor foto llave reserv dispon zona calle terraza coment inform ayud horario',
  ca: 'pis casa habitatge immob propieta apartament local garatge terreny visit cita preu venda vend lloguer llog anunci agenc gracies hola val perfect clar truca equip respon pregunt barri habitaci metre planta ascensor foto clau reserv dispon zona carrer terrassa inform ajud horari',
  gl: 'piso casa vivenda inmob propieda apartament local garaxe terreo visit cita prezo venda vend alug anunci axenc grazas ola vale perfect claro chama equipo respond pregunt barrio habitac metro planta ascensor foto chave reserv dispo zona rua terraza inform axud horario',
  eu: 'pisu etxe higiezin jabe lokal garaje lur bisita hitzordu prezio saldu salmenta alokair iragarki agentzi eskerrik kaixo ados bai noski deitu talde erantzun gald auzo gela metro solairu igogailu argazki giltza erreserba libre kale terraza informazio lagun ordu',
  pt: 'apartament casa habitac moradia imove propried local garage terren visit marcac preco venda vend arrend alug anunci agenc imobil obrigad ola certo perfeit claro liga equipa respon pergunt bairro quarto metro andar elevador foto chave reserv dispon zona rua terraco inform ajud horari',
  it: 'appartament casa immobil abitazion proprieta locale garage terren visit appuntament prezzo vendit vend affitt annunci agenz grazie ciao buongiorno va perfett certo chiam team rispond domand quartier camera metri piano ascensor foto chiav prenot disponib zona via terrazz inform aiut orari',
  en: 'flat house home propert apartment premises garage plot visit viewing appointment price sale sell rent listing advert agenc estate thank hello hi ok okay perfect sure call team answer question neighbourhood neighborhood room metre meter floor lift elevator photo key book reserv available area street terrace inform help hour time',
  fr: 'appartement maison logement bien immob propriet local garage terrain visit rendez prix vente vend lou annonce agence merci bonjour accord parfait bien appel equipe repon question quartier chambre piece metre etage ascenseur photo cle reserv dispon zone rue terrasse inform aid horaire',
  de: 'wohnung haus immobil eigentum objekt laden garage grundstuck besichtig termin preis verkauf verkauf miet vermiet anzeige inserat agentur makler danke hallo gern okay perfekt klar ruf anruf team antwort frage viertel zimmer meter stock etage aufzug foto schlussel reserv buch frei verfugbar lage strasse terrasse inform hilf helf zeit uhr',
}

const matchers = new Map(
  messageLanguages.map(language => [
    language,
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${stems[language].split(' ').join('|')})`, 'u'),
  ]),
)

/** Shorter words belong to every subject. */
const wordLengthMin = 5
const words = /[\p{L}]+/gu

/** `plain`, `grounded`: without accents, in lower case. */
export function isRelevant(
  plain: string,
  grounded: readonly string[],
  language: MessageLanguage | null,
): boolean {
  const languages = language === null ? messageLanguages : [language]
  if (languages.some(each => matchers.get(each)!.test(plain))) return true
  const known = new Set(grounded.flatMap(text => text.match(words) ?? []))
  return (plain.match(words) ?? []).some(word => word.length >= wordLengthMin && known.has(word))
}
