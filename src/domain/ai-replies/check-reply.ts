/**
 * Checks what a model wrote before it goes to a person. The rules do not trust the model: whatever it was made to write, it names only
 * what the agency itself has written or the program has looked up.
 */
import type { MessageLanguage } from '../messaging/opt-out-words.ts'
import { toPlainWords } from '../plain-words.ts'
import { listAmounts, wordedAmount } from './amounts.ts'
import { detectLanguage } from './detect-language.ts'
import { hasForeignPhrase } from './phrases.ts'
import { isRelevant } from './relevance.ts'

/** What an answer may name. */
export interface ReplyGrounds {
  /** The facts of the listing, the FAQ, the instructions, what tools returned, and what people of the agency wrote. */
  texts: readonly string[]
  /** What the person has written. */
  heard: readonly string[]
  /** What the model must not repeat: the rules that the program gives it. */
  secrets: readonly string[]
  /** Hosts of links, in lower case. */
  hosts: readonly string[]
  /** The language of the answer; null: not known. */
  language: MessageLanguage | null
  charactersMax: number
}

export type ReplyProblem =
  | 'EMPTY'
  | 'TOO_LONG'
  | 'WRONG_LANGUAGE'
  | 'LINK'
  | 'PHONE'
  | 'ADDRESS'
  | 'AMOUNT'
  | 'PROMISE'
  | 'MARKUP'
  | 'PROMPT'
  | 'HUMAN'
  | 'REPEATED'
  | 'OFF_TOPIC'

const linesMax = 12

/** The rules that the answer breaks; empty: it may be sent. */
export function checkReply(text: string, grounds: ReplyGrounds): ReplyProblem[] {
  const plain = toPlainWords(text.normalize('NFKC').replace(/\p{Cf}/gu, '')).replace(/\s+/g, ' ')
  const grounded = grounds.texts.map(each => toPlainWords(each.normalize('NFKC')).replace(/\s+/g, ' '))
  const known = { grounded, amounts: new Set(grounds.texts.flatMap(listAmounts)) }
  const rules: [ReplyProblem, boolean][] = [
    ['EMPTY', text.trim() === ''],
    ['TOO_LONG', [...text].length > grounds.charactersMax || text.split('\n').length > linesMax],
    ['WRONG_LANGUAGE', isOtherLanguage(text, grounds.language)],
    ['LINK', hasForeignLink(plain, grounded, grounds.hosts)],
    ['PHONE', hasForeignPhone(plain, known)],
    ['ADDRESS', hasForeignAddress(plain, grounded)],
    ['AMOUNT', hasForeignAmount(plain, known)],
    ['PROMISE', hasForeignPromise(plain, grounded)],
    ['MARKUP', markup.test(text)],
    ['PROMPT', repeatsSecret(plain, grounds.secrets)],
    ['HUMAN', claimsToBeHuman.test(plain)],
    ['REPEATED', repeatsPerson(plain, { heard: grounds.heard, grounded })],
    ['OFF_TOPIC', isOffTopic(text, plain, { ...known, language: grounds.language })],
  ]
  return rules.filter(([, isBroken]) => isBroken).map(([problem]) => problem)
}

interface Known {
  /** The grounds in plain words. */
  grounded: readonly string[]
  /** Their amounts. */
  amounts: ReadonlySet<string>
}

function isOffTopic(
  text: string,
  plain: string,
  { grounded, amounts, language }: Known & Pick<ReplyGrounds, 'language'>,
): boolean {
  if (isSaidByAgency(plain, grounded)) return false
  if (hasForeignPhrase(text)) return true
  return !isRelevant(plain, grounded, language) && !listAmounts(plain).some(amount => amounts.has(amount))
}

/** True for an answer that stands in the FAQ as it is, however short. */
const isSaidByAgency = (plain: string, grounded: readonly string[]): boolean => {
  const said = ` ${toPlainRun(plain)} `
  return said.trim() !== '' && grounded.some(text => ` ${toPlainRun(text)} `.includes(said))
}

/** Fewer words are those of several languages. */
const languageWordsMin = 6

function isOtherLanguage(text: string, language: MessageLanguage | null): boolean {
  if (language === null || (text.match(/\p{L}+/gu) ?? []).length < languageWordsMin) return false
  return detectLanguage(text, { spoken: language }) !== language
}

const links =
  /(?:[a-z][a-z0-9+.-]{1,20}:\/\/|\bwww\.)[^\s<>"]+|\b(?:[a-z0-9-]+\.)+(?:[a-z]{2,24}|xn--[a-z0-9-]+)\b(?:\/[^\s<>"]*)?/gu
/** Written so that no pattern finds it: "example punto com", "example (dot) com". */
const hiddenLink =
  /[([{ ]+(?:punto|dot|ponto|punkt|point|punt|puntu)[)\]} ]+(?:com|net|org|info|io|es|de|pt|it|fr|cat|eus|gal|me|ly|co|app|xyz|top|link)\b|\bhxxps?\b|:\/\/[^\s/]*@|\bdata:|\bjavascript:/u

function hasForeignLink(plain: string, grounded: readonly string[], hosts: readonly string[]): boolean {
  if (hiddenLink.test(plain)) return true
  const withoutAddresses = plain.replace(addresses, ' ')
  return [...withoutAddresses.matchAll(links)].some(([found]) => {
    const link = found.replace(/[.,;:!?)\]]+$/, '')
    if (grounded.some(text => text.includes(link))) return false
    const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//.test(link) ? link : `https://${link}`)
    // "mañana.Gracias" is no link: its end is no word that only hosts have.
    if (!link.includes('/') && !link.startsWith('www.') && !isHostName(link)) return false
    return !url || !/^https?:$/.test(url.protocol) || url.username !== '' || !hosts.includes(url.hostname)
  })
}

/** Common ends of hosts, with which no sentence goes on. */
const hostEnds =
  /\.(?:com|net|org|info|biz|io|es|de|pt|it|fr|nl|pl|uk|us|eu|ru|cn|tk|ml|cat|eus|gal|me|ly|gl|gd|cc|to|co|app|dev|xyz|top|site|online|shop|club|link|page|click|zip|mov|live|store|web|tech|cloud)$|xn--/

const isHostName = (link: string): boolean => hostEnds.test(link) || link.split('.').length > 2

/** Seven digits or more with signs between, and digits in words. */
const phones = /\+?\d(?:[\s./()-]{0,3}\d){6,}/g
const digitWord =
  '(?:cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|zero|one|two|three|four|five|six|seven|eight|nine|null|eins|zwei|drei|vier|funf|sechs|sieben|acht|neun|um|dois|quatro|sete|oito|nove|due|quattro|cinque|sei|sette|otto|un|deux|trois|quatre|cinq|sept|huit|neuf|nou|vuit|set|sis)'
const wordedPhone = new RegExp(`\\b${digitWord}(?:[\\s,.-]+${digitWord}){5,}\\b`)

/** The phone numbers of a text that are none of the agency's. Amounts and dates are judged as what they are. */
function hasForeignPhone(plain: string, { grounded, amounts }: Known): boolean {
  if (wordedPhone.test(plain)) return true
  return [...plain.matchAll(phones)].some(([found]) => {
    if (/^\d{4}-\d\d-\d\d(?: |$)/.test(found) || isKnownPhone(found, grounded)) return false
    return !listAmounts(found).every(amount => amounts.has(amount))
  })
}

const isKnownPhone = (found: string, grounded: readonly string[]): boolean => {
  const digits = found.replace(/\D/g, '').slice(-9)
  return grounded.some(text => text.replace(/\D/g, '').includes(digits))
}

const addresses = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+/gu
const hiddenAddress =
  /[([{ ](?:at|arroba|chiocciola|klammeraffe|ät)[)\]} ]+[\p{L}\p{N}-]+[([{ .]+(?:dot|punto|ponto|punkt|com|net|es|de)\b|\B@[a-z0-9_]{4,}/u

const hasForeignAddress = (plain: string, grounded: readonly string[]): boolean =>
  hiddenAddress.test(plain) ||
  [...plain.matchAll(addresses)].some(([found]) => {
    const address = found.replace(/[.-]+$/, '')
    return !grounded.some(text => text.includes(address))
  })

function hasForeignAmount(plain: string, { grounded, amounts }: Known): boolean {
  const worded = wordedAmount.exec(plain)
  if (worded && !grounded.some(text => text.includes(worded[0]))) return true
  // What is a link, an address or a phone was judged as that.
  const rest = plain
    .replace(links, ' ')
    .replace(addresses, ' ')
    .replace(phones, found => (isKnownPhone(found, grounded) ? ' ' : found))
  return listAmounts(rest).some(amount => !amounts.has(amount))
}

/** What binds the agency: it may be said in the words of the agency only. Each group names one subject. */
const promises: RegExp[] = [
  /\b(?:gratis|gratuit\p{L}*|free of charge|for free|no cost|sin coste|sin costes|sin costo|sense cost|sem custo\p{L}*|senza cost[io]|sans frais|kostenlos|kostenfrei|gratuito|doako\p{L}*|de balde)\b/u,
  /\b(?:sin comision\p{L}*|sense comissi\p{L}*|sem comiss\p{L}*|senza (?:commission\p{L}|provvigion\p{L})|no commission|no fees?|without (?:commission|fees?)|sans commission|provisionsfrei|ohne provision)\b/u,
  /\b(?:comision\p{L}*|comissi\p{L}*|commission\p{L}*|provvigion\p{L}*|provision|honorari\p{L}*|honoraires|fees?|gebuhr\p{L}*)\b/u,
  /\b(?:garanti\p{L}*|garante\p{L}*|guarante\p{L}*|bermatu\p{L}*)\b/u,
  /\b(?:descuento\p{L}*|discount\p{L}*|rabatt\p{L}*|desconto\p{L}*|sconto|sconti|remise|rebaja\p{L}*|descompte\p{L}*)\b/u,
  /\b(?:vinculante\p{L}*|vincolante|legally binding|binding (?:offer|contract|agreement)|verbindlich\p{L}*|rechtsverbindlich\p{L}*|contrato|contracte|contratto|vertrag\p{L}*|contract)\b/u,
  /\b(?:acepta(?:mos|da)? (?:la|su|tu) oferta|accept(?:ed)? (?:the|your) offer|angebot (?:an|ist an)genommen|aceita(?:mos)? (?:a|sua) (?:oferta|proposta)|accettiamo (?:la|sua) (?:offerta|proposta))\b/u,
  /\b(?:iban|bizum|transferencia\p{L}*|wire transfer|bank transfer|uberweis\p{L}*|bonifico|virement|senal de|deposit|anzahlung|caparra|paypal|wallet)\b/u,
  /\b(?:contrasena|password|passwort|senha|mot de passe|dni|nif|pin|tarjeta|credit card|kreditkarte|cartao de credito|carta di credito)\b/u,
]

const hasForeignPromise = (plain: string, grounded: readonly string[]): boolean =>
  promises.some(subject => {
    const found = subject.exec(plain)
    return found !== null && !grounded.some(text => text.includes(found[0]))
  })

/** Nothing that a chat shows as something else. */
const markup = /<\/?[a-z][^>]*>|```|^\s*#{1,6} |^\s*\|.*\|\s*$|\{\s*"|<\|/im

const claimsToBeHuman =
  /\b(?:soy (?:una persona|humano|humana|un humano|una humana|un agente humano)|no soy (?:un robot|un bot|una maquina|una ia)|soc (?:una persona|huma)|no soc un (?:robot|bot)|son unha persoa|sou (?:uma pessoa|humano|humana)|nao sou (?:um robo|um bot)|sono (?:una persona|umano|umana|un essere umano)|non sono un (?:robot|bot)|i am (?:a human|human|a person|a real person)|i m (?:a human|human|a real person)|i'm (?:a human|human|a real person)|i(?:'m| am) not (?:a robot|a bot|an ai|a machine)|je suis (?:humain|humaine|un humain|une personne)|je ne suis pas un (?:robot|bot)|ich bin (?:ein mensch|eine person|kein roboter|kein bot|keine ki|keine maschine)|gizakia naiz)\b/u

/** Plain words with single spaces between. */
const toPlainRun = (text: string): string =>
  toPlainWords(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** So many words in a row are not said by chance. */
const secretWords = 8
const heardWords = 5
/** A whole sentence of fewer words is one that both may say. */
const heardSentenceWords = 3

const repeatsSecret = (plain: string, secrets: readonly string[]): boolean =>
  sharesRun(plain, secrets, { words: secretWords, except: [] })

/**
 * True for what only the person has said: a model that is made to repeat it states it in the name of the agency. Short sentences count
 * as a whole.
 */
function repeatsPerson(
  plain: string,
  { heard, grounded }: { heard: readonly string[]; grounded: readonly string[] },
): boolean {
  const sentences = plain.split(/[.!?;:…\n]+/).map(toPlainRun)
  return sentences.some(sentence => {
    const words = Math.min(heardWords, Math.max(heardSentenceWords, sentence.split(' ').length))
    return sharesRun(sentence, heard, { words, except: grounded })
  })
}

/** True if so many words in a row stand in one of the texts, and in none of the others. */
function sharesRun(
  plain: string,
  texts: readonly string[],
  { words: count, except }: { words: number; except: readonly string[] },
): boolean {
  const words = toPlainRun(plain).split(' ')
  const [known, allowed] = [texts, except].map(list => list.map(text => ` ${toPlainRun(text)} `))
  for (let at = 0; at + count <= words.length; at += 1) {
    const run = ` ${words.slice(at, at + count).join(' ')} `
    if (known!.some(text => text.includes(run)) && !allowed!.some(text => text.includes(run))) return true
  }
  return false
}
