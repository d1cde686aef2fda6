/** Interprets cells of one or two words from a small set, in the languages of the portals. */
import {
  type Channel,
  contactChannels,
  type LawfulBasisKind,
  lawfulBasisKinds,
} from '../contactability/facts.ts'
import { type Feature, parseFeatureName } from '../listing/features.ts'
import {
  type Condition,
  listingOperations,
  listingPropertyTypes,
  type Operation,
  type PropertyType,
  propertyConditions,
} from '../listing/listing.ts'
import { parseDetailLines, parseFeature, parseTitleWords } from '../listing/vocabulary.ts'
import { memoize } from '../memoize.ts'
import { toPlainWords } from '../plain-words.ts'

export const leadStatuses = ['new', 'contacted', 'replied', 'qualified', 'won', 'lost', 'discarded'] as const
export type LeadStatus = (typeof leadStatuses)[number]
export type AdvertiserType = 'private' | 'agency'

/** Each value with its synonyms, without accents, separated by commas. */
type Words<T extends string> = Record<T, string>

const operationWords: Words<Operation> = {
  sale: `sell, selling, for sale, buy, venta, ventas, en venta, vender, vendo, vende, se vende, compraventa, compra,
    comprar, venda, em venda, en venda, a venda, vendita, in vendita, vendesi, vendere, compravendita`,
  rent: `rental, for rent, to rent, let, to let, letting, lettings, alquiler, en alquiler, alquilar, alquilo, se alquila,
    arrendamiento, lloguer, en lloguer, de lloguer, llogar, arrendamento, arrendar, para arrendar, aluguer, aluguel,
    alugar, affitto, in affitto, affittasi, affittare, locazione, in locazione`,
}
const propertyTypeWords: Words<PropertyType> = {
  homes: `home, residential, residencial, residenziale, penthouse, vivienda, unifamiliar, pareado, masia, planta baja, pis,
    pisos, habitatge, xalet, atic, casa adossada, planta baixa, apartament, estudi, torre, dwelling`,
  offices: 'office, despatx, despatxos, oficines, ufficio',
  premises:
    'commercial, comercial, commerciale, locale, nau, nau industrial, botiga, local comercial, premise, shop',
  garages: `garage, garatge, aparcament, aparcamiento, parking, parquing, plaza de garaje, plaza garaje, plaza de parking,
    garagem, box, box auto, posto auto`,
}
const conditionWords: Words<Condition> = {
  new: `nuevo, nueva, obra nueva, a estrenar, nou, nova, novo, obra nova, a estrear, nuovo, nuova, nuova costruzione,
    brand new, new build, newly built`,
  good: `buen estado, muy buen estado, bueno, muy bueno, bien, reformado, reformada, rehabilitado, perfecto estado,
    excelente, para entrar a vivir, bon estat, reformat, bom, bom estado, muito bom, usado, renovado, remodelado, buono,
    buono stato, ottimo, buono / abitabile, ottimo / ristrutturato, abitabile, ristrutturato, very good, excellent,
    renovated, refurbished`,
  to_renovate: `a reformar, para reformar, reformar, a rehabilitar, mal estado, per reformar, a renovar, para recuperar,
    para remodelar, da ristrutturare, needs renovation, to be renovated, needs work`,
}
const statusWords: Words<LeadStatus> = {
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
const advertiserWords: Words<AdvertiserType> = {
  private: `particular, particulares, propietario, propietari, proprietario, privato, privado, owner, private owner,
    individual, persona fisica, fsbo`,
  agency: `agencia, agencia inmobiliaria, inmobiliaria, profesional, professional, imobiliaria, agenzia,
    agenzia immobiliare, professionista, immobiliaria, empresa, company, real estate agency, estate agent, pro, business`,
}
const channelWords: Words<Channel> = {
  chat: 'whatsapp,wa,sms,message,messages,mensaje,mensajes,mensagem,mensagens,messaggio,messaggi,missatge,missatges',
  phone:
    'telephone,call,calls,telefono,telefon,telefone,llamada,llamadas,chamada,chamadas,chiamata,chiamate,trucada,trucades',
  email:
    'e-mail,mail,correo,correo electronico,correu,correu electronic,correio eletronico,posta elettronica',
}
const lawfulBasisWords: Words<LawfulBasisKind> = {
  consent: `consentimiento, consentiment, consentimento, consenso, freely given consent from contact, opt in, optin,
    consentimiento expreso, yes, y, si, sim, true, 1, x`,
  contract: `contrato, contracte, contratto, performance of a contract, ejecucion de un contrato, precontractual,
    encargo, mandato, incarico`,
  legitimate_interest: `legitimate interest, legitimate interests, interes legitimo, interes legitim, interesse legitimo,
    legittimo interesse, interesse legittimo, legitimate interest existing customer, legitimate interest prospect lead`,
}

const yesWords = new Set('yes,y,si,s,sim,true,verdadero,vero,1,x,✓,✔,✅,tiene,incluido'.split(','))
const noWords = new Set(
  'no,n,nao,false,falso,0,sin,sem,senza,ninguno,ninguna,nenhum,nenhuma,nessuno,nessuna,✗,✘,❌,no tiene'.split(
    ',',
  ),
)

/** Null if the words mean none of the values. */
export type WordParser<T extends string> = (text: string) => T | null

const parseOperationWord = createWordParser(listingOperations, operationWords)
const parsePropertyTypeWord = createWordParser(listingPropertyTypes, propertyTypeWords)
const parseConditionWord = createWordParser(propertyConditions, conditionWords)

/** A cell that names both operations has none. */
export const parseOperation: WordParser<Operation> = memoize(text => {
  const parts = text.split(/[/,;|]|\s(?:y|o|e|i|and|or)\s/).map(part => parseOperationWord(part))
  if (parts.includes('sale') && parts.includes('rent')) return null
  return (
    parseOperationWord(text) ?? parts.find(part => part !== null) ?? parseTitleWords(text).operation ?? null
  )
})
export const parsePropertyType: WordParser<PropertyType> = memoize(
  text => parsePropertyTypeWord(text) ?? parseTitleWords(text).propertyType ?? null,
)
export const parseCondition: WordParser<Condition> = memoize(
  text => parseConditionWord(text) ?? parseDetailLines([text]).condition ?? null,
)
export const parseStatus = createWordParser(leadStatuses, statusWords)
export const parseAdvertiserType = createWordParser(['private', 'agency'], advertiserWords)
export const parseChannel = createWordParser(contactChannels, channelWords)
export const parseLawfulBasisKind = createWordParser(lawfulBasisKinds, lawfulBasisWords)

/** Reads yes or no (`Sí`, `x`, `FALSE`); null for anything else. */
export function parseYesNo(text: string): boolean | null {
  const word = toKey(text)
  return yesWords.has(word) ? true : noWords.has(word) ? false : null
}

/** The features in one entry of a list; empty if it states an absence, null if it is unknown. */
export const parseFeatureWords = memoize((text: string): readonly Feature[] | null => {
  const named = parseFeatureName(text)
  if (named !== null) return [named]
  const { features } = parseDetailLines([text])
  if (features !== undefined) return features
  return /^(?:no|sin|sem|senza|sense|without|não|nao)\s/i.test(text) ? [] : null
})

/** The feature of a yes/no column, by its heading (`Ascensor`, `¿Piscina?`). */
export const findFeatureByHeading = memoize((heading: string): Feature | null => {
  const words = heading
    .replace(/^(?:tiene|has|con|com|ha)\s+/i, '')
    .replace(/[^\p{L}\p{N} ]+/gu, ' ')
    .trim()
  return words.split(/\s+/).length <= 3 ? parseFeature(words) : null
})

function createWordParser<T extends string>(values: readonly T[], words: Words<T>): WordParser<T> {
  const meanings = new Map<string, T>()
  for (const value of values)
    for (const word of [value, ...words[value].split(',')])
      meanings.set(toKey(word.replace(/\s+/g, ' ')), value)
  return text => meanings.get(toKey(text)) ?? null
}

function toKey(text: string): string {
  return toPlainWords(text.slice(0, 100))
    .replace(/[_\s]+/g, ' ')
    .replace(/^[\s"'(]+|[\s"').!:]+$/g, '')
}
