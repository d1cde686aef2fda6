/** Which language a short message is written in, by its frequent words: a line of a chat is too short for anything else. */
import { type MessageLanguage, messageLanguages } from '../messaging/opt-out-words.ts'
import { toPlainWords } from '../plain-words.ts'

/** Words that are frequent in one language and rare in the others; words that several share count for each. */
const frequentWords: Record<MessageLanguage, string> = {
  es: 'el la los las un una y que en por para con no si es esta muy pero como cuando donde hola gracias usted su le me mi se lo del al de buenas buenos dias tardes quiero puede puedo seria hay tiene sigue disponible precio piso visita visitar ver manana jueves lunes viernes sabado tu te ti nos os mensaje alguien cuanto pueda ya mas este estos estas son eres soy tengo tienes vale claro aqui ahora cuando quien cual porque desde hasta entre sin sobre ese eso ella ellos nosotros vosotros seis siete ocho despues antes tarde noche semana mes casa vivienda inmueble venta alquiler anuncio respuesta responde prefieres',
  ca: 'el la els les un una i que en per amb no si es esta molt pero com quan on hola gracies voste li em meu ho del al de bona bon dia tarda vull pot puc seria hi ha te segueix disponible preu pis visita visitar veure dema dijous dilluns divendres dissabte aquest aquesta amb seva tu et ens us missatge algu aviat pugui ja mes aquests aquestes son ets soc tinc tens val clar aqui ara qui quin perque des fins entre sense sobre aixo ella ells nosaltres vosaltres sis vuit despres abans vespre setmana mes casa habitatge immoble venda lloguer anunci resposta respon prefereixes',
  gl: 'o a os as un unha e que en por para con non si e esta moi pero como cando onde ola grazas vostede lle me meu do ao de boa bo dia tarde quero pode podo seria hai ten segue dispoñible prezo piso visita visitar ver mañá xoves luns venres sabado coa polo pola ti che nos vos mensaxe alguen canto poida xa mais este estes estas son es teño tes vale claro aqui agora quen cal porque desde ata entre sen sobre iso ela eles nosoutros despois antes noite semana mes casa vivenda inmoble venda alugueiro anuncio resposta respondeche prefires ningun do da dos das ou',
  eu: 'eta da ez bai dut duzu du da dago nola noiz non kaixo eskerrik asko zure nire hau hori egun on arratsalde nahi dezaket daiteke prezioa pisua etxea bisita ikusi bihar osteguna astelehena ostirala larunbata zer baina ere hemen dira dugu izan zu ni gu hau horiek mezuagatik norbaitek ahal bezain laster erantzungo dizu agentziako agentziaren laguntzaile erantzuten idatzi baduzu taldeko norbaitekin hitz egin orain gero hemen etxea salgai',
  pt: 'o a os as um uma e que em por para com nao sim e esta muito mas como quando onde ola obrigado obrigada voce seu sua me meu do ao de boa bom dia tarde quero pode posso seria ha tem continua disponivel preco apartamento visita visitar ver amanha quinta segunda sexta sabado isso tambem te lhe nos vos mensagem alguem assim possivel ja mais este estes estas sao es sou tenho tens claro aqui agora quem qual porque desde ate entre sem sobre isto ela eles nos depois antes noite semana mes casa habitacao imovel venda aluguer anuncio resposta responde prefere dos das da ou pela pelo vejamos si conjunto hora livre',
  it: 'il lo la i gli le un una e che in per con non si e molto ma come quando dove ciao grazie lei suo sua mi mio del al di buon giorno sera voglio puo posso sarebbe ce ha ancora disponibile prezzo appartamento visita visitare vedere domani giovedi lunedi venerdi sabato buongiorno questo questa sono anche te ti ci vi messaggio qualcuno appena possibile gia piu questi queste sono sei ho hai va chiaro qui adesso chi quale perche da fino tra senza sopra quello lei loro noi dopo prima sera settimana mese casa immobile vendita affitto annuncio risposta risponde risponderà preferisce dei delle della nel nella',
  en: 'the a an and that in for with not yes is are very but how when where hello hi thanks thank you your it me my of to good morning afternoon want can could would there has still available price flat house visit see tomorrow thursday monday friday saturday this do does what please we us our they them message somebody someone soon possible already more these those am i me have has had clear here now who which because since until between without about after before evening night week month house home property sale rent listing answer talking rather talk team would like see suit offer price at on as if be been from or so',
  fr: 'le la les un une et que en pour avec ne pas oui est tres mais comment quand ou bonjour merci vous votre vos me mon du au de bonne bon soir veux peut puis serait il y a a toujours disponible prix appartement visite visiter voir demain jeudi lundi vendredi samedi ce cette des je nous tu te toi nous message quelqu un des que possible deja plus ces suis es ai as clair ici maintenant qui quel parce depuis entre sans sur cela elle elles ils apres avant soiree nuit semaine mois maison bien vente location annonce reponse repond prefere dans sont par aux',
  de: 'der die das ein eine und dass in fur mit nicht ja ist sind sehr aber wie wann wo hallo danke sie ihr ihre ihnen mir mein des zu guten tag abend mochte kann konnte ware es gibt hat noch verfugbar preis wohnung haus besichtigung besichtigen sehen morgen donnerstag montag freitag samstag dieser diese ich wir auch bitte du dir dich uns euch nachricht jemand so bald wie moglich schon mehr diese dieser bin bist habe haben klar hier jetzt wer welcher weil seit bis zwischen ohne uber nach vor abend nacht woche monat immobilie verkauf miete anzeige antwort antwortet lieber dem den auf im am bei oder als von zum zur ob wurde passt termin',
}

/** Words of answers and of homes: they show the language, and say something. */
const otherWords: Record<MessageLanguage, string> = {
  es: 'bien hora horas parece viene va vamos hablamos hablar pronto dos tres cuatro cinco habitacion habitaciones baño baños terraza ascensor planta primero primera perfecto acuerdo di dime digo llame llamar favor mejor todo nada algo otro otra vendido vendida lo anoto español habla hablan vendemos',
  ca: 'be hora hores sembla va anem parlem aviat dos tres quatre cinc habitacio habitacions bany banys terrassa ascensor planta primer primera perfecte acord digues truqui trucar millor tot res altre altra venut venuda quant quina encara ens interessa gaire catala parla parleu',
  gl: 'ben hora horas parece ven vai imos falamos falar pronto dous tres catro cinco habitacion habitacions baño baños terraza ascensor planta primeiro primeira perfecto acordo dime chame chamar mellor todo nada algo outro outra vendido vendida canto cobrades galego falades',
  eu: 'ondo ordu ordua ordutan iruditzen zait dator goaz laster bi hiru lau bost gela gelak bainugela terraza igogailu solairu lehen bikain ados esan deitu hobeto dena salduta beste nor zara euskara euskaraz zergatik zenbat non dago oraindik saltzen duzue',
  pt: 'bem hora horas parece vem vai vamos falamos falar breve dois tres quatro cinco quarto quartos terraco elevador andar primeiro primeira perfeito acordo diga ligue ligar melhor tudo nada algo outro outra vendido vendida quanto ainda portugues fala falam vendemos',
  it: 'bene ora ore sembra viene va andiamo parliamo presto due tre quattro cinque camera camere bagno bagni terrazza ascensore piano primo prima perfetto accordo di dimmi chiami chiamare meglio tutto niente qualcosa altro altra venduto venduta quanto italiano parla parlate abbiamo',
  en: 'well hour hours time seems suits fine go call two three four five bedroom bedrooms bathroom bathrooms terrace lift floor first perfect agreed tell better all nothing something other sold english speak who please why much sell selling',
  fr: 'bien heure heures semble convient vient va allons parlons bientot deux trois quatre cinq chambre chambres bain terrasse ascenseur etage premier premiere parfait accord dites appelez appeler mieux tout rien autre vendu vendue combien etes qui francais parle parlez pourquoi pas encore quoi',
  de: 'gut uhr stunde stunden scheint gehen sprechen bald zwei drei vier funf zimmer bad terrasse aufzug stock erste perfekt einverstanden sagen anrufen besser alles nichts etwas andere verkauft kein keine spreche sprechen deutsch was warum wieviel viel noch',
}

const languagesByWord = new Map<string, MessageLanguage[]>()
const isFrequent = new Set<string>()
for (const language of messageLanguages) {
  const frequent = toPlainWords(frequentWords[language]).split(' ')
  for (const word of frequent) isFrequent.add(word)
  for (const word of new Set([...frequent, ...toPlainWords(otherWords[language]).split(' ')]))
    languagesByWord.set(word, [...(languagesByWord.get(word) ?? []), language])
}

/** `word`: without accents, in lower case. */
export const isFrequentWord = (word: string): boolean => isFrequent.has(word)

const textMax = 2_000
/** A word that one language has counts more than one that several share. */
const scoreMin = 1
/** The best language has to be ahead of the next one. */
const leadMin = 0.4
/** And this far ahead of the one that was spoken so far: a word alone is a slip, or belongs to both. */
const changeLeadMin = 1.5

/** Null: the text does not show it. `spoken`: the language of the conversation so far, which only clear evidence changes. */
export function detectLanguage(
  text: string,
  { spoken = null }: { spoken?: MessageLanguage | null } = {},
): MessageLanguage | null {
  const scores = new Map<MessageLanguage, number>()
  for (const word of new Set(toPlainWords(text.slice(0, textMax)).split(/[^\p{L}]+/u))) {
    const languages = languagesByWord.get(word) ?? []
    for (const language of languages) scores.set(language, (scores.get(language) ?? 0) + 1 / languages.length)
  }
  const [best, next] = [...scores].toSorted(([, one], [, other]) => other - one)
  const isSeen = best && best[1] >= scoreMin && best[1] - (next?.[1] ?? 0) >= leadMin
  if (spoken === null || !isSeen) return isSeen ? best[0] : spoken
  return best[1] - (scores.get(spoken) ?? 0) >= changeLeadMin ? best[0] : spoken
}

/**
 * Returns the language that somebody speaks after these messages, oldest first. Short ones show it together: what they wrote before counts
 * with each. `start`: the language of the conversation before.
 */
export function detectSpoken(texts: readonly string[], start: MessageLanguage): MessageLanguage {
  return texts.reduce<MessageLanguage>((spoken, text, index) => {
    const found = detectLanguage(text, { spoken })!
    const before = texts[index - 1]
    return found !== spoken || before === undefined ? found : detectLanguage(`${text} ${before}`, { spoken })!
  }, start)
}
