/**
 * A model that answers frequent questions from the listing and the FAQ of its prompt, puts the qualification questions one after the
 * other, offers and books visits, and hands everything else over.
 */
import { detectLanguage } from '../../domain/ai-replies/detect-language.ts'
import type { MessageLanguage } from '../../domain/messaging/opt-out-words.ts'
import { toPlainWords } from '../../domain/plain-words.ts'
import { findFaqAnswer, readQuestions } from './questions.ts'
import { type ChatRequest, type Completion, callTool, readPrompt } from './request.ts'
import { arrangeVisit, continueVisit, type VisitWords } from './visits.ts'

interface Words extends VisitWords {
  price: (price: string) => string
  thanks: string
}

const words: Partial<Record<MessageLanguage, Words>> & Record<'es' | 'en', Words> = {
  es: {
    price: price => `El precio del anuncio es de ${price}. ¿Quieres que veamos el piso juntos?`,
    slots: slots => `Puedo ofrecerte esta visita: ${slots}. ¿Te viene bien?`,
    noSlots: 'Ahora mismo no hay ninguna hora libre para la visita.',
    booked: slot => `Hecho: tu visita está reservada para el ${slot}.`,
    known: slot => `Ya tienes una cita: ${slot}.`,
    thanks: 'Gracias por la información sobre el piso.',
  },
  en: {
    price: price => `The price of the listing is ${price}. Would you like us to see the flat together?`,
    slots: slots => `I can offer you this visit: ${slots}. Does it suit you?`,
    noSlots: 'There is no free time for a visit at the moment.',
    booked: slot => `Done: your visit is booked for ${slot}.`,
    known: slot => `You have an appointment already: ${slot}.`,
    thanks: 'Thank you for the details of the flat.',
  },
  de: {
    price: price => `Der Preis der Anzeige ist ${price}. Möchten Sie die Wohnung mit uns besichtigen?`,
    slots: slots => `Ich kann Ihnen diesen Termin anbieten: ${slots}. Passt das für Sie?`,
    noSlots: 'Im Moment gibt es keinen freien Termin für die Besichtigung.',
    booked: slot => `Erledigt: Ihre Besichtigung ist reserviert für ${slot}.`,
    known: slot => `Sie haben schon einen Termin: ${slot}.`,
    thanks: 'Danke für die Angaben zur Wohnung.',
  },
  pt: {
    price: price => `O preço do anúncio é de ${price}. Quer que vejamos o apartamento em conjunto?`,
    slots: slots => `Posso oferecer esta visita: ${slots}. Está bem para si?`,
    noSlots: 'Neste momento não há nenhuma hora livre para a visita.',
    booked: slot => `Feito: a sua visita está marcada para ${slot}.`,
    known: slot => `Já tem uma visita marcada: ${slot}.`,
    thanks: 'Obrigado pela informação sobre o apartamento.',
  },
}

/** How an offer begins. */
const offers = Object.values(words).map(({ slots }) => slots('|').split('|')[0]!)

const price = /\b(?:precio|preu|prezo|price|preis|preco|prezzo|prix|cuesta|kostet)\b/u

export function completeFromFacts(chat: ChatRequest): Completion {
  const { facts, lastText, lastAnswer } = readPrompt(chat)
  const spoken = detectLanguage(lastAnswer) ?? 'es'
  const language = detectLanguage(lastText, { spoken }) ?? spoken
  const text = words[language] ?? words.es
  const last = chat.messages.at(-1)!
  const { answers, next } = readQuestions(chat, facts, { lastText, lastAnswer })
  const hasAnswer = Object.keys(answers).length > 0
  const reply = (answer: string, about: string) =>
    callTool('reply', {
      text: next === null ? answer : `${answer} ${next}`,
      about,
      confidence: 'high',
      ...(hasAnswer ? { answers } : {}),
    })
  const turn = { facts, lastText, lastAnswer, language, offers, words: text, reply }
  if (last.role === 'tool') {
    if (/^\{"refused"/.test(last.content ?? '')) return callTool('hand_off', { reason: 'not_known' })
    return continueVisit(chat, turn, last.content ?? '{}')
  }
  const frequent = findFaqAnswer(facts, lastText)
  if (frequent !== null) return reply(frequent, 'agency')
  const plain = toPlainWords(lastText)
  const listing = facts.listing as { price?: number; currency?: string } | undefined
  if (price.test(plain) && listing?.price !== undefined)
    return reply(text.price(`${listing.price} ${listing.currency ?? 'EUR'}`), 'property')
  const visit = arrangeVisit(chat, turn)
  if (visit !== null) return visit
  if (hasAnswer) return reply(text.thanks, 'property')
  return callTool('hand_off', { reason: 'not_known' })
}
