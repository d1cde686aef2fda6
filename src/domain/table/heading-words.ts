/** Recognizes headings by the words they consist of: headings for phones and e-mails are too many to list. */
import type { LeadField } from './lead-fields.ts'

const phoneWords =
  toWordSet(`telefono telefonos telf telef telfs tlf tlfn tlfno tlfs tfno tfn tfnos tel tels telefon telefons telefone telefones
  telefoni telemovel telemoveis tlm telem movil moviles mobil celular celulares cellulare cellulari cell phone phones telephone
  mobile cellphone whatsapp recapito recapiti`)
const emailWords = toWordSet('email emails mail mails correo correos correu correio')
/** Words that state which of several values it is. */
const qualifierWords =
  toWordSet(`n no nr nro num numero numeros number movil mobil movel mobile fijo fix fixo fisso cel casa domicilio
  particular personal personale pessoal privado privato residencial residencia abitazione trabajo trabalho lavoro oficina ufficio
  empresa laboral profesional profissional aziendale principal principale secundario secundaria secondario adicional alternativo
  alternativa preferido preferente opcional extra directo diretto valor value valore y o e i electronico electronica eletronico
  electronic elettronica telefonico telefonica comprador interesado interessato interessado solicitante inquilino posible`)
const agentWords =
  toWordSet(`agente agentes agent comercial captador captadora asesor asesora consultor consultora consulente agencia
  agenzia agency inmobiliaria imobiliaria immobiliare broker gestor gestora responsable responsabile responsavel angariador
  colaborador corredor delegacion sucursal empleado asignado assigned creador`)

function toWordSet(words: string): Set<string> {
  return new Set(words.split(/\s+/))
}

/** The words of a heading's key, without numbers. */
export function toWordsWithoutNumbers(key: string): string[] {
  return key.split(' ').filter(word => !/^\d+$/.test(word))
}

/** The field of a heading that consists only of these words. `key`: without the words that state whose value it is. */
export function findContactField(key: string): LeadField | null {
  const words = toWordsWithoutNumbers(key)
  const hasOnly = (names: Set<string>) =>
    words.some(word => names.has(word)) && words.every(word => names.has(word) || qualifierWords.has(word))
  return hasOnly(emailWords) ? 'contact.email' : hasOnly(phoneWords) ? 'contact.phone' : null
}

/** True if the heading has a word for a phone. */
export function mentionsPhone(key: string): boolean {
  return toWordsWithoutNumbers(key).some(word => phoneWords.has(word))
}

const rentWords =
  toWordSet(`alquiler alquilar alq precioalq lloguer arriendo arrendamiento arrendamento aluguer aluguel renta renda
  rent rental affitto locazione canone`)
const saleWords = toWordSet('venta vta venda vendita sale sales compra precioinmo')

/** The operation of a price column, in a table with a price for each operation. */
export function toPriceField(key: string): 'property.salePrice' | 'property.rentPrice' | null {
  const [isRent, isSale] = [rentWords, saleWords].map(words =>
    toWordsWithoutNumbers(key).some(word => words.has(word)),
  )
  if (isRent === isSale) return null
  return isRent ? 'property.rentPrice' : 'property.salePrice'
}

/** True for a heading such as "Number": after a street it is the house number. */
export function isBareNumber(key: string): boolean {
  return /^(?:n|no|nr|nro|num|numero|number)$/.test(key)
}

/** True if the heading is about the CRM's own users, who are not contacts of a lead. */
export function isAboutAgents(key: string): boolean {
  return toWordsWithoutNumbers(key).some(word => agentWords.has(word))
}
