/** Headings told by the words they are made of: of how somebody is reached there are too many to list. */
import type { LeadField } from './lead-fields.ts'

const PHONE =
  wordSet(`telefono telefonos telf telef telfs tlf tlfn tlfno tlfs tfno tfn tfnos tel tels telefon telefons telefone telefones
  telefoni telemovel telemoveis tlm telem movil moviles mobil celular celulares cellulare cellulari cell phone phones telephone
  mobile cellphone whatsapp recapito recapiti`)
const EMAIL = wordSet('email emails mail mails correo correos correu correio')
/** Words that say which of several it is. */
const WHICH =
  wordSet(`n no nr nro num numero numeros number movil mobil movel mobile fijo fix fixo fisso cel casa domicilio
  particular personal personale pessoal privado privato residencial residencia abitazione trabajo trabalho lavoro oficina ufficio
  empresa laboral profesional profissional aziendale principal principale secundario secundaria secondario adicional alternativo
  alternativa preferido preferente opcional extra directo diretto valor value valore y o e i electronico electronica eletronico
  electronic elettronica telefonico telefonica comprador interesado interessato interessado solicitante inquilino posible`)
const AGENTS =
  wordSet(`agente agentes agent comercial captador captadora asesor asesora consultor consultora consulente agencia
  agenzia agency inmobiliaria imobiliaria immobiliare broker gestor gestora responsable responsabile responsavel angariador
  colaborador corredor delegacion sucursal empleado asignado assigned creador`)

function wordSet(words: string): Set<string> {
  return new Set(words.split(/\s+/))
}

/** The words of a heading's key, without numbers. */
export function wordsOf(key: string): string[] {
  return key.split(' ').filter(word => !/^\d+$/.test(word))
}

/** What a heading is that has no other words than these. `key`: without what says whose it is. */
export function reachedBy(key: string): LeadField | null {
  const words = wordsOf(key)
  const isOnly = (names: Set<string>) =>
    words.some(word => names.has(word)) && words.every(word => names.has(word) || WHICH.has(word))
  return isOnly(EMAIL) ? 'contact.email' : isOnly(PHONE) ? 'contact.phone' : null
}

/** Whether it has a word for a phone, among others. */
export function mentionsPhone(key: string): boolean {
  return wordsOf(key).some(word => PHONE.has(word))
}

const RENT =
  wordSet(`alquiler alquilar alq precioalq lloguer arriendo arrendamiento arrendamento aluguer aluguel renta renda
  rent rental affitto locazione canone`)
const SALE = wordSet('venta vta venda vendita sale sales compra precioinmo')

/** Which price a column of prices has, where a table has one for each operation. */
export function priceOf(key: string): 'property.salePrice' | 'property.rentPrice' | null {
  const [isRent, isSale] = [RENT, SALE].map(words => wordsOf(key).some(word => words.has(word)))
  if (isRent === isSale) return null
  return isRent ? 'property.rentPrice' : 'property.salePrice'
}

/** A heading such as "Number": beside a street it is the house number. */
export function isBareNumber(key: string): boolean {
  return /^(?:n|no|nr|nro|num|numero|number)$/.test(key)
}

/** Whether it is about the CRM's own people, whom nobody is to call for a lead. */
export function isOfAgents(key: string): boolean {
  return wordsOf(key).some(word => AGENTS.has(word))
}
