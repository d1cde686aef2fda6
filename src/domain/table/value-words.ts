// Cells of one word or two out of a small set, in the languages of the field, into the product's own values.
import { CHANNELS, type Channel, LAWFUL_BASIS_KINDS, type LawfulBasisKind } from '../contactability/facts.ts'
import { type Feature, readFeatureName } from '../listing/features.ts'
import {
  CONDITIONS,
  type Condition,
  OPERATIONS,
  type Operation,
  PROPERTY_TYPES,
  type PropertyType,
} from '../listing/listing.ts'
import { readDetailLines, readFeature, readTitleWords } from '../listing/vocabulary.ts'
import { plainWords } from '../plain-words.ts'
import { remembered } from '../remembered.ts'

export const LEAD_STATUSES = ['new', 'contacted', 'replied', 'qualified', 'won', 'lost', 'discarded'] as const
export type LeadStatus = (typeof LEAD_STATUSES)[number]
export type AdvertiserType = 'private' | 'agency'

/** The product's own values and, after each, the words that mean it: plain letters, parted by commas. */
type Words<T extends string> = Record<T, string>

const OPERATION_WORDS: Words<Operation> = {
  sale: `sell, selling, for sale, buy, venta, ventas, en venta, vender, vendo, vende, se vende, compraventa, compra,
    comprar, venda, em venda, en venda, a venda, vendita, in vendita, vendesi, vendere, compravendita`,
  rent: `rental, for rent, to rent, let, to let, letting, lettings, alquiler, en alquiler, alquilar, alquilo, se alquila,
    arrendamiento, lloguer, en lloguer, de lloguer, llogar, arrendamento, arrendar, para arrendar, aluguer, aluguel,
    alugar, affitto, in affitto, affittasi, affittare, locazione, in locazione`,
}
const PROPERTY_TYPE_WORDS: Words<PropertyType> = {
  homes: `home, residential, residencial, residenziale, penthouse, vivienda, unifamiliar, pareado, masia, planta baja, pis,
    pisos, habitatge, xalet, atic, casa adossada, planta baixa, apartament, estudi, torre, dwelling`,
  offices: 'office, despatx, despatxos, oficines, ufficio',
  premises:
    'commercial, comercial, commerciale, locale, nau, nau industrial, botiga, local comercial, premise, shop',
  garages: `garage, garatge, aparcament, aparcamiento, parking, parquing, plaza de garaje, plaza garaje, plaza de parking,
    garagem, box, box auto, posto auto`,
}
const CONDITION_WORDS: Words<Condition> = {
  new: `nuevo, nueva, obra nueva, a estrenar, nou, nova, novo, obra nova, a estrear, nuovo, nuova, nuova costruzione,
    brand new, new build, newly built`,
  good: `buen estado, muy buen estado, bueno, muy bueno, bien, reformado, reformada, rehabilitado, perfecto estado,
    excelente, para entrar a vivir, bon estat, reformat, bom, bom estado, muito bom, usado, renovado, remodelado, buono,
    buono stato, ottimo, buono / abitabile, ottimo / ristrutturato, abitabile, ristrutturato, very good, excellent,
    renovated, refurbished`,
  to_renovate: `a reformar, para reformar, reformar, a rehabilitar, mal estado, per reformar, a renovar, para recuperar,
    para remodelar, da ristrutturare, needs renovation, to be renovated, needs work`,
}
const STATUS_WORDS: Words<LeadStatus> = {
  new: `nuevo, nueva, nou, nova, novo, nuovo, open, abierto, pendiente, sin contactar, por contactar, to contact,
    not contacted, non contattato`,
  contacted: `contactado, contactada, contactat, contatado, contattato, attempted to contact, attempted, llamado,
    in progress, en curso, en proceso, working, connected`,
  replied: 'respondido, ha respondido, contesta, ha respost, respondeu, ha risposto, risposto, answered',
  qualified:
    'cualificado, calificado, qualificat, qualificado, qualificato, interesado, interessat, interessado, interessato',
  won: 'ganado, ganada, guanyat, ganho, vinto, closed won, converted, convertido, captado, cliente, vendido',
  lost: 'perdido, perdida, perdut, perso, closed lost',
  discarded:
    'descartado, descartada, descartat, scartato, unqualified, not interested, no interesado, baja, junk',
}
const ADVERTISER_WORDS: Words<AdvertiserType> = {
  private: `particular, particulares, propietario, propietari, proprietario, privato, privado, owner, private owner,
    individual, persona fisica, fsbo`,
  agency: `agencia, agencia inmobiliaria, inmobiliaria, profesional, professional, imobiliaria, agenzia,
    agenzia immobiliare, professionista, immobiliaria, empresa, company, real estate agency, estate agent, pro, business`,
}
const CHANNEL_WORDS: Words<Channel> = {
  chat: 'whatsapp,wa,sms,message,messages,mensaje,mensajes,mensagem,mensagens,messaggio,messaggi,missatge,missatges',
  phone:
    'telephone,call,calls,telefono,telefon,telefone,llamada,llamadas,chamada,chamadas,chiamata,chiamate,trucada,trucades',
  email:
    'e-mail,mail,correo,correo electronico,correu,correu electronic,correio eletronico,posta elettronica',
}
const LAWFUL_BASIS_WORDS: Words<LawfulBasisKind> = {
  consent: `consentimiento, consentiment, consentimento, consenso, freely given consent from contact, opt in, optin,
    consentimiento expreso, yes, y, si, sim, true, 1, x`,
  contract: `contrato, contracte, contratto, performance of a contract, ejecucion de un contrato, precontractual,
    encargo, mandato, incarico`,
  legitimate_interest: `legitimate interest, legitimate interests, interes legitimo, interes legitim, interesse legitimo,
    legittimo interesse, interesse legittimo, legitimate interest existing customer, legitimate interest prospect lead`,
}

const YES = new Set('yes,y,si,s,sim,true,verdadero,vero,1,x,✓,✔,✅,tiene,incluido'.split(','))
const NO = new Set(
  'no,n,nao,false,falso,0,sin,sem,senza,ninguno,ninguna,nenhum,nenhuma,nessuno,nessuna,✗,✘,❌,no tiene'.split(
    ',',
  ),
)

/** `null`: the words mean none of the values. */
export type WordReader<T extends string> = (text: string) => T | null

const operationOf = lookUp(OPERATIONS, OPERATION_WORDS)
const propertyTypeOf = lookUp(PROPERTY_TYPES, PROPERTY_TYPE_WORDS)
const conditionOf = lookUp(CONDITIONS, CONDITION_WORDS)

/** A cell that names both has no operation. */
export const readOperation: WordReader<Operation> = remembered(text => {
  const parts = text.split(/[/,;|]|\s(?:y|o|e|i|and|or)\s/).map(part => operationOf(part))
  if (parts.includes('sale') && parts.includes('rent')) return null
  return operationOf(text) ?? parts.find(part => part !== null) ?? readTitleWords(text).operation ?? null
})
export const readPropertyType: WordReader<PropertyType> = remembered(
  text => propertyTypeOf(text) ?? readTitleWords(text).propertyType ?? null,
)
export const readCondition: WordReader<Condition> = remembered(
  text => conditionOf(text) ?? readDetailLines([text]).condition ?? null,
)
export const readStatus = lookUp(LEAD_STATUSES, STATUS_WORDS)
export const readAdvertiserType = lookUp(['private', 'agency'], ADVERTISER_WORDS)
export const readChannel = lookUp(CHANNELS, CHANNEL_WORDS)
export const readLawfulBasisKind = lookUp(LAWFUL_BASIS_KINDS, LAWFUL_BASIS_WORDS)

/** Whether a cell says yes or no (`Sí`, `x`, `FALSE`); null if it says anything else. */
export function readYesNo(text: string): boolean | null {
  const word = keyOf(text)
  return YES.has(word) ? true : NO.has(word) ? false : null
}

/** What one entry of a list of features names; empty if it says that something is missing, null if it is not known. */
export const readFeatureWords = remembered((text: string): readonly Feature[] | null => {
  const named = readFeatureName(text)
  if (named !== null) return [named]
  const { features } = readDetailLines([text])
  if (features !== undefined) return features
  return /^(?:no|sin|sem|senza|sense|without|não|nao)\s/i.test(text) ? [] : null
})

/** The feature that a column of yes and no is about, by its heading (`Ascensor`, `¿Piscina?`). */
export const featureOfHeading = remembered((heading: string): Feature | null => {
  const words = heading
    .replace(/^(?:tiene|has|con|com|ha)\s+/i, '')
    .replace(/[^\p{L}\p{N} ]+/gu, ' ')
    .trim()
  return words.split(/\s+/).length <= 3 ? readFeature(words) : null
})

function lookUp<T extends string>(values: readonly T[], words: Words<T>): WordReader<T> {
  const meanings = new Map<string, T>()
  for (const value of values)
    for (const word of [value, ...words[value].split(',')])
      meanings.set(keyOf(word.replace(/\s+/g, ' ')), value)
  return text => meanings.get(keyOf(text)) ?? null
}

function keyOf(text: string): string {
  return plainWords(text.slice(0, 100))
    .replace(/[_\s]+/g, ' ')
    .replace(/^[\s"'(]+|[\s"').!:]+$/g, '')
}
