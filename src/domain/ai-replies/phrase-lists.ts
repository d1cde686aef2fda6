/**
 * Phrases as plain words, without accents, separated by commas. A `*` stands for the rest of a word.
 */
import type { MessageLanguage } from '../messaging/opt-out-words.ts'

const split = (text: string): string[] => text.trim().split(/\s*,\s*/)

/** A person is wanted. */
export const handOffPhrases: Record<MessageLanguage, string[]> = {
  es: split(`
    persona, una persona, persona real, humano, ser humano, hablar con alguien, hablar con una persona,
    hablar con un agente, con un humano, llamame, llamadme, llameme, que me llamen, eres un robot, eres un bot,
    es usted un robot, es un bot, queja, reclamacion, mi abogad*, denunci*`),
  ca: split(`
    persona, una persona, persona real, huma, parlar amb algu, parlar amb una persona, amb un huma, truca m,
    truqueu me, ets un robot, ets un bot, queixa, reclamacio, meu advocat, denunci*`),
  gl: split(`
    persoa, unha persoa, persoa real, humano, falar con alguen, falar cunha persoa, chamame, chamademe, es un robot,
    es un bot, queixa, reclamacion, meu avogado, denunci*`),
  eu: split(`
    pertsona, pertsona batekin, gizaki*, norbaitekin hitz egin, deitu iezadazu, deitu, robota zara, bot bat zara,
    kexa, erreklamazioa, abokatu*`),
  pt: split(`
    pessoa, uma pessoa, pessoa real, humano, falar com alguem, falar com uma pessoa, com um humano, ligue me,
    me ligue, liguem me, e um robo, e um bot, queixa, reclamacao, meu advogado, denunci*`),
  it: split(`
    persona, una persona, persona reale, umano, essere umano, parlare con qualcuno, parlare con una persona,
    con un umano, chiamami, mi chiami, chiamatemi, sei un robot, sei un bot, reclamo, mio avvocato, denunci*`),
  en: split(`
    person, a person, real person, human, human being, talk to someone, talk to somebody, speak to someone,
    speak to somebody, speak with someone, an agent, call me, are you a robot, are you a bot, are you human,
    complaint, my lawyer, my solicitor, sue you`),
  fr: split(`
    personne, une personne, vraie personne, humain, etre humain, parler a quelqu un, parler avec quelqu un,
    parler a une personne, appelez moi, rappelez moi, un robot, plainte, reclamation, mon avocat`),
  de: split(`
    person, eine person, echte person, mensch, menschen, einem menschen, mit jemandem sprechen, mit jemandem reden,
    rufen sie mich an, ruf mich an, ruckruf, sind sie ein roboter, sind sie ein bot, bist du ein bot, beschwerde,
    mein anwalt, meinem anwalt, anzeige erstatten`),
}

/** Instructions for a model. People who write about a property have no such words. */
export const injectionPhrases: readonly string[] = split(`
  ignore previous, ignore all, ignore the above, ignore your, ignore any, ignore everything, disregard,
  forget your instructions, forget everything, forget all, your instructions, your prompt, system prompt,
  system message, initial prompt, hidden instructions, new instructions, override, developer mode, debug mode,
  admin mode, maintenance mode, god mode, jailbreak, you are now, you re now, from now on, act as, pretend, roleplay,
  role play, as an ai, language model, repeat after me, repeat the text, repeat everything, say exactly,
  reply exactly, reply only with, respond only with, output only, word for word, verbatim, your tools, tool call,
  call the tool, call the function, function call, other leads, other clients, other customers, other sellers,
  other owners, all leads, list of leads, database, api key, end of conversation, begin system, set the field,
  set my field, update my field, ignora las, ignora tus, ignora todo, ignora lo anterior, ignora cualquier,
  ignore las, olvida tus, olvida todo, olvida las, olvida lo, olvide sus, tus instrucciones, sus instrucciones,
  nuevas instrucciones, instrucciones anteriores, instrucciones del sistema, mensaje del sistema, modo desarrollador,
  modo administrador, modo depuracion, modo mantenimiento, a partir de ahora eres, a partir de ahora responde,
  ahora eres, actua como, actue como, finge, haz como si, imagina que eres, juego de rol, modelo de lenguaje, repite,
  repita, di exactamente, diga exactamente, di textualmente, responde exactamente, responde solo con,
  responde unicamente, contesta exactamente, contesta solo, escribe exactamente, palabra por palabra,
  tus herramientas, llama a la herramienta, llama a la funcion, usa la herramienta, otros clientes,
  otros propietarios, otros vendedores, otros contactos, lista de clientes, lista de contactos,
  lista de propietarios, base de datos, clave de api, fin de la conversacion, pon el campo, cambia el campo,
  actualiza el campo, rellena el campo, ignoriere, ignorieren sie, vergiss alle, vergiss deine, vergiss alles,
  vergessen sie alle, vergessen sie ihre, missachte, deine anweisungen, ihre anweisungen, neue anweisungen,
  vorherigen anweisungen, bisherigen anweisungen, systemnachricht, systemanweisung*, systemprompt, entwicklermodus,
  administratormodus, wartungsmodus, debugmodus, ab jetzt bist, ab sofort bist, du bist jetzt, du bist nun,
  sie sind jetzt, tu so als, verhalte dich, spiele die rolle, rollenspiel, sprachmodell, wiederhole, wiederholen sie,
  sag genau, sage genau, sage wortlich, antworte genau, antworte nur mit, antworten sie nur mit, schreibe genau,
  wort fur wort, wortwortlich, deine werkzeuge, rufe das werkzeug, rufe die funktion, andere kunden, anderen kunden,
  anderer kunden, andere eigentumer, anderen eigentumer, anderer eigentumer, andere verkaufer, kundenliste,
  liste aller, datenbank, api schlussel, ende der unterhaltung, setze das feld, andere das feld, ignora as,
  ignore as, ignore todas, ignore tudo, ignora tudo, esquece as, esqueca as, esqueca tudo, esquece tudo,
  esqueca suas, suas instrucoes, tuas instrucoes, novas instrucoes, instrucoes anteriores, instrucoes do sistema,
  mensagem do sistema, modo programador, modo desenvolvedor, modo de manutencao, a partir de agora, agora es um,
  agora voce e, age como, aja como, finja, faz de conta, modelo de linguagem, repete, diz exatamente,
  diga exatamente, responde exatamente, responda exatamente, responde apenas com, responda apenas com,
  escreve exatamente, escreva exatamente, palavra por palavra, tuas ferramentas, suas ferramentas,
  chama a ferramenta, chame a ferramenta, chama a funcao, outros clientes, outros proprietarios, outros vendedores,
  lista de proprietarios, base de dados, banco de dados, chave da api, fim da conversa, muda o campo,
  preenche o campo, ignora le, ignora tutte, ignora tutto, ignori le, dimentica le, dimentica tutto, dimentichi le,
  tue istruzioni, sue istruzioni, nuove istruzioni, istruzioni precedenti, istruzioni di sistema,
  messaggio di sistema, modalita sviluppatore, modalita amministratore, modalita manutenzione, d ora in poi,
  da ora in poi, adesso sei, agisci come, comportati come, fingi, fai finta, gioco di ruolo, modello linguistico,
  ripeti, di esattamente, rispondi esattamente, rispondi solo con, scrivi esattamente, parola per parola,
  tuoi strumenti, chiama lo strumento, chiama la funzione, altri clienti, altri proprietari, altri venditori,
  elenco dei clienti, lista dei clienti, elenco dei proprietari, chiave api, fine della conversazione,
  imposta il campo, cambia il campo, ignore les, ignorez les, ignore tes, ignorez vos, oublie tes, oubliez vos,
  oublie tout, tes instructions, vos instructions, nouvelles instructions, mode developpeur, tu es maintenant,
  vous etes maintenant, agis comme, fais semblant, repetez, dis exactement, reponds exactement, mot pour mot,
  autres clients, autres proprietaires, base de donnees, ignora les, oblida les, les teves instruccions, repeteix,
  as tuas instrucions, ez ikusi egin, zure jarraibideak, tu prompt, el prompt, su prompt, dein prompt, ihren prompt,
  teu prompt, seu prompt, o prompt, tuo prompt, il prompt, adesso sei un, ora sei un`)

/** Other things than the property and the agency: chat providers forbid bots for all purposes. */
export const offTopicPhrases: readonly string[] = split(`
  poem, poems, haiku, a song, a joke, a story, an essay, homework, recipe, python, javascript, source code,
  write code, a script, translate, translation, who won, world cup, president of, capital of, the weather, bitcoin,
  crypto*, stock tip*, horoscope, medical advice, diagnos*, religion, elections, vote for, math problem, solve this,
  chatgpt, gpt*, poema, poemas, una cancion, un chiste, un cuento, una historia, un ensayo, deberes, receta,
  codigo fuente, escribe codigo, un programa en, traduce, traduzca, traduccion, quien gano, mundial, presidente de,
  capital de, que tiempo hace, el tiempo en, criptomoneda*, horoscopo, consejo medico, elecciones, a quien votar,
  ecuacion, resuelve, gedicht, gedichte, ein lied, einen witz, witz, eine geschichte, aufsatz, hausaufgabe*, rezept,
  quellcode, programmcode, ein programm, ubersetze, ubersetzen, ubersetzung, wer hat gewonnen, weltmeister*,
  hauptstadt, wie ist das wetter, wetter, kryptowahrung*, horoskop, medizinisch*, gleichung, lose diese, uma cancao,
  uma musica, uma piada, um conto, uma historia, uma redacao, trabalho de casa, receita de, codigo fonte,
  escreve codigo, escreva codigo, um programa em, traduz, traduza, traducao, quem ganhou, copa do mundo,
  como esta o tempo, criptomoedas, conselho medico, eleicoes, em quem votar, equacao, poesia, una canzone,
  una barzelletta, una storia, compiti, ricetta, codice sorgente, scrivi codice, un programma in, traduci, traduca,
  traduzione, chi ha vinto, mondiali, capitale di, capitale della, che tempo fa, criptovalut*, oroscopo,
  consiglio medico, elezioni, per chi votare, equazione, risolvi, un poeme, une chanson, une blague, une recette,
  traduis, traduisez, qui a gagne, capitale de, quel temps fait, bundestagswahl*, resolve esta`)
