/** Refusals that are built from the forms of verbs: tú, usted, vosotros, ustedes and the infinitive, with "no … more". */
import type { MessageLanguage } from './opt-out-phrases.ts'

/** Choices of a pattern, such as `me|nos`. */
interface RefusalForms {
  /** `no` */
  not: string
  /** `me|nos` */
  me: string
  /** "write to", "contact": they need an object, or "any more". */
  contact: string
  /** "disturb": it needs neither. */
  disturb: string
  /** Forms that stand alone: the infinitives. */
  alone: string
  send: string
  /** `no quiero` */
  refuse: string
  receive: string
  /** `mas|nunca mas` */
  more: string
  /** `mensajes|correos` */
  things: string
  /** "information": it is only refused with "receive". */
  news: string
}

function buildRefusals(forms: RefusalForms): string[] {
  const { not, me, contact, disturb, alone, send, refuse, receive, more, things, news } = forms
  const [first] = more.split('|')
  return [
    `${not} {${me}} {${contact}|${disturb}} {${more}|}`,
    `${not} {${contact}} {${more}}`,
    `${not} {${disturb}|${alone}} {${more}|}`,
    `${not} {${me}} {${send}} {${more}}`,
    `${not} {${me}|} {${send}} {${first} |}{${things}}`,
    `${not} {${refuse}} que {${me}} {${contact}|${disturb}} {${more}|}`,
    `${not} {${refuse}} {${first} |}{${things}}`,
    `${not} {${refuse}} {${receive}|${receive} ${first}|${first} ${receive}} {${things}|${news}}`,
  ]
}

export const refusalPhrases: Record<MessageLanguage, readonly string[]> = {
  es: [
    ...buildRefusals({
      not: 'no',
      me: 'me|nos',
      contact: 'escribas|escriba|escriban|escribais|contactes|contacte|contacten|contacteis',
      disturb: 'molestes|moleste|molesten|molesteis',
      alone: 'contactar|contactarme|contactarnos|escribirme|escribirnos|molestar|molestarme|molestarnos',
      send: 'mandes|mande|manden|mandeis|envies|envie|envien|envieis|mandar|enviar',
      refuse: 'quiero|deseo|queremos|deseamos',
      receive: 'recibir',
      more: 'mas|nunca mas|nada mas',
      things: 'mensajes|whatsapps|correos|emails|e mails|publicidad',
      news: 'informacion|comunicaciones',
    }),
    'no me {mandes|mande|manden|mandeis|envies|envie|envien|envieis} nada',
    'no {me |nos |}{vuelvas|vuelva|vuelvan|volvais} a {escribir|escribirme|escribirnos|contactar|contactarme|contactarnos|molestar|molestarme} {mas|nunca mas|}',
    '{deja|deje|dejen|dejad} de {escribir|escribirme|escribirnos|contactarme|molestar|molestarme|mandarme mensajes|enviarme mensajes|mandar mensajes|enviar mensajes}',
    '{nunca mas me|nunca me} {escribas|escriba|escriban|contactes|contacte|contacten}',
    '{borra|borre|borren|borrad|borrar|elimina|elimine|eliminen|eliminad|eliminar|suprima|supriman|suprimir} {mi numero|mis datos|mis datos personales|mi telefono|mi correo}',
  ],
  ca: [
    ...buildRefusals({
      not: 'no',
      me: 'm|em|ens',
      contact: 'escriguis|escrigui|escriguin|escrigueu|escriviu|contactis|contacti|contactin|contacteu',
      disturb: 'molestis|molesti|molestin|molesteu',
      alone: 'contactar|contactar me|escriure m|molestar|molestar me',
      send: 'enviis|envii|enviin|envieu|enviar',
      refuse: 'vull|desitjo|volem',
      receive: 'rebre',
      more: 'mes|mai mes|res mes',
      things: 'missatges|missatge|whatsapps|correus|publicitat',
      news: 'informacio|comunicacions',
    }),
    'no vull {rebre |}cap mes {missatges|missatge}',
    'no {m|em|ens} {tornis|torni|tornin|torneu} a {escriure|contactar|molestar} {mes|mai mes|}',
    '{deixa|deixi|deixin|deixeu} d{ |}{escriure m|escriure em|enviar me missatges|enviar missatges|contactar me}',
    '{deixa|deixi|deixin|deixeu} de {contactar me|molestar me|molestar}',
    '{esborra|esborreu|esborrar|elimina|elimineu|eliminar} {el meu numero|les meves dades|les meves dades personals}',
  ],
  gl: [
    ...buildRefusals({
      not: 'non',
      me: 'me|nos',
      contact: 'escribas|escriba|escriban|escribades|contactes|contacte|contacten|contactedes',
      disturb: 'molestes|moleste|molesten|molestedes',
      alone: 'contactar|contactarme|escribirme|molestar|molestarme',
      send: 'envies|envie|envien|enviedes|mandes|mande|manden|mandedes|enviar|mandar',
      refuse: 'quero|desexo|queremos',
      receive: 'recibir',
      more: 'mais|nunca mais|nada mais',
      things: 'mensaxes|whatsapps|correos|publicidade',
      news: 'informacion|comunicacions',
    }),
    'non {me|nos} {volvas|volva|volvan|volvades} {a |}{escribir|contactar|molestar} {mais|nunca mais|}',
    '{deixa|deixe|deixen|deixade} de {escribirme|contactarme|molestarme|enviarme mensaxes|mandarme mensaxes}',
    '{borra|borre|borrade|borrar|elimina|elimine|eliminade|eliminar} {o meu numero|os meus datos|os meus datos persoais}',
  ],
  eu: [
    'ez {idatzi|bidali} {gehiago|mezu gehiago|mezu gehiagorik|niri gehiago}',
    'ez {niri |}{idatzi|bidali} mezurik',
    'ez {deitu|molestatu} {gehiago|berriro|}',
    'ez {nazazu|nazazue} {deitu|molestatu} {gehiago|berriro|}',
    'ez dut {mezu gehiago|mezu gehiagorik|mezurik|informazio gehiago|informazio gehiagorik} {nahi|jaso nahi}',
    'ez dut nahi {mezu gehiago|mezu gehiagorik}',
    'ezabatu {nire datuak|nire zenbakia}',
    'nire datuak ezabatu',
  ],
  pt: [
    ...buildRefusals({
      not: 'nao',
      me: 'me|nos',
      contact:
        'escrevas|escreva|escrevam|escrevais|contactes|contacte|contactem|contacteis|contate|contatem|contates',
      disturb:
        'incomodes|incomode|incomodem|incomodeis|perturbes|perturbe|perturbem|chateies|chateie|chateiem|moleste|molestem',
      alone: 'contactar|contatar|contactar me|contatar me|escrever me|incomodar|incomodar me|perturbar',
      send: 'envies|envie|enviem|envieis|mandes|mande|mandem|mandeis|enviar|mandar',
      refuse: 'quero|desejo|queremos',
      receive: 'receber',
      more: 'mais|nunca mais|mais nada',
      things: 'mensagens|whatsapps|emails|e mails|publicidade',
      news: 'informacoes|informacao|comunicacoes',
    }),
    'nao {envies|envie|enviem|mandes|mande|mandem} {mais|mais nada}',
    'nao {me |}{voltem|volte|voltes} a {escrever me|contactar me|contatar me|incomodar me|escrever|contactar|contatar|incomodar}',
    '{pare|parem|para|deixe|deixem} de {me |}{enviar|mandar} mensagens',
    '{pare|parem|deixe|deixem} de me {contactar|contatar|escrever|incomodar}',
    '{apague|apaguem|apagar|elimine|eliminem|eliminar|remova|remover} {os meus dados|meus dados|os meus dados pessoais|o meu numero|meu numero}',
  ],
  it: [
    'non {scrivermi|scriverci|scrivetemi|scriveteci|contattarmi|contattarci|contattatemi|contattateci|disturbarmi|disturbatemi} {piu|mai piu|}',
    'non {mi|ci} {scriva|scrivano|scrivere|scrivete|contatti|contattino|contattare|contattate|disturbi|disturbino|disturbare|disturbate} {piu|mai piu|}',
    'non {scrivere|scrivete|contattare|contattate|contatti} {piu|mai piu}',
    'non {disturbare|disturbate|disturbi|contattare}',
    'non {inviarmi|inviatemi|mandarmi|mandatemi|mi invii|mi mandi|mi inviate|mi mandate} {piu|piu messaggi|altri messaggi|messaggi|piu niente|piu nulla}',
    'non {inviare|inviate|mandare|mandate} {piu |altri |}messaggi',
    'non {voglio|desidero|vogliamo} {ricevere |}{piu |altri |}messaggi',
    'non {voglio|desidero|vogliamo} {piu ricevere|ricevere|ricevere piu|ricevere altre|ricevere altri} {messaggi|email|e mail|informazioni|comunicazioni|pubblicita}',
    'non {voglio|desidero} piu {messaggi|essere contattato|essere contattata|essere disturbato|essere disturbata}',
    '{smetti|smettila|smettete|smettetela|la smetta|smetta} di {scrivermi|contattarmi|mandarmi messaggi|inviarmi messaggi|disturbarmi}',
    '{cancella|cancellate|cancelli|cancellare|elimina|eliminate|elimini|eliminare} {i miei dati|i miei dati personali|il mio numero}',
  ],
  en: [
    '{do not|don t|dont|never} {message|text|contact|write|write to|bother|email|e mail|disturb} {me|us} {again|anymore|any more|ever again|}',
    '{do not|don t|dont} {contact|disturb} {again|anymore|any more|}',
    '{do not|don t|dont} {message|text|write|email|bother} {again|anymore|any more}',
    '{do not|don t|dont} send {me |us |}{any more|any|more} {messages|texts|emails}',
    'stop {messaging|texting|contacting|writing|writing to|bothering|emailing|e mailing} {me|us}',
    'stop {messaging|texting|contacting|writing|emailing|messages|texts|emails}',
    'stop {sending|sending me|sending us} {messages|texts|emails|these messages|these texts|these emails}',
    'i {don t|do not|dont} {want|wish} {to receive |}{any more|any|more} {messages|texts|emails}',
    'i {don t|do not|dont} {want|wish} to {be contacted|receive messages|receive emails|hear from you} {again|anymore|any more|}',
    '{delete|erase|remove} my {number|data|details|personal data}',
  ],
  fr: [
    'ne m {ecrivez|ecris|ecrive} {plus|plus jamais}',
    'ne {me|nous} {contactez|contacte|derangez|derange|recontactez|recontacte} {plus|plus jamais|pas}',
    'ne nous ecrivez {plus|plus jamais}',
    'ne {contactez|derangez|derange} plus',
    '{merci de |de |}ne {plus|pas} {m ecrire|me contacter|me deranger|nous contacter|contacter|deranger}',
    '{merci de |de |}ne plus {m envoyer|envoyer|recevoir} {de messages|de message|de mails|de sms}',
    'ne {m |nous |}{envoyez|envoie} plus {de messages|de message|de mails|de sms|rien}',
    'je ne {veux|souhaite|desire} plus {recevoir |}{de messages|de message|de mails|vos messages|vos mails}',
    'je ne {veux|souhaite|desire} plus recevoir {d informations|d information|de publicite|vos informations}',
    'je ne {veux|souhaite|desire} plus {etre contacte|etre contactee|etre derange|etre derangee}',
    '{arretez|arrete|cessez|arreter} de {m ecrire|me contacter|m envoyer des messages|me deranger}',
    '{arretez|arrete|arreter} {les messages|vos messages|les sms|la pub}',
    '{supprimez|supprime|supprimer|effacez|efface|effacer} {mon numero|mes donnees|mes donnees personnelles}',
  ],
  de: [
    '{schreib|schreibe|schreibt|schreiben sie} {mir|uns} {bitte |}{nicht mehr|nie mehr|nie wieder}',
    '{kontaktier|kontaktiere|kontaktiert|kontaktieren sie} {mich|uns} {bitte |}{nicht mehr|nie mehr|nie wieder|nicht}',
    '{schick|schicke|schickt|schicken sie|sende|sendet|senden sie} {mir|uns} {bitte |}keine {weiteren |}{nachrichten|mails|e mails|werbung} {mehr|}',
    'nicht mehr {schreiben|kontaktieren|anschreiben|storen|stoeren}',
    'nicht {kontaktieren|storen|stoeren}',
    'keine {weiteren |}{nachrichten|mails|e mails|werbung} {mehr|}',
    'keine {weiteren |}{nachrichten|mails|e mails} {mehr |}{senden|schicken|schreiben}',
    '{ich |}{mochte|moechte|will} keine {weiteren |}{nachrichten|mails|e mails|werbung|informationen} {mehr |}{erhalten|bekommen}',
    '{ich |}{mochte|moechte|will} keine {weiteren |}nachrichten {mehr|}',
    '{ich |}{mochte|moechte|will} nicht mehr {kontaktiert|angeschrieben} werden',
    '{losch|losche|loesche|loscht|loescht|loschen sie|loeschen sie|entfernen sie} {bitte |}{meine daten|meine nummer|mich aus der liste|mich von der liste}',
    'meine {daten|nummer} {bitte |}{loschen|loeschen}',
  ],
}
