/** Interprets codes and short words of embedded data: operation, type, status, energy rating. */
import { toPlainWords } from '../../plain-words.ts'
import type { Condition, Operation, PropertyType } from '../listing.ts'
import { parseTitleWords } from '../vocabulary.ts'
import type { EnergyRating, ListingValues, PropertySubtype } from './page-listing.ts'
import { allLanguages, findPhrase, toPhrase } from './words/words.ts'

const codeMax = 60
const rentPattern =
  /\b(rent|rental|rentals|to[ -]?rent|for[ -]?rent|to[ -]?let|letting|lettings|lease|let|alquiler|arrendamiento|arrendamento|arrendar|aluguel|location|louer|miete|mieten|vermietung|affitto|huur|verhuur|te huur|wynajem|pronajem|lloguer)\b/
const salePattern =
  /\b(sale|sales|sell|buy|for[ -]?sale|resale|purchase|venta|venda|vente|achat|vendre|acheter|comprar|kauf|kaufen|verkauf|vendita|koop|te koop|verkoop|sprzedaz|prodej|compra)\b/

/** The operation that a code names (`FOR_SALE`, `rent`, `VENTA`), or null if it names none or both. */
export function parseOperationCode(text: string): Operation | null {
  const words = toWords(text)
  if (words === null) return null
  const isRent = rentPattern.test(words)
  const isSale = salePattern.test(words)
  return isRent === isSale ? null : isRent ? 'rent' : 'sale'
}

const subtypePatterns: [RegExp, PropertySubtype][] = [
  [/\b(mobile home|mobil ?home|park home|static caravan)\b/, 'mobile_home'],
  [/\b(duplex|triplex|maisonette)\b/, 'duplex'],
  [/\b(penthouse|atico|attico|dachgeschoss penthouse)\b/, 'penthouse'],
  [/\b(loft)\b/, 'loft'],
  [/\b(studio|estudio|monolocale|kitnet)\b/, 'studio'],
  [
    /\b(detached|semi[ -]detached|terraced?|house|houses|villa|villas|chalet|casa|casas|maison|haus|huis|dom|rodinny dum|bungalow|cottage|townhouse|town house|moradia|vivenda|villetta|einfamilienhaus|doppelhaushalfte|reihenhaus|single family|family home|adosado|pareado|finca|lodge|cabin|farmhouse|semi d|end of terrace|country house)\b/,
    'house',
  ],
  [
    /\b(apartment|apartments|flat|flats|condo|condos|condominium|condominio|apartamento|appartement|wohnung|appartamento|piso|pisos|departamento|mieszkanie|byt|bytu|etagenwohnung|unit apartment|квартира|apto)\b/,
    'apartment',
  ],
  [/\b(plot|land|lots?|terreno|terrain|grundstuck|solar|pozemek|dzialka|perceel)\b/, 'land'],
  [/\b(office|offices|oficina|bureau|buro|ufficio|escritorio|biuro|kantoor)\b/, 'office'],
  [
    /\b(retail|shop|premises|hotel|restaurant|warehouse|local comercial|commerce|laden|negozio|loja|winkel)\b/,
    'premises',
  ],
  [/\b(garage|garaje|parking|stellplatz|garagem|box auto)\b/, 'garage'],
  [/\b(storage|trastero|arrecadacao|cantina)\b/, 'storage'],
  [/\b(building|edificio|immeuble|mehrfamilienhaus|palazzo)\b/, 'building'],
  [/\b(room|habitacion|chambre|wg zimmer|stanza|quarto)\b/, 'room'],
]
/** Types that the product supports. */
export const typeBySubtype: Partial<Record<PropertySubtype, PropertyType>> = {
  apartment: 'homes',
  house: 'homes',
  duplex: 'homes',
  penthouse: 'homes',
  studio: 'homes',
  loft: 'homes',
  mobile_home: 'homes',
  office: 'offices',
  premises: 'premises',
  garage: 'garages',
}

/** The type of property that a code names (`semi_detached`, `APARTMENT`, `Wohnung`); {} if it names none. */
export function parseTypeCode(text: string): { subtype?: PropertySubtype; propertyType?: PropertyType } {
  const words = toWords(text)
  if (words === null) return {}
  const subtype = subtypePatterns.find(([pattern]) => pattern.test(words))?.[1]
  const propertyType = subtype === undefined ? parseTitleWords(words).propertyType : typeBySubtype[subtype]
  return { ...(subtype && { subtype }), ...(propertyType && { propertyType }) }
}

/** `GOOD`, `TO_BE_DONE_UP`, `Bom estado`; null for anything else. */
export function parseConditionCode(text: string): Condition | null {
  const words = toWords(text)
  return words === null ? null : findPhrase('condition', toPhrase(words), allLanguages)
}

export function parseStatusCode(text: string): ListingValues['status'] {
  const words = toWords(text)
  if (words === null) return null
  if (
    /\b(sold|rented|withdrawn|removed|off market|inactive|expired|deleted|vendido|alquilado|verkauft|vermietet|archived)\b/.test(
      words,
    )
  )
    return 'withdrawn'
  if (
    /\b(reserved|sale agreed|under offer|pending|reservado|reserviert|sous compromis|let agreed|under contract|sstc|contingent|offer accepted|sous offre|optioniert|in trattativa)\b/.test(
      words,
    )
  )
    return 'reserved'
  return /\b(available|active|published|for sale|for rent|to let|online|disponible|disponivel|in stock)\b/.test(
    words,
  )
    ? 'available'
    : null
}

/** A letter with any sign (`B3`, `A+`, `d`), `in progress` or `exempt`; null for anything else. */
export function parseEnergyCode(text: string): EnergyRating | null {
  const words = toPlainWords(text.slice(0, codeMax)).trim()
  const letter =
    /^(?:(?:epc|ber|dpe|klasse|class|clase|classe|rating|energy|ce)[: ]*)?([a-g])[\d+]{0,3}$/.exec(words)?.[1]
  if (letter !== undefined) return letter.toUpperCase() as EnergyRating
  if (/\b(in progress|en tramite|em curso|in corso|pending|en cours)\b/.test(words)) return 'in_progress'
  return /\b(exempt|exento|isento|esente|exempte)\b/.test(words) ? 'exempt' : null
}

function toWords(text: string): string | null {
  if (text.length > codeMax) return null
  return toPlainWords(text.replace(/([a-z])([A-Z])/g, '$1 $2'))
    .replace(/[_/.:-]+/g, ' ')
    .trim()
}
