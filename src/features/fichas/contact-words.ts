/** Words with which texts of listings name a person to contact, in the languages of the portals. */

const toAlternatives = (words: string) => words.trim().replace(/\s+/g, '|')
const toWords = (words: string) => String.raw`(?<!\p{L})(?:${toAlternatives(words)})(?!\p{L})`

/** Patterns for the flag `i`. */
const calls = toWords(String.raw`
  llam(?:a|ad|ar|e|en) pregunt(?:a|ad|ar|e|en|eu|i) (?<!en\s)contacto? contact(?:a|ad|ar|e|en|er|ez|eu|i) habl(?:a|ar|e) tratar atiende
  truc(?:a|ar|eu) truqu(?:i|eu) parl(?:ar|eu|i|er|ez) deman(?:ar|eu) atén falar? fale ligue pergunt(?:ar|e) atende
  contatt(?:a|are|i|ate) chiam(?:are|ate|i) chied(?:a|ere|ete) rivolgersi referente
  call ask speak appel(?:er|ez) demand(?:er|ez) rufen fragen ansprechpartner(?:in)? deitu galdetu`)
const introductions = toWords(String.raw`
  soy me\sllamo mi\snombre\ses sóc em\sdic chámome sou chamo-me sono mi\schiamo i['’]m my\sname\sis je\ssuis je\sm['’]appelle
  ich\sbin ich\sheiße naiz`)
const beforeName = toAlternatives(`
  a al con por per amb com di à avec for to with mit nach para pel[ao] sie la el en na o sr sra srta d dª don doña dott mr mrs ms herr frau
  m mme`)
const noNames = toWords('nosotros nosaltres us now noi nous uns')

const beforePerson = new RegExp(
  String.raw`${calls}\s{0,3}:?\s{0,3}(?:(?:${beforeName})\.?\s{1,3}){0,4}(?!${noNames})`,
  'giu',
)
const personName = /\p{Lu}\p{L}{1,20}(?:\s\p{Lu}\p{L}{1,20}){0,2}/uy

/**
 * Removes people to contact: `preguntar por Carles`, `Contacto: Marta`. Only the words before a name ignore case. They have
 * a pattern of their own, because a group that ignores case, `(?i:…)`, stopped matching in a long run of all tests.
 */
export function omitPeopleToContact(text: string): string {
  const kept: string[] = []
  let end = 0
  for (const { 0: words, index } of text.matchAll(beforePerson)) {
    personName.lastIndex = index + words.length
    if (index < end || !personName.test(text)) continue
    kept.push(text.slice(end, index))
    end = personName.lastIndex
  }
  return kept.join('') + text.slice(end)
}

/** A sentence with one of these and a name is about a person. */
export const aboutPerson = new RegExp(`${calls}|${introductions}`, 'iu')
