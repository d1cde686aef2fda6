/** Recognizes the names of estate agencies. */
import { toPlainWords } from '../../plain-words.ts'

const agencyWords =
  /\b(real estate|estates?|estate agents?|realty|realtors?|inmobiliari[ao]s?|immobilien|immobilier|immobiliar[ei]|imobiliaria|imoveis|immobiliaria|properties|property|propiedades|makelaar|makelaardij|makelaars|nieruchomosci|reality|realitni|agency|agences?|agenzi[ae]|agencias?|auctioneers?|brokers?|lettings|gmbh|s\.?l\.?u?|ltd|llc|s\.?r\.?l|sarl|spolka|sp\. z o\.o|s\.?r\.?o|re\/?max|century 21|consulting|group|homes|fincas|finques|residential|vastgoed|недвижимост\p{L}*)(?![\p{L}\d])/u

/** True if a word of the name is typical of agencies. */
export function isAgencyName(name: string): boolean {
  return agencyWords.test(toPlainWords(name.slice(0, 200)))
}
