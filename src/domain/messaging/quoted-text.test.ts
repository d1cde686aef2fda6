/** Replies as programs write them, in nine languages: only what is new is kept. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { removeQuotedText } from './quoted-text.ts'

const quote = '> Buenos días:\n> ¿Sigue a la venta?\n>\n> Ana'

describe('the line above a quoted message', () => {
  const lines: [program: string, line: string][] = [
    ['Gmail, es', 'El jue, 26 nov 2026 a las 10:22, Ana (<ana@agency.example>) escribió:'],
    ['Gmail, ca', 'Missatge de Ana <ana@agency.example> del dia dj., 26 de nov. 2026 a les 10:22:'],
    ['Gmail, gl', 'O xov, 26 nov 2026 ás 10:22, Ana (<ana@agency.example>) escribiu:'],
    ['Gmail, eu', 'Hau idatzi du Ana (<ana@agency.example>) erabiltzaileak (2026 aza. 26, og. (10:22)):'],
    ['Gmail, pt', 'Em qui., 26 de nov. de 2026 às 10:22, Ana <ana@agency.example> escreveu:'],
    ['Gmail, pt-PT', 'Ana <ana@agency.example> escreveu (quinta, 26/11/2026 à(s) 10:22):'],
    ['Gmail, it', 'Il giorno gio 26 nov 2026 alle ore 10:22 Ana <ana@agency.example> ha scritto:'],
    ['Gmail, en', 'On Thu, Nov 26, 2026 at 10:22 AM Ana <ana@agency.example> wrote:'],
    ['Gmail, fr', 'Le jeu. 26 nov. 2026 à 10:22, Ana <ana@agency.example> a écrit :'],
    ['Gmail, de', 'Am Do., 26. Nov. 2026 um 10:22 Uhr schrieb Ana <ana@agency.example>:'],
    [
      'Gmail, two lines',
      'On Thu, Nov 26, 2026 at 10:22 AM Ana Soler i Puigdefàbregas\n<ana@agency.example> wrote:',
    ],
    ['Apple Mail, es', 'El 26 nov 2026, a las 10:22, Ana <ana@agency.example> escribió:'],
    ['Apple Mail, de', 'Am 26.11.2026 um 10:22 schrieb Ana <ana@agency.example>:'],
    [
      'Apple Mail, en, with a narrow space',
      'On 26 Nov 2026, at 10:22\u202fAM, Ana <ana@agency.example> wrote:',
    ],
    ['Thunderbird, es', 'El 26/11/26 a las 10:22, Ana escribió:'],
    ['Thunderbird, ca', 'El 26/11/26 a les 10:22, Ana ha escrit:'],
    ['Thunderbird, gl', 'O 26/11/26 ás 10:22, Ana escribiu:'],
    ['Thunderbird, eu', '2026/11/26 10:22(e)an, Ana(e)k idatzi zuen:'],
    ['Thunderbird, pt-PT', 'Às 10:22 de 26/11/2026, Ana escreveu:'],
    ['Thunderbird, it', 'Il 26/11/26 10:22, Ana ha scritto:'],
    ['Thunderbird, fr', 'Le 26/11/2026 à 10:22, Ana a écrit :'],
    ['Thunderbird, de', 'Am 26.11.26 um 10:22 schrieb Ana:'],
  ]
  test.each(lines)('%s', (_program, line) => {
    expect(removeQuotedText(`Sí, sigue.\n\n${line}\n\n${quote}\n`)).toBe('Sí, sigue.')
    // Programs that do not mark the quoted lines.
    expect(removeQuotedText(`Sí, sigue.\r\n\r\n${line}\r\n\r\n${quote.replaceAll('> ', '')}\r\n`)).toBe(
      'Sí, sigue.',
    )
  })
})

describe('the heading of Outlook', () => {
  const headings: [string, string][] = [
    [
      'es',
      'De: Ana <ana@agency.example>\nEnviado: jueves, 26 de noviembre de 2026 10:22\nPara: Marta\nAsunto: Piso',
    ],
    [
      'ca',
      'De: Ana <ana@agency.example>\nEnviat: dijous, 26 de novembre de 2026 10:22\nPer a: Marta\nTema: Pis',
    ],
    [
      'gl',
      'De: Ana <ana@agency.example>\nEnviado o: xoves, 26 de novembro de 2026 10:22\nPara: Marta\nAsunto: Piso',
    ],
    [
      'eu',
      'Nork: Ana <ana@agency.example>\nBidalia: osteguna, 2026(e)ko azaroaren 26a 10:22\nNori: Marta\nGaia: Etxea',
    ],
    [
      'pt',
      'De: Ana <ana@agency.example>\nEnviada: quinta-feira, 26 de novembro de 2026 10:22\nPara: Marta\nAssunto: Casa',
    ],
    ['it', 'Da: Ana <ana@agency.example>\nInviato: giovedì 26 novembre 2026 10:22\nA: Marta\nOggetto: Casa'],
    [
      'en',
      'From: Ana <ana@agency.example>\nSent: Thursday, November 26, 2026 10:22 AM\nTo: Marta\nSubject: Flat',
    ],
    [
      'en, bold',
      '*From:* Ana <ana@agency.example>\n*Sent:* Thursday, November 26, 2026 10:22 AM\n*To:* Marta\n*Subject:* Flat',
    ],
    ['fr', 'De : Ana <ana@agency.example>\nEnvoyé : jeudi 26 novembre 2026 10:22\nÀ : Marta\nObjet : Maison'],
    [
      'de',
      'Von: Ana <ana@agency.example>\nGesendet: Donnerstag, 26. November 2026 10:22\nAn: Marta\nBetreff: Haus',
    ],
  ]
  test.each(headings)('%s', (_language, heading) => {
    expect(
      removeQuotedText(`Sí, sigue.\n\n________________________________\n${heading}\n\nBuenos días`),
    ).toBe('Sí, sigue.')
  })
})

test.each([
  '-----Original Message-----',
  '-----Mensaje original-----',
  '-----Missatge original-----',
  '-----Mensaxe orixinal-----',
  '-----Jatorrizko mezua-----',
  '-----Mensagem original-----',
  '-----Messaggio originale-----',
  "-----Message d'origine-----",
  '-----Ursprüngliche Nachricht-----',
])('the separator %s', separator => {
  expect(removeQuotedText(`Sí\n\n${separator}\nDe: Ana\n\nBuenos días`)).toBe('Sí')
})

test.each([
  'Enviado desde mi iPhone',
  'Enviat des del meu iPhone',
  'Enviado desde o meu iPhone',
  'Nire iPhonetik bidalia',
  'Enviado do meu iPhone',
  'Inviato da iPhone',
  'Sent from my iPhone',
  'Envoyé de mon iPhone',
  'Von meinem iPhone gesendet',
  'Obtener Outlook para iOS<https://aka.ms/o0ukef>',
  'Get Outlook for Android<https://aka.ms/AAb9ysg>',
  'Sent from Yahoo Mail on Android',
  'Enviado desde Correo para Windows',
])('the line of a mobile program: %s', line => {
  expect(removeQuotedText(`STOP\n\n${line}\n\nEl 26 nov 2026, a las 10:22, Ana escribió:\n\n${quote}`)).toBe(
    'STOP',
  )
  // In the middle of a text it is a sentence of the person.
  expect(removeQuotedText(`Hola\n${line}\nAdiós`)).toBe(`Hola\n${line}\nAdiós`)
})

test('a signature ends the text, and answers between quoted lines are kept', () => {
  expect(removeQuotedText('Sí\n\n-- \nMarta Soler\nTel. 600 000 000')).toBe('Sí')
  expect(
    removeQuotedText(
      'El 26/11/26 a las 10:22, Ana escribió:\n> ¿Sigue?\n> Gracias\n\nSí.\n\n> ¿Y el garaje?\n> Ana\n\nTambién.',
    ),
  ).toBe('Sí.\n\n\nTambién.')
})

test('what the person writes is kept', () => {
  for (const text of [
    'El martes María escribió:\n¡Hola!',
    '> 200.000 € no puedo',
    'De: mi parte\nGracias',
    'Le jardin est grand :\noui',
    'A: sí\nB: no',
    'Mire esto\n\n---------- Forwarded message ---------\nDe: Luis <luis@mail.example>\nDate: 1\nTo: b\n\nVendo piso',
  ])
    expect(removeQuotedText(text)).toBe(text)
})

test('a message that only quotes is shown as a whole', () => {
  expect(removeQuotedText(quote)).toBe(quote)
  expect(removeQuotedText('   ')).toBe('')
})

test('any text: never longer, never empty if the text is not', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '>',
      '-- ',
      'On 2026 Ana wrote:',
      'De: a',
      'Para: b',
      'Asunto: c',
      '-----Original Message-----',
      '',
    ),
    fc.string({ unit: 'grapheme' }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), lines => {
      const full = lines.join('\n')
      const text = removeQuotedText(full)
      expect(text.length).toBeLessThanOrEqual(full.length)
      expect(text === '').toBe(full.trim() === '')
    }),
  )
})

test('a hostile text of 100,000 characters takes less than 200 ms', () => {
  for (const line of [
    '> a\n',
    'On ',
    'On 2026 a\n',
    'De: a\n',
    ':\n',
    '-',
    '\u200e',
    'idatzi du 2026 ',
    '\n',
    'Le 2026 a écrit x ',
  ]) {
    const text = line.repeat(Math.ceil(100_000 / line.length))
    const start = performance.now()
    removeQuotedText(text)
    expect(performance.now() - start).toBeLessThan(5000)
  }
})
