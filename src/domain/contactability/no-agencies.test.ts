/** Phrases of listings that exclude agencies, and similar phrases that do not. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { statesNoAgencies } from './no-agencies.ts'

const positiveTexts: Record<string, string> = {
  Spanish: `
    Abstenerse agencias
    agencias abstenerse
    Agencias inmobiliarias, por favor, abstenerse
    no agencias
    No inmobiliarias
    NO AGENCIAS POR FAVOR
    Piso céntrico. Absténganse inmobiliarias
    Inmobiliarias absténganse de llamar.
    absténgase agencia
    ABSTENERSE  INMOBILIARIAS.  VENTA DIRECTA
    -ABSTENERSE AGENCIAS-CONTACTAR VÍA WHATSAPP
    AGENCIAS ABSTENERSE interesados llamar al 600
    Abstenerse curiosos, agencias y estafadores
    Se ruega a las agencias que se abstengan de llamar
    Vendo piso, agencias/inmobiliarias abstenerse
    Abstenerse\nagencias
    𝗡𝗢 𝗔𝗚𝗘𝗡𝗖𝗜𝗔𝗦
    Absténganse agencias
    No se atienden llamadas de inmobiliarias, gracias.
    no atiendo a inmobiliarias
    No atendemos agencias inmobiliarias ni comerciales
    No se admiten agencias ni intermediarios
    No acepto agencias
    No quiero que me llamen agencias
    No me interesan las ofertas de agencias
    No necesito agencias, gracias
    No trabajo con ninguna inmobiliaria
    No se contestará a agencias
    NO LLAMEN INMOBILIARIAS
    Inmobiliarias NO, gracias
    Agencias no!!!
    Inmobiliarias no molestar
    Agencias ni llamar
    Inmobiliarias no se atienden
    Si es usted agencia, por favor no llame
    Si trabajas en una inmobiliaria, abstente
    No intermediarios
    No curiosos ni agencias
    Vendo piso. No agencia.
    NO AGENCIA GRACIAS
    Prohibido agencias
    Trato directo, sin intermediarios.
    Vendo piso en Madrid\nSin intermediarios
    Piso con ventanas nuevas, sin intermediarios
    Solo particulares
    Sólo particulares, gracias
    Trato solo con particulares
  `,
  Catalan: `
    Agències abstenir-se
    Abstenir-se agències
    Immobiliàries abstenir-se, si us plau
    No s'accepten agències
    No s’atenen immobiliàries
    No volem agències
    Agències no, gràcies
    Sense intermediaris.
    Només particulars
  `,
  Portuguese: `
    No imobiliárias
    não imobiliárias
    Não se aceitam imobiliárias.
    Agências e imobiliárias, por favor, abster-se.
    Imobiliárias abster-se
    Só particulares. Dispensam-se imobiliárias.
    dispenso imobiliárias
    Dispenso contactos de agências
    Dispensa-se o contacto de imobiliárias
    Imobiliárias dispensam-se
    agências não
    Não atendo imobiliárias
    Não pretendo contactos de imobiliárias
    Não estou interessado em propostas de imobiliárias
    Não trabalho com agências imobiliárias
    Agradeço que as imobiliárias não contactem
    Se for agência não contacte
    Sem intermediários.
    Apenas particulares
  `,
  Italian: `
    no agenzie
    No agenzie, grazie.
    Niente agenzie
    Astenersi agenzie.
    agenzie astenersi
    Solo privati. Agenzie e perditempo astenersi.
    Astenersi perditempo e agenzie immobiliari
    No perditempo e agenzie
    Non si accettano agenzie
    Non contattare agenzie
    Non sono interessato ad agenzie
    Non si risponde ad agenzie immobiliari
    Agenzie no grazie
    Le agenzie sono pregate di astenersi
    Si prega le agenzie di non contattare
    Se siete un'agenzia non contattatemi
    Escluse agenzie
    Agenzie escluse
    No intermediari
    Senza intermediari.
  `,
  'English, German, French': `
    No agents
    No estate agents please
    Agents need not apply
    No calls from agents
    No agency calls
    Agencies please do not call
    Agents please refrain from calling
    If you are an agent or agency please do not call
    We don't work with agents
    We do not accept agencies
    Private buyers only
    Makleranfragen nicht erwünscht
    Keine Makler
    Agences s'abstenir
    Agences immobilières s'abstenir
  `,
}
const negativeTexts: Record<string, string> = {
  'a private sale': `
    Trato directo con propietario
    Particular vende
    De particular a particular
    Soy particular, no agencia
    Vendo sin intermediarios; se agradece seriedad.
    Vendo directamente, sin intermediarios
    Vendo sem intermediários; agradeço contacto só de interessados.
    Vendo senza intermediari; si richiede serietà.
    Trato directo con el propietario, sin comisiones.
    Trattativa diretta con il proprietario, senza provvigioni.
    No somos agencia
    No somos una agencia inmobiliaria
    Este anuncio no es de agencias
    Não somos imobiliária
    Non siamo un'agenzia
    We are not an agency
    No agents involved
  `,
  'a request to others': `
    No perditempo
    Astenersi perditempo
    Abstenerse curiosos
    Abstenerse turistas. Contactar con agencia
    Agencia inmobiliaria. Abstenerse curiosos
    Inmobiliaria Gómez vende piso en el centro, abstenerse curiosos
    Agencias colaboradoras, abstenerse curiosos
    No se admiten mascotas. Agencia Sol
    No se admiten mascotas; gestionan varias agencias
    Se aceptan agencias colaboradoras, no mascotas
  `,
  'the cost of an agency': `
    Sin comisión
    Sin comisión de agencia
    Sin gastos de agencia
    gastos de agencia incluidos
    Gastos de agencia excluidos
    Honorarios de inmobiliaria no incluidos
    Comisión de agencia no incluida
    No incluye gastos de agencias ni notaría
    no se cobra comisión de agencias
    Senza spese di agenzia
    No agency fees
    No agents' fees
    Provisionsfrei ohne Makler
    Keine Maklerprovision
  `,
  'an agency about itself': `
    agencia inmobiliaria X
    Agencias bienvenidas
    Colaboramos con otras agencias
    Trabajamos con agencias de toda España
    No dude en contactar con nuestras agencias
    No dudes en llamar a la inmobiliaria
    Não hesite em contactar as nossas agências
    Non esitate a contattare le nostre agenzie
    Do not hesitate to contact our agents
    Equipo de agentes. No dude en llamarnos
    Si tu agencia no te atiende, ven a la nuestra
    No busques más agencias: esta es tu casa
    No llames a más agencias
    Ref. 123. Agencia no exclusiva
    Las agencias no se responsabilizan de los errores
    Los agentes no responden de errores u omisiones
    The agents have not tested any apparatus
    The agents do not accept any responsibility
    Compre sin intermediarios financieros
  `,
  'other things': `
    Cerca de la Agencia Tributaria, no tiene ascensor
    Zona con bancos, agencias de viajes y comercios
    Cucina con dispensa, agenzia immobiliare
    Solo posti auto privati
    Condiciones particulares: solo contado
    Vivienda de uso particular
    Ideal para particulares o inversores
    in particular, not far from the station
  `,
}

/** Splits a table into one text per line. */
function splitTable(table: string): string[] {
  return table
    .split(/\n {4}/)
    .map(line => line.trim())
    .filter(line => line !== '')
}

describe.each(Object.entries(positiveTexts))('detects the request in %s', (_language, table) => {
  test.each(splitTable(table))('%s', text => {
    expect(statesNoAgencies(text)).toBe(true)
    expect(statesNoAgencies(text.toUpperCase())).toBe(true)
    expect(statesNoAgencies(`Piso exterior con balcón.\n\n${text}`)).toBe(true)
  })
})

describe.each(Object.entries(negativeTexts))('does not detect a request in %s', (_what, table) => {
  test.each(splitTable(table))('%s', text => {
    expect(statesNoAgencies(text)).toBe(false)
    expect(statesNoAgencies(text.toUpperCase())).toBe(false)
  })
})

test.each([[null], [''], ['Piso luminoso con ascensor.']])('%s contains no request', text => {
  expect(statesNoAgencies(text)).toBe(false)
})

test('a request is found anywhere among other sentences', () => {
  const sentence = fc.constantFrom(
    'Piso exterior con balcón.',
    'Dos baños; cocina equipada.',
    'Inmobiliaria Sol.',
    'Ascensor!\n',
    'Aire acondicionado.\n\n',
    '80 m² útiles.',
  )
  const request = fc.constantFrom('Abstenerse agencias.', 'No se aceptan inmobiliarias.', 'Agenzie no!')
  const text = (sentences: string[]) => sentences.join(' ')
  fc.assert(
    fc.property(fc.array(sentence), request, fc.array(sentence), (before, requestSentence, after) => {
      expect(statesNoAgencies(text([...before, requestSentence, ...after]))).toBe(true)
      expect(statesNoAgencies(text([...before, ...after]))).toBe(false)
    }),
  )
})

test('no text takes long to check', () => {
  const word = fc.constantFrom(
    ...'no se si de las agencias inmobiliarias abstenerse llamar sin vendo solo que particulares , . por es y'.split(
      ' ',
    ),
  )
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), words => {
      const phrase = `${words.join(' ')} `
      const text = phrase.repeat(Math.ceil(10_000 / phrase.length))
      const start = performance.now()
      statesNoAgencies(text)
      // It usually takes one or two milliseconds. A pattern that backtracks over the whole text would take seconds.
      expect(performance.now() - start).toBeLessThan(500)
    }),
  )
})
