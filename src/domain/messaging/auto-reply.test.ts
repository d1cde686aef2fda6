/** Mails of machines and of people are distinguished. */
import { expect, test } from 'vitest'
import { isAutoReply, isMassMail } from './auto-reply.ts'

const toFacts = (headers: Record<string, string>, subject: string | null = 'Re: Piso en Gràcia') => ({
  headers: new Map(Object.entries(headers)),
  subject,
})

test.each([
  [{ 'auto-submitted': 'auto-replied' }],
  [{ 'auto-submitted': 'auto-generated; type=x' }],
  [{ 'x-autoreply': 'yes' }],
  [{ 'x-autorespond': 'Re: Piso' }],
  [{ 'x-auto-response-suppress': 'All' }],
  [{ 'x-auto-response-suppress': 'DR, OOF, AutoReply' }],
  [{ precedence: 'auto_reply' }],
] as Record<string, string>[][])('the header %o', headers => {
  expect(isAutoReply(toFacts(headers!))).toBe(true)
})

test.each([
  'Respuesta automática: Piso',
  'Fuera de la oficina',
  'Resposta automàtica: Pis',
  "Fora de l'oficina",
  'Resposta automática: Piso',
  'Erantzun automatikoa: Etxea',
  'Fora do escritório',
  'Risposta automatica: Casa',
  'Out of Office: Flat',
  'Automatic reply: Flat',
  'Réponse automatique : Maison',
  'Absence du bureau',
  'Automatische Antwort: Haus',
  'Abwesenheitsnotiz: Haus',
])('the subject %s', subject => {
  expect(isAutoReply(toFacts({}, subject))).toBe(true)
})

test('people are not machines', () => {
  expect(isAutoReply(toFacts({ 'auto-submitted': 'no', 'x-autoreply': 'no' }))).toBe(false)
  expect(isAutoReply(toFacts({ 'x-auto-response-suppress': 'None' }))).toBe(false)
  for (const subject of ['Re: Respuesta automática', 'Automóvil', 'Ausencia de ruido', 'Autoridad', null])
    expect(isAutoReply(toFacts({}, subject))).toBe(false)
})

test('lists and newsletters', () => {
  expect(isMassMail(toFacts({ 'list-id': '<news.portal.example>' }))).toBe(true)
  expect(isMassMail(toFacts({ precedence: 'bulk' }))).toBe(true)
  expect(isMassMail(toFacts({ 'list-unsubscribe': '<https://portal.example/u>' }))).toBe(false)
})
