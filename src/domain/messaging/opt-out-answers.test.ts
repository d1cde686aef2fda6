/** Words that answer a question, and the same words as an opt-out. */
import { expect, test } from 'vitest'
import { isAnswer } from './opt-out-answers.ts'
import { findIntent } from './opt-out-words.ts'

test.each([
  ['¿En qué planta está el piso?', 'Baja'],
  ['¿Es planta baja o primera?', 'La baja, gracias'],
  ['¿Qué altura tiene?', 'baja'],
  ['A quina planta és?', 'Baixa'],
  ['A quin pis és?', 'La baixa'],
  ['Em que andar fica?', 'Baixa'],
  ['En que piso está?', 'a baixa'],
  ['Zein solairutan dago?', 'Baja'],
  ['¡Perfecto! ¿Tiene ascensor? ¿Y en qué planta está?', 'Baja'],
  ['¿Algo más?', 'No más'],
  ['Quer que fiquemos com a casa ou quer sair?', 'Quero sair'],
])('to %j, %j is an answer', (question, text) => {
  expect(isAnswer(findIntent(text)!, question)).toBe(true)
})

test.each([
  ['¿Sigue en venta el piso?', 'Baja'],
  ['¿Le interesa? La planta baja también está libre.', 'Baja'],
  ['¿En qué planta está? Si no quiere mensajes, responda BAJA.', 'Baja'],
  ['¿En qué planta está? Para no recibir más, responda “baja”.', 'Baja'],
  ['¿Sigue en venta? Si no quiere mensajes, responda NO MÁS.', 'No más'],
  ['Este piso le puede interesar.', 'No más'],
  ['¿En qué planta está?', 'Stop'],
  ['¿En qué planta está?', 'Dadme de baja'],
  ['', 'Baja'],
])('to %j, %j is an opt-out', (question, text) => {
  expect(isAnswer(findIntent(text)!, question)).toBe(false)
})
