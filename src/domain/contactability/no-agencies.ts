/**
 * Detects listings whose text excludes contact by agencies: Spanish, Catalan, Portuguese, Italian, English, and the
 * usual phrases of French and German owners.
 */

// Patterns match lower-case text without accents. GAP matches what separates two words of one sentence: a space, a
// comma, a slash, a line break, but not the end of the sentence.
const gapPattern = '[^a-z0-9.!?;•|]{1,3}'
const agencies = words(`agencias agencies agenzie agences inmobiliarias imobiliarias immobiliari(?:e|es)
  intermediari(?:os|as|es|s)? intermediaires mediador(?:es|as) mediatori brokers realtors corredores comiss?ionistas
  angariador(?:es|as) agen(?:tes|ti|ts) (?:estate|letting)GAPagents (?:profesionales|asesores)GAPinmobiliarios
  consultoresGAPimobiliarios`)
// The singular usually names the advertising agency itself, so only the clearest phrases match.
const agency = words(
  'agencia agenzia inmobiliaria imobiliaria immobiliaria agency agente agent intermediario intermediary',
)
const abstainWords = words(
  'abs?ten\\w* abster(?:se)? absten?ham abstem asten[eg]\\w* abstain refrain s?GAP?abstenir(?:GAPse)?',
)
// Other people whom owners exclude: time wasters, and parties with business of their own.
const timeWasters =
  words(`curios\\w* mirones perdite\\w* perdigiorno especul\\w* speculat\\w* estafa\\w* turist\\w*
  oportunist\\w* fumador\\w* mascot\\w* estudiant\\w*`)
const otherParties = words(
  'empres\\w* inversor\\w* investi\\w* fondos bancos anima\\w* studenti particular\\w*',
)

const negation = words(`no non nao ni nem not never don[^a-z0-9]?t`)
const bridge =
  words(`se s si ci me mi nos us lhe les os as la quiero queremos quero vull volem voglio vogliamo deseo
  deseamos desejo desejamos pretendo pretendemos sono siamo sou estoy estamos estou estic do to be will please por
  per favor favore plau prego want wish tengo tenemos tenho`)
// Verbs for a contact that an owner refuses. "no dude en contactar" is not a refusal: it negates the doubt.
const dealWords =
  words(`acept\\w* admit\\w* admet\\w* atend\\w* atiend\\w* aten(?:e[mn]|c)? contest\\w* respond\\w* rispond\\w*
  trabaj\\w* trabalh\\w* treball\\w* lavor\\w* coll?abor\\w* llam\\w* conta[ct]\\w* molest\\w* disturb\\w* interes\\w*
  recib\\w* receb\\w* ricev\\w* negoci\\w* habl\\w* parl\\w* chiam\\w* telefon\\w* truc\\w* truqu\\w* insist\\w* quier\\w*
  quer\\w* dese\\w* pretend\\w* vogli\\w* aceit\\w* accett\\w* accept\\w* coge\\w* coja\\w* escrib\\w* consider\\w*
  trat(?:o|ar|are|amos) vull volem necesito necesitamos preciso precisamos deal want work call reply answer`)
// Verbs for an agency that contacts an owner. Other negated verbs, such as "no se responsabilizan", are not a request.
const callWords =
  words(`llam\\w* conta[ct]\\w* molest\\w* disturb\\w* interes\\w* insist\\w* chiam\\w* telefon\\w* truc\\w*
  truqu\\w* call bother apply`)
const contacts =
  words(`llamadas? visitas? visite ofertas? offerte oferiments mensajes? mensagens messaggi missatges
  contactos? contactes contatos? contatti contatto chamadas? telefonadas? chiamate telefonate trucades propostas?
  propuestas? proposte proposta calls? contact offers? messages? enquiries whatsapps? emails? mails? correos?`)
const linkWords =
  words(`a al ad as os las los le les la de da das di dalle dai degli delle from by por parte y e i o u ou ni
  ne nem and or`)
const fillerWords =
  words(`${contacts} ${linkWords} ${timeWasters} ${otherParties} gestion(?:es)? servicios? servicos servizi serveis
  intermediacion mediacao trato tratos trabajar trabalhar tratar saber nada colaborar colaboracion(?:es)? llamen
  llameis contacten contactem contatteu molesten que me nos del do dos d with any of con com amb per par part el els
  gli ningun[ao]? nenhum[ao]? nessun[ao]? cap tipus tipo otras? outras? altres altre other en em in favor gracias
  please comerciales telefonicas? si se son sois siete sono`)
const noneWords = words('ningun[ao] nenhuma nessuna cap any')
const notAllowed = words('proh?ibid[oa]s? vetad[oa]s? excluid[oa]s? esclus[eio]')
const dispense = words('dispens(?:[oa]|am|amos|ad[oa]s)')
const refuse =
  words(`${dispense}(?:GAPse\\b)? ${notAllowed} rechazo rechazamos recus(?:o|amos|am) rifiut(?:o|iamo)
  evit(?:ar|en|ad|are|ate)`)
// Words with which an owner addresses an agency that reads the listing.
const salutationWords =
  words(`usted ustedes voce tu vos lei you de del una un uma con para per por conto di da en in an a e es
  eres sois son sei siete for are trabaja\\w* trabalha\\w* lavora\\w* llama\\w* viene\\w*`)
const onlyWords = words(
  `solo solamente unicamente exclusivamente so somente apenas nomes sols soltanto esclusivamente only`,
)
const treatWords =
  words(`de a ad con com amb entre tra trat[oa] tratos tratar atiendo atendemos atendo atienden atiende se
  llamadas llamar contatti contactos vendo interesados compradores particular`)
const privateEnglish = 'privateGAP(?:buyers|individuals|parties|people)'
const thanksWords = '(?:gracias|gracies|grazie|obrigad|please|thank)'
const sellWords =
  words(`vend[aeiou]\\w* ventas? alquil\\w* arrend\\w* arriend\\w* alug\\w* affitt\\w* compr[aeo]r? llog\\w*
  acquist\\w* sell sold sale rent buy`)

const requestPatterns = [
  // "Abstenerse agencias", "astenersi perditempo e agenzie", "agències abstenir-se", "agences s'abstenir".
  `${abstainWords}(?:GAP\\w+){0,5}?GAP${agencies}`,
  `${abstainWords}GAP(?:(?:de|la|las|cualquier|toda)GAP)?${agency}`,
  `(?:${agencies}(?:GAP\\w+){0,4}?|${agency}(?:GAPporGAPfavor)?)GAP${abstainWords}(?!GAP(?:los |las |a )?${timeWasters})`,
  // "No agencias", "niente agenzie", "no curiosos ni agencias", "no calls from agents"; but not "no agents' fees".
  `(?:no|nao|niente|nada|cero|basta|fuera)GAP(?:(?:${contacts}|${timeWasters}|${otherParties}|${linkWords})GAP){0,5}?${agencies}` +
    '(?!GAP(?:fees?|commissions?|charges?|costs?|involved|were)\\b)',
  // A separate sentence: "Soy particular, no agencia" only describes the owner.
  `(?<=(?:^|[.!?;\\n•*(])\\s*)noGAP${agency}(?=[^a-z0-9]*(?:$|[.!?;\\n]|gracias|grazie|por|per|obrigad))`,
  `noGAP(?:estateGAP|lettingGAP)?agen(?:cy|t)GAP(?:calls?|contact|enquir\\w*)`,
  // "No se atienden llamadas de inmobiliarias", "não se aceitam imobiliárias", "we don't work with agents".
  `${negation}GAP(?:${bridge}GAP){0,4}?${dealWords}GAP(?:${fillerWords}GAP){0,8}?(?:${agencies}|${noneWords}GAP${agency})`,
  // "Dispensam-se imobiliárias", "prohibido inmobiliarias", "escluse agenzie", "agenzie escluse".
  `${refuse}GAP(?:${fillerWords}GAP){0,5}?${agencies}`,
  `${agencies}(?:GAP\\w+){0,2}?GAP(?:${dispense}|${notAllowed})`,
  // "Inmobiliarias no, gracias", "agencias ni llamar", "agents please do not call", "agencias no se aceptan".
  `${agencies}(?:GAP\\w+){0,3}?GAP${negation}(?:(?= ?(?:$|[^a-z0-9 ]))|GAP${thanksWords}|GAP(?:${bridge}GAP){0,3}?${callWords}|` +
    `GAP(?:se|si|s|son|sono|sao)GAP${dealWords})`,
  // "Si es usted agencia, no llame"; but "si su agencia no contesta" is a listing of an agency.
  `(?:si|se|if)GAP(?:${salutationWords}GAP){1,4}?(?:${agency}|${agencies})GAP(?:\\w+GAP){0,4}?` +
    `(?:${negation}GAP(?:${bridge}GAP){0,2}?${dealWords}|${abstainWords})`,
  // "Solo particulares", "trato solo con particulares", "només particulars", "private buyers only".
  `${onlyWords}GAP(?:${treatWords}GAP){0,3}(?:particulare?s|privati|privats|${privateEnglish})\\b`,
  `${privateEnglish}GAPonly`,
  // "Trato directo, sin intermediarios"; but "vendo sin intermediarios" only describes the sale.
  `(?<!\\b${sellWords}[^.!?;\\n]{0,80})\\b(?:sin|sem|senza|sense|without)GAP${agencies}(?!GAP(?:financier|finanzi|banc))`,
  // "Makleranfragen nicht erwünscht", "keine Makler".
  `keineGAP(?:immobilien)?makler(?:anfragen|angebote|anrufe)?\\b`,
  `makler(?:anfragen|angebote|anrufe)?GAP(?:(?:sind|werden|bitte)GAP)?(?:nichtGAPerwunscht|unerwunscht|zwecklos)`,
]
const requestPattern = new RegExp(`\\b(?:${requestPatterns.join('|')})`.replaceAll('GAP', gapPattern))

// Skips most listings quickly: they contain none of these words, nor letters that only look like plain ones.
const mentionPattern =
  /agen[ctz]|ag[èéê]nc|mobili[aàá]r|intermedi|mediador|mediatori|broker|realtor|corredor|comiss?ionist|angariador|particular|privat|makler|[\u0300-\u036f\ud835\uff21-\uff5a]/i

/**
 * Returns true if the text of a listing, in any case and with or without accents, excludes contact by agencies.
 * Statements such as "private sale", "no commission" and "we are not an agency" do not exclude them.
 */
export function statesNoAgencies(text: string | null): boolean {
  if (text === null || !mentionPattern.test(text)) return false
  // NFKD turns bold and full-width letters into plain ones.
  return requestPattern.test(
    text
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]+/g, '')
      .toLowerCase(),
  )
}

/** A pattern that matches one of these words, which are separated by white space and may be patterns. */
function words(list: string): string {
  return `(?:${list.trim().split(/\s+/).join('|')})\\b`
}
