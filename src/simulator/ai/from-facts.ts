/** A model that answers the frequent questions from the facts of its prompt, and hands everything else over. */
import { detectLanguage } from '../../domain/ai-replies/detect-language.ts'
import type { MessageLanguage } from '../../domain/messaging/opt-out-words.ts'
import { toPlainWords } from '../../domain/plain-words.ts'
import { type ChatRequest, type Completion, callTool, hasTool, readPrompt } from './request.ts'

interface Words {
  price: (price: string) => string
  slots: (slots: string) => string
  noSlots: string
}

const words: Partial<Record<MessageLanguage, Words>> & Record<'es' | 'en', Words> = {
  es: {
    price: price => `El precio del anuncio es de ${price}. ¿Quieres que veamos el piso juntos?`,
    slots: slots => `Puedo ofrecerte esta visita: ${slots}. ¿Te viene bien?`,
    noSlots: 'Ahora mismo no hay ninguna hora libre para la visita.',
  },
  en: {
    price: price => `The price of the listing is ${price}. Would you like us to see the flat together?`,
    slots: slots => `I can offer you this visit: ${slots}. Does it suit you?`,
    noSlots: 'There is no free time for a visit at the moment.',
  },
  de: {
    price: price => `Der Preis der Anzeige ist ${price}. Möchten Sie die Wohnung mit uns besichtigen?`,
    slots: slots => `Ich kann Ihnen diesen Termin anbieten: ${slots}. Passt das für Sie?`,
    noSlots: 'Im Moment gibt es keinen freien Termin für die Besichtigung.',
  },
  pt: {
    price: price => `O preço do anúncio é de ${price}. Quer que vejamos o apartamento em conjunto?`,
    slots: slots => `Posso oferecer esta visita: ${slots}. Está bem para si?`,
    noSlots: 'Neste momento não há nenhuma hora livre para a visita.',
  },
}

const visit =
  /\b(?:visit\p{L}*|ver el piso|cita|termin|besichtig\p{L}*|viewing|appointment|marcar|agendar)\b/u
const price = /\b(?:precio|preu|prezo|price|preis|preco|prezzo|prix|cuesta|kostet)\b/u

export function completeFromFacts(chat: ChatRequest): Completion {
  const { facts, lastText } = readPrompt(chat)
  const text = words[detectLanguage(lastText) ?? 'es'] ?? words.es
  const last = chat.messages.at(-1)!
  const reply = (answer: string, about: string) =>
    callTool('reply', { text: answer, about, confidence: 'high' })
  if (last.role === 'tool') {
    const label = /"label":"([^"]+)"/.exec(last.content ?? '')?.[1]
    return reply(label ? text.slots(label) : text.noSlots, 'appointment')
  }
  const plain = toPlainWords(lastText)
  const listing = facts.listing as { price?: number; currency?: string } | undefined
  if (price.test(plain) && listing?.price !== undefined)
    return reply(text.price(`${listing.price} ${listing.currency ?? 'EUR'}`), 'property')
  if (visit.test(plain) && hasTool(chat, 'list_slots')) return callTool('list_slots', {})
  return callTool('hand_off', { reason: 'not_known' })
}
