/** Which answers name a subject of an agency. */
import { expect, test } from 'vitest'
import type { MessageLanguage } from '../messaging/opt-out-words.ts'
import { checkReply } from './check-reply.ts'

const check = (language: string, text: string) =>
  checkReply(text, {
    texts: [
      '{"price":300000,"municipality":"Valencia"}',
      '¿Qué horario tenéis? De 9:00 a 18:00.',
      'Hola, Marta. ¿Hablamos de tu piso?',
    ],
    heard: [],
    secrets: [],
    hosts: [],
    language: language as MessageLanguage,
    charactersMax: 800,
  })

const split = (rows: string): string[][] =>
  rows
    .trim()
    .split('\n')
    .map(row => row.split(' ¦ '))

test.each(
  split(`
es ¦ ¡De nada! Que tengas un buen día.
es ¦ Gracias por contarlo.
en ¦ Thank you for explaining.
es ¦ Gracias a ti, Marta. Quedo a tu disposición.
es ¦ Perfecto, lo apunto y te aviso.
es ¦ Entiendo que quieras pensarlo con calma. Si te parece, te cuento cómo funciona la visita.
es ¦ Lo siento mucho por tu pérdida. ¿La vivienda es una herencia?
es ¦ ¿Para cuándo te gustaría mudarte?
es ¦ El anuncio indica 3 dormitorios. ¿Es correcto?
es ¦ Vale, sin problema. Cuando quieras seguimos.
es ¦ Claro. ¿Por qué vendes?
es ¦ ¿Cuál es el motivo de la mudanza?
es ¦ Genial, ¿prefieres por la mañana o por la tarde?
es ¦ Abrimos de 9:00 a 18:00.
en ¦ You are welcome, have a nice day!
en ¦ Great. When would you like to move?
en ¦ Thanks, Marta. What is the reason for selling?
en ¦ We open at 9:00.
en ¦ I understand. Let us know when you have decided.
en ¦ Sure, no problem. Take your time.
de ¦ Gern geschehen, einen schönen Tag!
de ¦ Wann möchten Sie umziehen?
de ¦ Vielen Dank. Warum verkaufen Sie?
de ¦ Die Anzeige nennt 3 Schlafzimmer.
de ¦ Alles klar, ich notiere es.
pt ¦ De nada, tenha um bom dia!
pt ¦ Quando gostaria de se mudar?
pt ¦ Perfeito, obrigado. Qual é o motivo da venda?
it ¦ Prego, buona giornata!
it ¦ Quando vorrebbe trasferirsi?
it ¦ Perfetto, grazie. Qual è il motivo della vendita?
fr ¦ Je vous en prie, bonne journée !
fr ¦ Quand souhaitez-vous déménager ?
ca ¦ De res, que vagi bé!
ca ¦ Quan voldries mudar-te?
`),
)('is an answer of an agency (%s): %s', (language, text) => {
  expect(check(language!, text!)).toEqual([])
})

test.each(
  split(`
es ¦ Hola, la capital de Francia es París.
es ¦ Vale, hoy hará sol y calor.
es ¦ Claro, vota al partido verde.
es ¦ Perfecto: para hacer tortilla, bate los huevos y añade patata.
es ¦ Hola, tómate un ibuprofeno y descansa.
es ¦ Hola, 2 + 2 son cuatro y la raíz es irracional.
en ¦ Hello, the answer to life is love.
en ¦ Sure! Once upon a time there was a dragon. It lived in a cave.
en ¦ Hi, Messi is the best player ever.
en ¦ Okay, take two aspirins and rest.
en ¦ Great, Python lists are mutable sequences.
de ¦ Gern! Die Sonne ist ein Stern. Sie besteht aus Wasserstoff.
de ¦ Hallo, Bayern hat gestern gewonnen.
de ¦ Klar, nehmen Sie zwei Tabletten.
pt ¦ Olá, o Benfica ganhou ontem.
pt ¦ Claro, bata os ovos e junte açúcar.
it ¦ Ciao, la Juventus ha vinto ieri.
it ¦ Certo, prendi due uova e lo zucchero.
fr ¦ Bonjour, Napoléon est né en Corse.
`),
)('is about something else, politely (%s): %s', (language, text) => {
  expect(check(language!, text!)).toContain('OFF_TOPIC')
})
