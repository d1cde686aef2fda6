/** Whole messages that refuse further messages, by language, and similar ones that do not. */
import { describe, expect, test } from 'vitest'
import {
  chooseLanguage,
  findIntent,
  type MessageLanguage,
  messageLanguages,
  optOutConfirmations,
  toMessageLanguage,
} from './opt-out-words.ts'

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map(line => line.trim())

const optOuts: Record<MessageLanguage, string> = {
  es: `
    BAJA
    Baja.
    baja, por favor
    STOP
    Stop por favor 🙏
    ¡¡STOP!!
    s t o p
    STOP STOP STOP
    No más
    NO MÁS MENSAJES, GRACIAS
    no me escribas más
    No me escribas más, gracias
    Hola, no me escriban más por favor.
    no me contactéis
    No quiero recibir más mensajes
    Dadme de baja
    Deja de escribirme ya
    Borrad mis datos
    Quítame de la lista
    Déjame en paz 😡
    Me doy de baja
    Cancelar suscripción
    No me vuelvan a escribir
    No vuelvas a escribirme
    Stop mensajes
    Dejen de molestar
    no molestes
    No contactar
    no contactes más
    No envíen más mensajes
    No nos escriban más
    No deseo recibir más información
    eliminar mis datos
    Ya no me interesa, no me escribas más
    No gracias. Baja
    Nunca más me escribas
    Ya está vendido, no me escribáis más
    Ya lo he vendido. BAJA
    El piso ya está alquilado. No me contacten más
    Déjenme tranquila
    Me opongo
    Me opongo al tratamiento de mis datos`,
  ca: `
    BAIXA
    Baixa, si us plau
    Prou!
    no més missatges
    No m'escriguis més, gràcies
    No m’escrigueu més
    Vull donar-me de baixa
    Dona'm de baixa
    No vull rebre més missatges
    Deixeu-me en pau
    Deixa d'escriure'm
    Em vull donar de baixa
    No em torneu a escriure
    No molesteu
    No vull rebre més informació
    eliminar les meves dades
    No m’escriviu més
    El pis ja està venut. No m'escrigueu més
    Deixeu-me tranquil·la
    M'hi oposo`,
  gl: `
    Baixa
    Non me escribas máis, grazas
    non máis mensaxes
    Quero darme de baixa
    Abonda!
    Non quero recibir máis mensaxes
    Deixade de escribirme
    Non me volvades escribir
    Non molesten
    Non envíen máis mensaxes
    Xa o vendín, non me escriban máis`,
  eu: `
    Ez idatzi gehiago, mesedez
    EZ GEHIAGO
    Ez bidali mezu gehiagorik
    Ez dut mezu gehiago jaso nahi
    Baja eman nahi dut
    Nahikoa da
    Utzi bakean. Eskerrik asko.
    Kendu zerrendatik
    Ez deitu
    Ez nazazu molestatu
    Salduta dago. Ez idatzi gehiago`,
  pt: `
    SAIR
    Parar
    Não me contactem mais, obrigado
    não mais mensagens
    Não quero receber mais mensagens.
    Parem de me enviar mensagens
    Retirem-me da lista
    Deixem-me em paz
    Cancelar subscrição
    Quero sair
    Não voltem a contactar-me
    Não contactar
    Não incomodem
    Não mande mais mensagens
    Não quero mais receber mensagens
    Já está vendida, não me contactem mais
    Oponho-me`,
  it: `
    Basta!
    BASTA MESSAGGI
    Non scrivermi più, grazie
    Non voglio più ricevere messaggi
    Cancellatemi dalla lista per favore
    disiscrivimi
    Lasciatemi in pace
    Smettetela di scrivermi
    Non mi scrivere più
    Stop messaggi
    Non disturbare
    Non mi contattate più
    L'ho già venduta, non scrivetemi più`,
  en: `
    stop
    Please stop.
    STOP 🛑
    UNSUBSCRIBE
    Opt-out
    Don't text me again
    don’t contact me anymore, thanks
    Remove me from your list
    No more messages please
    Stop messaging me
    Leave me alone!
    I'd like to unsubscribe
    Stop texting
    Do not contact
    No longer interested, stop texting me
    Do not disturb
    It's already sold, please stop messaging me
    Sold. STOP`,
  fr: `
    Arrêtez
    STOP SVP
    Ne m'écrivez plus, merci
    Désabonnement
    Je ne veux plus recevoir de messages
    Retirez-moi de votre liste s'il vous plaît
    Laissez-moi tranquille
    Arrêtez de m’écrire
    Ne plus me contacter
    Ne plus recevoir de messages
    Se désabonner
    Arrête
    STOP PUB
    Merci de ne plus me contacter
    Ne nous contactez plus
    La maison est déjà vendue, ne m’écrivez plus
    Je m'y oppose`,
  de: `
    Abmelden
    Stopp!
    Bitte keine Nachrichten mehr
    Schreiben Sie mir bitte nicht mehr
    Ich möchte keine weiteren Nachrichten erhalten
    ich moechte mich abmelden
    Löschen Sie meine Daten
    Lassen Sie mich in Ruhe, danke
    Bitte keine Nachrichten mehr senden
    Bitte nicht stören
    Kein Interesse. Bitte nicht mehr schreiben
    Nein danke, das Haus ist verkauft. Bitte STOP`,
}

const others = {
  es: `
    No pares
    no paréis
    ¿Baja el precio?
    ¿Baja?
    baja el precio
    Baja un poco y hablamos
    planta baja
    La baja que tengo es laboral
    No
    No, gracias
    No me interesa
    No me escribas más tarde, escríbeme ahora
    No me escribas por aquí, llámame
    No quiero más de 3 habitaciones
    No más de 200.000
    Para
    Para mañana
    Cancelar
    Basta con un baño
    Stop sign
    Hola
    Gracias
    👍
    !!!
    Estoy de baja
    no me llames hoy
    no molestes al perro
    ya no me interesa el piso
    ya no me interesa
    No me interesa la baja
    No me escribas hoy
    no contactes con el vecino
    No quiero más información
    No quiero recibir ofertas
    Ya está vendido
    Vendido, gracias
    Me opongo a bajar el precio
    Ya lo he vendido, baja el anuncio`,
  ca: `
    No paris
    Abaixa el preu
    Baixa el preu?
    Planta baixa
    Prou gran
    No m'escriguis ara
    No, gràcies`,
  gl: `
    Baixa o prezo
    Non me interesa
    Non pares
    Abonda cun baño`,
  eu: `
    Ez, eskerrik asko
    Ez zait interesatzen
    Nahikoa handia da
    Prezioa jaitsi`,
  pt: `
    Não pare
    Não pares
    Baixa o preço?
    Baixa o preço
    Na baixa de Lisboa
    Sair às 5
    Chega amanhã
    Não, obrigado
    Não me interessa`,
  it: `
    Non smettere
    Basta un bagno
    Mi basta
    Non ti fermare
    Non mi interessa
    No grazie
    Non scrivermi oggi`,
  en: `
    Don't stop
    Please don't stop
    Non-stop
    Bus stop nearby?
    The bus stop is close
    I will stop by at five
    No thanks
    Not interested
    Can we cancel?
    cancel
    end
    No more than 900 a month`,
  fr: `
    N'arrêtez pas
    Arrêt de bus
    Non merci
    Ne m'écrivez pas ce soir
    Plus de messages`,
  de: `
    Nicht aufhören
    Nein danke
    Bushaltestelle
    Kein Interesse
    Schreiben Sie mir`,
}

describe('opt-outs', () => {
  test.each(
    messageLanguages.flatMap(language => lines(optOuts[language]).map(text => [language, text] as const)),
  )('%s: %s', (language, text) => {
    const intent = findIntent(text)
    expect(intent?.kind).toBe('opt_out')
    expect(intent!.languages).toContain(language)
    expect(chooseLanguage(intent!, [language])).toBe(language)
  })
})

describe('other messages', () => {
  test.each(
    Object.entries(others).flatMap(([language, texts]) => lines(texts).map(text => [language, text])),
  )('%s: %s', (_language, text) => expect(findIntent(text!)).toBeNull())
})

test.each([
  'Alta',
  'START',
  'quiero darme de alta',
  'Iscrivimi, grazie',
  'Ich möchte mich anmelden',
  'Subscribe',
])('%s wants messages again', text => expect(findIntent(text)?.kind).toBe('opt_in'))

test('every language has a confirmation of its own; the country of a workspace has a language', () => {
  expect(new Set(Object.values(optOutConfirmations)).size).toBe(messageLanguages.length)
  expect(['ES', 'PT', 'IT', 'XX'].map(toMessageLanguage)).toEqual(['es', 'pt', 'it', 'en'])
})
