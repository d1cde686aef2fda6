// Whether the words of an advert ask agencies to keep away: Spanish, Catalan, Portuguese, Italian, English, and the set
// phrases of French and German owners.

// Patterns are written over lower-case words without accents; GAP is what stands between two words of one sentence: a
// space, a comma, a slash, a line break, never the end of the sentence.
const GAP = '[^a-z0-9.!?;•|]{1,3}'
const AGENCIES = words(`agencias agencies agenzie agences inmobiliarias imobiliarias immobiliari(?:e|es)
  intermediari(?:os|as|es|s)? intermediaires mediador(?:es|as) mediatori brokers realtors corredores comiss?ionistas
  angariador(?:es|as) agen(?:tes|ti|ts) (?:estate|letting)GAPagents (?:profesionales|asesores)GAPinmobiliarios
  consultoresGAPimobiliarios`)
// One agency is mostly the one that advertises: only the clearest phrases count.
const AGENCY = words(
  'agencia agenzia inmobiliaria imobiliaria immobiliaria agency agente agent intermediario intermediary',
)
const ABSTAIN = words(
  'abs?ten\\w* abster(?:se)? absten?ham abstem asten[eg]\\w* abstain refrain s?GAP?abstenir(?:GAPse)?',
)
// Whom else owners tell to keep away: those who waste their time, and those who have business of their own.
const IDLERS =
  words(`curios\\w* mirones perdite\\w* perdigiorno especul\\w* speculat\\w* estafa\\w* turist\\w*
  oportunist\\w* fumador\\w* mascot\\w* estudiant\\w*`)
const OTHERS = words('empres\\w* inversor\\w* investi\\w* fondos bancos anima\\w* studenti particular\\w*')

const NOT = words(`no non nao ni nem not never don[^a-z0-9]?t`)
const BRIDGE =
  words(`se s si ci me mi nos us lhe les os as la quiero queremos quero vull volem voglio vogliamo deseo
  deseamos desejo desejamos pretendo pretendemos sono siamo sou estoy estamos estou estic do to be will please por
  per favor favore plau prego want wish tengo tenemos tenho`)
// Dealings that an owner refuses; "no dude en contactar" refuses none, for what it denies is the doubt.
const DEAL =
  words(`acept\\w* admit\\w* admet\\w* atend\\w* atiend\\w* aten(?:e[mn]|c)? contest\\w* respond\\w* rispond\\w*
  trabaj\\w* trabalh\\w* treball\\w* lavor\\w* coll?abor\\w* llam\\w* conta[ct]\\w* molest\\w* disturb\\w* interes\\w*
  recib\\w* receb\\w* ricev\\w* negoci\\w* habl\\w* parl\\w* chiam\\w* telefon\\w* truc\\w* truqu\\w* insist\\w* quier\\w*
  quer\\w* dese\\w* pretend\\w* vogli\\w* aceit\\w* accett\\w* accept\\w* coge\\w* coja\\w* escrib\\w* consider\\w*
  trat(?:o|ar|are|amos) vull volem necesito necesitamos preciso precisamos deal want work call reply answer`)
// What an agency does to an owner; what else it does not do, such as to answer for its words, is no request.
const CALL =
  words(`llam\\w* conta[ct]\\w* molest\\w* disturb\\w* interes\\w* insist\\w* chiam\\w* telefon\\w* truc\\w*
  truqu\\w* call bother apply`)
const CONTACTS =
  words(`llamadas? visitas? visite ofertas? offerte oferiments mensajes? mensagens messaggi missatges
  contactos? contactes contatos? contatti contatto chamadas? telefonadas? chiamate telefonate trucades propostas?
  propuestas? proposte proposta calls? contact offers? messages? enquiries whatsapps? emails? mails? correos?`)
const LINK =
  words(`a al ad as os las los le les la de da das di dalle dai degli delle from by por parte y e i o u ou ni
  ne nem and or`)
const FILL = words(`${CONTACTS} ${LINK} ${IDLERS} ${OTHERS} gestion(?:es)? servicios? servicos servizi serveis
  intermediacion mediacao trato tratos trabajar trabalhar tratar saber nada colaborar colaboracion(?:es)? llamen
  llameis contacten contactem contatteu molesten que me nos del do dos d with any of con com amb per par part el els
  gli ningun[ao]? nenhum[ao]? nessun[ao]? cap tipus tipo otras? outras? altres altre other en em in favor gracias
  please comerciales telefonicas? si se son sois siete sono`)
const NONE = words('ningun[ao] nenhuma nessuna cap any')
const BARRED = words('proh?ibid[oa]s? vetad[oa]s? excluid[oa]s? esclus[eio]')
const DISPENSE = words('dispens(?:[oa]|am|amos|ad[oa]s)')
const REFUSE =
  words(`${DISPENSE}(?:GAPse\\b)? ${BARRED} rechazo rechazamos recus(?:o|amos|am) rifiut(?:o|iamo)
  evit(?:ar|en|ad|are|ate)`)
// How an owner speaks to an agency that reads the advert.
const ADDRESS =
  words(`usted ustedes voce tu vos lei you de del una un uma con para per por conto di da en in an a e es
  eres sois son sei siete for are trabaja\\w* trabalha\\w* lavora\\w* llama\\w* viene\\w*`)
const ONLY = words(
  `solo solamente unicamente exclusivamente so somente apenas nomes sols soltanto esclusivamente only`,
)
const TREAT =
  words(`de a ad con com amb entre tra trat[oa] tratos tratar atiendo atendemos atendo atienden atiende se
  llamadas llamar contatti contactos vendo interesados compradores particular`)
const PRIVATE_ENGLISH = 'privateGAP(?:buyers|individuals|parties|people)'
const THANKS = '(?:gracias|gracies|grazie|obrigad|please|thank)'
const SELL =
  words(`vend[aeiou]\\w* ventas? alquil\\w* arrend\\w* arriend\\w* alug\\w* affitt\\w* compr[aeo]r? llog\\w*
  acquist\\w* sell sold sale rent buy`)

const REQUESTS = [
  // "Abstenerse agencias", "astenersi perditempo e agenzie", "agències abstenir-se", "agences s'abstenir".
  `${ABSTAIN}(?:GAP\\w+){0,5}?GAP${AGENCIES}`,
  `${ABSTAIN}GAP(?:(?:de|la|las|cualquier|toda)GAP)?${AGENCY}`,
  `(?:${AGENCIES}(?:GAP\\w+){0,4}?|${AGENCY}(?:GAPporGAPfavor)?)GAP${ABSTAIN}(?!GAP(?:los |las |a )?${IDLERS})`,
  // "No agencias", "niente agenzie", "no curiosos ni agencias", "no calls from agents"; "no agents' fees" is none.
  `(?:no|nao|niente|nada|cero|basta|fuera)GAP(?:(?:${CONTACTS}|${IDLERS}|${OTHERS}|${LINK})GAP){0,5}?${AGENCIES}` +
    '(?!GAP(?:fees?|commissions?|charges?|costs?|involved|were)\\b)',
  // A sentence of its own: "Soy particular, no agencia" says who the owner is.
  `(?<=(?:^|[.!?;\\n•*(])\\s*)noGAP${AGENCY}(?=[^a-z0-9]*(?:$|[.!?;\\n]|gracias|grazie|por|per|obrigad))`,
  `noGAP(?:estateGAP|lettingGAP)?agen(?:cy|t)GAP(?:calls?|contact|enquir\\w*)`,
  // "No se atienden llamadas de inmobiliarias", "não se aceitam imobiliárias", "we don't work with agents".
  `${NOT}GAP(?:${BRIDGE}GAP){0,4}?${DEAL}GAP(?:${FILL}GAP){0,8}?(?:${AGENCIES}|${NONE}GAP${AGENCY})`,
  // "Dispensam-se imobiliárias", "prohibido inmobiliarias", "escluse agenzie", "agenzie escluse".
  `${REFUSE}GAP(?:${FILL}GAP){0,5}?${AGENCIES}`,
  `${AGENCIES}(?:GAP\\w+){0,2}?GAP(?:${DISPENSE}|${BARRED})`,
  // "Inmobiliarias no, gracias", "agencias ni llamar", "agents please do not call", "agencias no se aceptan".
  `${AGENCIES}(?:GAP\\w+){0,3}?GAP${NOT}(?:(?= ?(?:$|[^a-z0-9 ]))|GAP${THANKS}|GAP(?:${BRIDGE}GAP){0,3}?${CALL}|` +
    `GAP(?:se|si|s|son|sono|sao)GAP${DEAL})`,
  // "Si es usted agencia, no llame"; "si su agencia no contesta" is an agency's own advert.
  `(?:si|se|if)GAP(?:${ADDRESS}GAP){1,4}?(?:${AGENCY}|${AGENCIES})GAP(?:\\w+GAP){0,4}?` +
    `(?:${NOT}GAP(?:${BRIDGE}GAP){0,2}?${DEAL}|${ABSTAIN})`,
  // "Solo particulares", "trato solo con particulares", "només particulars", "private buyers only".
  `${ONLY}GAP(?:${TREAT}GAP){0,3}(?:particulare?s|privati|privats|${PRIVATE_ENGLISH})\\b`,
  `${PRIVATE_ENGLISH}GAPonly`,
  // "Trato directo, sin intermediarios"; "vendo sin intermediarios" only says how the owner sells.
  `(?<!\\b${SELL}[^.!?;\\n]{0,80})\\b(?:sin|sem|senza|sense|without)GAP${AGENCIES}(?!GAP(?:financier|finanzi|banc))`,
  // "Makleranfragen nicht erwünscht", "keine Makler".
  `keineGAP(?:immobilien)?makler(?:anfragen|angebote|anrufe)?\\b`,
  `makler(?:anfragen|angebote|anrufe)?GAP(?:(?:sind|werden|bitte)GAP)?(?:nichtGAPerwunscht|unerwunscht|zwecklos)`,
]
const REQUEST = new RegExp(`\\b(?:${REQUESTS.join('|')})`.replaceAll('GAP', GAP))

// Most adverts have none of these words, nor letters that only look like plain ones.
const MENTION =
  /agen[ctz]|ag[èéê]nc|mobili[aàá]r|intermedi|mediador|mediatori|broker|realtor|corredor|comiss?ionist|angariador|particular|privat|makler|[\u0300-\u036f\ud835\uff21-\uff5a]/i

/**
 * Whether `text`, the words of an advert in any capitals and with or without accents, asks agencies not to call. To say
 * that a private person sells, or directly, or without commission, or that one is no agency, is no such request.
 */
export function agenciesAbstain(text: string | null): boolean {
  if (text === null || !MENTION.test(text)) return false
  // Letters in bold or of full width are another form of the plain ones.
  return REQUEST.test(
    text
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]+/g, '')
      .toLowerCase(),
  )
}

/** One of these words, which are separated by blanks and may be patterns. */
function words(list: string): string {
  return `(?:${list.trim().split(/\s+/).join('|')})\\b`
}
