/** What scripted leads answer, in turn: each step has the replies to one message or to several in a row. */

export const leadScripts = [
  'late',
  'viewing',
  'who_are_you',
  'stop',
  'silent',
  'auto_reply',
  'voice_note',
] as const
export type LeadScript = (typeof leadScripts)[number]

interface Line {
  /** The shortest and the longest wait, after the line before or the message. */
  delayS: readonly [low: number, high: number]
  /** One of these; null: a voice note. */
  texts: readonly string[] | null
  nature?: 'auto_reply'
}

const minute = 60
const hour = 3600

export const scripts: Record<LeadScript, readonly (readonly Line[])[]> = {
  late: [
    [
      {
        delayS: [6 * hour, 30 * hour],
        texts: ['Perdona, no había visto el mensaje. ¿Qué me proponéis?', 'Hola, contesto ahora. Contadme.'],
      },
    ],
    [{ delayS: [2 * hour, 8 * hour], texts: ['Lo pienso y os digo.', 'Vale, gracias.'] }],
  ],
  viewing: [
    [
      {
        delayS: [2 * minute, 20 * minute],
        texts: [
          'Me interesa. ¿Podéis venir a verlo esta semana?',
          'Sí, podéis pasar a verlo. ¿Qué día os va bien?',
        ],
      },
    ],
    [
      {
        delayS: [minute, 15 * minute],
        texts: ['El jueves por la tarde me va bien.', 'Mejor el viernes a las 11.'],
      },
    ],
    [{ delayS: [minute, 10 * minute], texts: ['Perfecto, hasta entonces.'] }],
  ],
  who_are_you: [
    [
      {
        delayS: [minute, 10 * minute],
        texts: ['¿Quiénes sois? ¿De dónde habéis sacado mi número?', '¿Quién eres?'],
      },
    ],
    [{ delayS: [minute, 10 * minute], texts: ['De acuerdo. ¿Qué comisión cobráis?'] }],
  ],
  stop: [[{ delayS: [minute, 5 * minute], texts: ['STOP', 'Baja', 'No más'] }]],
  silent: [],
  auto_reply: [
    [
      {
        delayS: [1, 5],
        texts: ['Gracias por su mensaje. Estoy fuera de la oficina y contestaré a mi vuelta.'],
        nature: 'auto_reply',
      },
      { delayS: [3 * hour, 20 * hour], texts: ['Ya estoy de vuelta. Dígame.'] },
    ],
  ],
  voice_note: [[{ delayS: [minute, 15 * minute], texts: null }]],
}
