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
  ignore previous, ignore all, ignore the above, ignore your, forget your instructions, your instructions,
  your prompt, system prompt, system message, initial prompt, hidden instructions, new instructions, developer mode,
  debug mode, admin mode, maintenance mode, god mode, jailbreak, you are now, you re now, roleplay, role play,
  as an ai, language model, repeat after me, repeat the text, repeat everything, say exactly, reply exactly,
  reply only with, respond only with, output only, verbatim, your tools, tool call, call the tool, call the function,
  function call, all leads, list of leads, api key, end of conversation, begin system, set the field, set my field,
  update my field, ignora las, ignora tus, ignora cualquier, ignore las, olvida tus, olvide sus, tus instrucciones,
  sus instrucciones, nuevas instrucciones, instrucciones anteriores, instrucciones del sistema, mensaje del sistema,
  modo desarrollador, modo administrador, modo depuracion, modo mantenimiento, a partir de ahora eres,
  a partir de ahora responde, ahora eres, actua como, actue como, finge, haz como si, imagina que eres, juego de rol,
  modelo de lenguaje, di exactamente, diga exactamente, di textualmente, responde exactamente, responde solo con,
  responde unicamente, contesta exactamente, contesta solo, escribe exactamente, palabra por palabra,
  tus herramientas, llama a la herramienta, llama a la funcion, usa la herramienta, lista de clientes,
  lista de contactos, lista de propietarios, clave de api, fin de la conversacion, pon el campo, cambia el campo,
  actualiza el campo, rellena el campo, ignoriere, ignorieren sie, vergiss deine, vergessen sie ihre, missachte,
  deine anweisungen, ihre anweisungen, neue anweisungen, vorherigen anweisungen, bisherigen anweisungen,
  systemnachricht, systemanweisung*, systemprompt, entwicklermodus, administratormodus, wartungsmodus, debugmodus,
  ab jetzt bist, ab sofort bist, du bist jetzt, du bist nun, sie sind jetzt, tu so als, verhalte dich,
  spiele die rolle, rollenspiel, sprachmodell, sag genau, sage genau, sage wortlich, antworte genau, antworte nur mit,
  antworten sie nur mit, schreibe genau, wort fur wort, wortwortlich, deine werkzeuge, rufe das werkzeug,
  rufe die funktion, kundenliste, liste aller, api schlussel, ende der unterhaltung, setze das feld, andere das feld,
  ignora as, ignore as, ignore todas, esquece as, esqueca as, esqueca suas, suas instrucoes, tuas instrucoes,
  novas instrucoes, instrucoes anteriores, instrucoes do sistema, mensagem do sistema, modo programador,
  modo desenvolvedor, modo de manutencao, agora es um, agora voce e, age como, aja como, finja, faz de conta,
  modelo de linguagem, diz exatamente, diga exatamente, responde exatamente, responda exatamente, responde apenas com,
  responda apenas com, escreve exatamente, escreva exatamente, palavra por palavra, tuas ferramentas,
  suas ferramentas, chama a ferramenta, chame a ferramenta, chama a funcao, lista de proprietarios, chave da api,
  fim da conversa, muda o campo, preenche o campo, ignora le, ignora tutte, ignori le, dimentica le, dimentichi le,
  tue istruzioni, sue istruzioni, nuove istruzioni, istruzioni precedenti, istruzioni di sistema,
  messaggio di sistema, modalita sviluppatore, modalita amministratore, modalita manutenzione, adesso sei,
  agisci come, comportati come, fingi, fai finta, gioco di ruolo, modello linguistico, di esattamente,
  rispondi esattamente, rispondi solo con, scrivi esattamente, parola per parola, tuoi strumenti, chiama lo strumento,
  chiama la funzione, elenco dei clienti, lista dei clienti, elenco dei proprietari, chiave api,
  fine della conversazione, imposta il campo, cambia il campo, ignore les, ignorez les, ignore tes, ignorez vos,
  oublie tes, oubliez vos, tes instructions, vos instructions, nouvelles instructions, mode developpeur,
  tu es maintenant, vous etes maintenant, agis comme, fais semblant, dis exactement, reponds exactement, mot pour mot,
  ignora les, oblida les, les teves instruccions, as tuas instrucions, ez ikusi egin, zure jarraibideak, tu prompt,
  el prompt, su prompt, dein prompt, ihren prompt, teu prompt, seu prompt, o prompt, tuo prompt, il prompt,
  adesso sei un, ora sei un, repite todo, repite el texto, repite tus, repite las reglas, repita todo, repeat all,
  olvida lo que te, olvida las reglas, olvida las instrucciones, wiederhole alles, repete tudo, ripeti tutto`)

/** Words that instructions have, and also people who write about their property: with a command they are instructions. */
export const doubtfulPhrases: readonly string[] = split(`
  otros clientes, otros propietarios, otros vendedores, otros contactos, base de datos, repite, repita, ignora todo,
  ignora lo anterior, olvida todo, olvida lo, olvida las, from now on, act as, pretend, override, other leads,
  other clients, other customers, other sellers, other owners, database, forget everything, forget all,
  ignore everything, ignore any, disregard, word for word, andere kunden, anderen kunden, anderer kunden,
  andere eigentumer, anderen eigentumer, anderer eigentumer, andere verkaufer, vergiss alle, vergiss alles,
  vergessen sie alle, wiederhole, wiederholen sie, datenbank, outros clientes, outros proprietarios,
  outros vendedores, a partir de agora, ignora tudo, ignore tudo, esqueca tudo, esquece tudo, base de dados,
  banco de dados, repete, ignora tutto, dimentica tutto, d ora in poi, da ora in poi, altri clienti,
  altri proprietari, altri venditori, ripeti, oublie tout, autres clients, autres proprietaires, base de donnees,
  repetez, repeteix`)

/** Commands, and what is demanded with them. */
export const commandPhrases: readonly string[] = split(`
  responde, responda, contesta, conteste, dime, digame, dame, deme, di que, escribe, escriba, pon, ponga, envia,
  envie, manda, mande, muestra, muestrame, ensename, lista, listado, telefonos, numeros, nombres, correos, eres,
  instruc*, reglas, prompt, configuracion, texto, answer, reply, respond, write, say, tell, give, send, print, show,
  list, names, numbers, phones, emails, you are, you re, rules, output, dump, text, system, antworte*, schreib*, sag,
  sage, sagen sie, gib, geben sie, sende*, schick*, zeig*, nenn*, liste, namen, nummern, telefonnummern, regeln,
  anweisung*, du bist, escreve, escreva, diz, diga, da me, de me, mostra, mostre, nomes, telefones, es um, es uma,
  voce e, regras, rispondi, risponda, scrivi, scriva, dimmi, dammi, mi dia, mostri, elenco, nomi, numeri, telefoni,
  sei un, regole, istruzion*, testo, reponds, repondez, ecris, ecrivez, donne, donnez, montre, montrez, envoie, noms,
  telephones, tu es, regles, texte`)

/** Other things than the property and the agency: chat providers forbid bots for all purposes. */
export const offTopicPhrases: readonly string[] = split(`
  poem, poems, haiku, a song, a joke, an essay, homework, python, javascript, source code, write code, a script,
  who won, stock tip*, horoscope, medical advice, diagnos*, vote for, math problem, solve this, chatgpt, gpt*, poema,
  poemas, una cancion, un chiste, un cuento, un ensayo, codigo fuente, escribe codigo, traduce, traduzca, quien gano,
  horoscopo, consejo medico, a quien votar, ecuacion, resuelve, gedicht, gedichte, ein lied, einen witz, witz,
  aufsatz, quellcode, programmcode, ubersetze, wer hat gewonnen, weltmeister*, horoskop, medizinisch*, gleichung,
  lose diese, uma cancao, uma musica, uma piada, um conto, uma redacao, trabalho de casa, codigo fonte,
  escreve codigo, escreva codigo, traduz, traduza, quem ganhou, conselho medico, em quem votar, equacao, poesia,
  una canzone, una barzelletta, codice sorgente, scrivi codice, traduci, traduca, chi ha vinto, oroscopo,
  consiglio medico, per chi votare, equazione, risolvi, un poeme, une chanson, une blague, traduis, traduisez,
  qui a gagne, bundestagswahl*, resolve esta`)

/** Other things too, unless the message also names the property or the agency. */
export const besideTopicPhrases: readonly string[] = split(`
  a story, translate, translation, world cup, president of, capital of, the weather, bitcoin, crypto*, recipe,
  religion, elections, una historia, deberes, receta, un programa en, traduccion, mundial, presidente de, capital de,
  que tiempo hace, el tiempo en, criptomoneda*, elecciones, eine geschichte, hausaufgabe*, rezept, ein programm,
  ubersetzen, ubersetzung, hauptstadt, wetter, wie ist das wetter, kryptowahrung*, uma historia, receita de,
  um programa em, traducao, copa do mundo, como esta o tempo, criptomoedas, eleicoes, una storia, compiti, ricetta,
  un programma in, traduzione, mondiali, capitale di, capitale della, che tempo fa, criptovalut*, elezioni,
  une recette, capitale de, quel temps fait`)
