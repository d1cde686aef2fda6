/** The first name of a person. */
import { isAgencyName } from '../../domain/listing/reader/agency-words.ts'

/** Titles in nine languages, without full stops. */
const titles = new Set(
  'sr sra srta don doña dña d da sres senyor senyora jaun senhor senhora dr dra dott sig sigra ing mr mrs ms miss m mme mlle monsieur madame herr frau'.split(
    ' ',
  ),
)

/** First words of what portals and people write instead of a name: "Particular", "Sin nombre", "Casa de Ana". */
const otherWords = new Set(
  [
    'particular particulares propietario propietaria propietarios propietari propietària proprietario proprietaria',
    'proprietário proprietária jabea dueño dueña titular anunciante anunciant vendedor vendedora usuario usuaria usuari',
    'utente utilizador cliente client contacto contacte contatto contact sin sense sen sem senza without no none null',
    'desconocido anónimo anonymous unknown owner private seller landlord user advertiser privat privato privata privé',
    'privater anbieter eigentümer verkäufer vermieter kunde particulier propriétaire vendeur bailleur',
    'el la los las els les lo un una o os as il i gli le the der die das',
    'casa piso pis vivienda finca ático chalet apartamento apartament apartement appartamento local garaje terreno',
    'flat house home apartment wohnung haus maison appartement etxea pisua venta venda alquiler se vendo alquilo',
  ].flatMap(words => words.split(' ')),
)

/**
 * Returns the first word of a name that is no title; null: it is an abbreviation such as "Mª", a family name, an agency or no
 * name at all.
 */
export function toFirstName(name: string | null): string | null {
  if (name === null || isAgencyName(name)) return null
  // "Soler, Marta" has the first name last.
  const [start = '', end = ''] = name.split(',', 2)
  const all = (end.trim() || start).trim().split(/\s+/)
  const words = all.filter(word => !titles.has(word.toLowerCase().replaceAll('.', '')))
  const first = words[0]
  // "Sra. Soler" has no first name.
  if (first === undefined || (words.length === 1 && all.length > 1)) return null
  if (!/^(?!M[ªa]?$)\p{L}[\p{L}\p{M}'’·-]+$/u.test(first)) return null
  const lower = first.toLowerCase()
  if (otherWords.has(lower)) return null
  const isOneCase = first === lower || first === first.toUpperCase()
  return isOneCase ? lower.replace(/^./u, initial => initial.toUpperCase()) : first
}
