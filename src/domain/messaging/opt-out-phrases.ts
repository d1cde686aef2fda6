/**
 * The messages by which people refuse further messages, or want them again, by language. Words are plain: lower case,
 * without accents and signs. `{a|b|}`: one of these, or nothing. Ambiguous words are left out: "cancel" may mean a
 * visit, "no, thanks" a home.
 */

export const messageLanguages = ['es', 'ca', 'gl', 'eu', 'pt', 'it', 'en', 'fr', 'de'] as const
export type MessageLanguage = (typeof messageLanguages)[number]

/** Understood in every language. */
export const internationalOptOuts = [
  'stop',
  'stopp',
  'stop all',
  'stopall',
  'unsubscribe',
  'opt out',
  'optout',
]

/** Words that also answer a question of a conversation: "enough", "no more", "I want to leave". */
export const unclearOptOuts = [
  'basta',
  'no mas',
  'prou',
  'no mes',
  'abonda',
  'non mais',
  'nahikoa',
  'nahikoa da',
  'ez gehiago',
  'chega',
  'nao mais',
  'remove',
  'remover',
  'no more',
  'quero sair',
]

/** Words that are also the ground floor. */
export const floorOptOuts = ['baja', 'la baja', 'baixa', 'la baixa', 'a baixa']

export const optOutPhrases: Record<MessageLanguage, readonly string[]> = {
  es: [
    'baja',
    '{la |mi |solicito la |solicito mi |pido la |quiero la |quiero mi }baja',
    '{dar|darse|darme|dame|deme|denme|dadme|me doy|quiero darme|quisiera darme|deseo darme} de baja',
    '{cancelar|cancela|cancele|cancelen} {la |mi |}suscripcion',
    'baja {de la|de esta} lista',
    '{desuscribir|desuscribirme|desuscribirse|desuscribeme|quiero desuscribirme}',
    'basta',
    '{basta de|no mas|stop} {mensajes|whatsapps}',
    'no mas',
    '{dejame|dejeme|dejenme|dejadme} {en paz|tranquilo|tranquila|tranquilos}',
    'me opongo {al tratamiento|al tratamiento de mis datos|a que me escriban|a que me contacten|}',
    '{quitame|quiteme|quitenme|sacame|saqueme|saquenme|borrame|borreme|borrenme|eliminame|elimineme|eliminenme} {de la lista|de tu lista|de su lista|de vuestra lista|}',
  ],
  ca: [
    'baixa',
    '{la |vull la |sol licito la |solicito la |demano la |demano }baixa',
    '{dona m|doni m|donin me|doneu me|donar de|donar me de|donar se de|vull donar me de} {de |}baixa',
    'prou',
    '{prou|no mes|cap mes} {missatges|missatge}',
    'no mes',
    'em {vull donar|dono} de baixa',
    '{deixa m|deixi m|deixin me|deixeu me} {en pau|tranquil|tranquil la|tranquils}',
    '{m oposo|m hi oposo}',
    '{esborra m|esborri m|esborreu me|elimina m|elimineu me|treu me|tregui m|treieu me} {de la llista|}',
  ],
  gl: [
    'baixa',
    '{a |quero a |solicito a |pido a }baixa',
    '{dar|darme|darse|dame|deame|deanme|dademe|quero darme} de baixa',
    'abonda',
    'basta',
    '{abonda de|basta de|non mais|mais non} mensaxes',
    'non mais',
    '{deixame|deixeme|deixenme|deixademe} {en paz|tranquilo|tranquila}',
    'oponome',
    '{borrame|borreme|borrademe|eliminame|elimineme|eliminademe|quitame|quitademe} {da lista|}',
  ],
  eu: [
    'baja',
    'baja {eman|emateko|eman nahi dut|nahi dut|eskatzen dut|eman nazazu|eman nazazue}',
    'gelditu',
    'nahikoa',
    'nahikoa da',
    'ez gehiago',
    'mezu gehiagorik ez',
    'utzi {bakean|idazteari|mezuak bidaltzeari|niri idazteari}',
    '{kendu|ezabatu} {nazazu|nazazue} {zerrendatik|}',
    '{kendu zerrendatik|zerrendatik kendu}',
    'ez niri gehiago idatzi',
    'aurka {nago|egiten dut}',
  ],
  pt: [
    'sair',
    'quero sair {da lista|}',
    'parar',
    'pare',
    'parem',
    'baixa',
    'remover',
    '{quero |}{descadastrar|descadastrar me|me descadastrar}',
    '{quero |}{cancelar|anular} {a |}{subscricao|assinatura|inscricao}',
    'chega',
    'basta',
    '{chega de|basta de|nao mais|mais nao} mensagens',
    'nao mais',
    '{deixe me|deixem me|me deixe|me deixem} {em paz|tranquilo|tranquila|sossegado|sossegada}',
    '{oponho me|me oponho}',
    '{retire me|retirem me|remova me|removam me|me retire|me remova|me tire|tire me|tirem me} {da lista|da vossa lista|}',
  ],
  it: [
    'basta',
    '{basta|stop} messaggi',
    '{niente|nessun} {piu |altro |altri |}{messaggi|messaggio}',
    '{disiscrivi|disiscrivimi|disiscrivetemi|disiscrivermi|disiscriversi|disiscrizione}',
    '{voglio|vorrei|desidero} {disiscrivermi|cancellarmi}',
    '{annulla|cancella|annullare|cancellare} {l |la mia |}iscrizione',
    '{cancellami|cancellatemi|mi cancelli|rimuovimi|rimuovetemi|mi rimuova|toglimi|toglietemi|mi tolga} {dalla lista|dalla vostra lista|dall elenco|}',
    '{lasciami|lasciatemi|mi lasci} {in pace|tranquillo|tranquilla}',
    'mi oppongo',
  ],
  en: [
    'quit',
    'remove',
    'stop {it|this|now}',
    'no more',
    'no more {messages|texts|whatsapps|emails}',
    '{remove|delete} {me|my number} {from your list|from the list|from this list|}',
    'take me off {your|the|this} list',
    'leave me alone',
    'i object',
    'i {want|d like|would like|wish} to {unsubscribe|opt out}',
    '{unsubscribe me|opt me out}',
  ],
  fr: [
    'arret',
    '{arreter|arretez|arrete}',
    'stop {pub|sms|messages|mails}',
    '{desabonner|desabonnement|desinscrire|desinscription|me desabonner|me desinscrire}',
    '{desabonnez|desinscrivez|desabonne|desinscris} moi',
    'je {veux|souhaite|voudrais} me {desabonner|desinscrire}',
    '{se desabonner|se desinscrire}',
    '{retirez|enlevez|supprimez|effacez} moi {de la liste|de votre liste|}',
    '{laissez|laisse} moi {tranquille|en paix}',
    '{fichez|foutez} moi la paix',
    'je {m oppose|m y oppose}',
  ],
  de: [
    'abmelden',
    'abmeldung',
    'abbestellen',
    'austragen',
    'aufhoren',
    'aufhoeren',
    '{ich |}{mochte|moechte|will} mich {abmelden|austragen}',
    '{melden sie|melde|meldet|tragen sie} mich {bitte |}{ab|aus}',
    '{lass|lasst|lassen sie} mich {bitte |}in {ruhe|frieden}',
    '{widerspruch|ich widerspreche|ich widerspreche dem}',
    '{horen sie|hoeren sie|hor|hoer} {bitte |}auf {mir zu schreiben|mich zu kontaktieren|}',
  ],
}

/** Understood in every language. */
export const internationalOptIns = ['start', 'unstop', 'subscribe', 'opt in', 'optin']

export const optInPhrases: Record<MessageLanguage, readonly string[]> = {
  es: [
    'alta',
    '{dame|deme|quiero darme|quiero volver a darme} de alta',
    '{suscribirme|quiero suscribirme|reanudar}',
  ],
  ca: ['alta', '{dona m|doneu me|donar me|vull donar me} {de |d |}alta', '{subscriure m|reprendre}'],
  gl: ['alta', '{dame|quero darme} de alta', '{subscribirme|retomar}'],
  eu: ['alta', 'alta {eman|eman nahi dut}', 'hasi'],
  pt: ['{comecar|retomar|subscrever|quero subscrever|inscrever}'],
  it: ['{iscrivimi|iscrivetemi|voglio iscrivermi|riprendi|riattiva|attiva}'],
  en: ['{resume|subscribe me|opt me in}', 'i {want|d like|would like} to {subscribe|opt in}'],
  fr: ['{reprendre|abonner|m abonner|abonnez moi|je veux m abonner}'],
  de: ['{anmelden|ich mochte mich anmelden|ich moechte mich anmelden|fortsetzen}'],
}

/** Words around a request, which don't change it. */
export const politeWords: readonly string[] = [
  '{hola|buenas|buenos dias|buenas tardes|por favor|porfavor|porfa|gracias|muchas gracias|un saludo|saludos|ya|vale|ok}',
  '{bon dia|bona tarda|si us plau|sisplau|gracies|moltes gracies|merci|merces|salutacions}',
  '{ola|bo dia|boas|boa tarde|grazas|moitas grazas|saudos}',
  '{kaixo|egun on|mesedez|eskerrik asko|mila esker|eskerrak}',
  '{ola|bom dia|se faz favor|faz favor|sff|obrigado|obrigada|muito obrigado|muito obrigada|cumprimentos}',
  '{ciao|buongiorno|buonasera|salve|per favore|per piacere|per cortesia|grazie|grazie mille|cordiali saluti}',
  '{hi|hello|please|pls|thanks|thank you|many thanks|thx|kindly|regards}',
  '{bonjour|bonsoir|salut|s il vous plait|s il te plait|svp|stp|merci beaucoup|cordialement}',
  '{hallo|guten tag|guten morgen|bitte|danke|vielen dank|danke schon|mit freundlichen grussen|gruss|gruesse|grusse}',
]

/** Clauses before a request, which don't change it: "ya no me interesa, no me escribas más". */
export const prefaces: readonly string[] = [
  '{ya |}no {me|nos} interesa {el piso|la casa|}',
  '{ya |}no estoy {interesado|interesada}',
  '{ya no m|no m|no em|ja no m|ja no em} interessa',
  '{xa |}non me interesa',
  'ez zait interesatzen',
  '{ja |}nao {me interessa|estou interessado|estou interessada}',
  'non {mi interessa|mi interessa piu|sono interessato|sono interessata}',
  '{i m |i am |}{not|no longer} interested {anymore|any more|}',
  '{ca ne|cela ne} m interesse {pas|plus}',
  '{je ne suis|je suis} {pas|plus} {interesse|interessee}',
  '{ich habe |}kein interesse {mehr|}',
  // "It is sold", the commonest reason of an owner.
  '{el piso |la casa |la vivienda |el inmueble |}{ya |}{esta|se ha|ha sido} {vendido|vendida|alquilado|alquilada|reservado|reservada}',
  '{ya |}{lo|la} {he|hemos|tengo|tenemos} {vendido|vendida|alquilado|alquilada|reservado|reservada}',
  'ya {he|hemos} {vendido|alquilado} {el piso|la casa|}',
  '{el pis |la casa |}{ja |}{esta|s ha|ha estat} {venut|venuda|llogat|llogada|reservat|reservada}',
  '{ja |}{l he|l hem} {venut|venuda|llogat|llogada}',
  'ja {he|hem} {venut|llogat} {el pis|la casa|}',
  '{o piso |a casa |}{xa |}{esta|foi} {vendido|vendida|alugado|alugada|reservado|reservada}',
  'xa {o |a |}{vendin|vendemos|aluguei|alugamos}',
  '{etxea |pisua |}{dagoeneko |jada |}{salduta|alokatuta} dago',
  '{dagoeneko |jada |}{saldu|alokatu} {dut|dugu|da}',
  '{o apartamento |a casa |o imovel |}{ja |}{esta|foi} {vendido|vendida|alugado|alugada|arrendado|arrendada|reservado|reservada}',
  'ja {o |a |}{vendi|vendemos|aluguei|arrendei} {o apartamento|a casa|}',
  '{l appartamento |la casa |}{e|e stato|e stata} {gia |}{venduto|venduta|affittato|affittata}',
  '{l ho|l abbiamo|ho|abbiamo} {gia |}{venduto|venduta|affittato|affittata} {l appartamento|la casa|}',
  '{it s|it is|it has been|the house is|the flat is|the property is} {already |now |}{sold|rented|let}',
  '{i|we} {already |have |have already |ve |ve already |}{sold|rented|let} {it|the house|the flat}',
  '{c est|il est|elle est|le bien est|la maison est|l appartement est} {deja |}{vendu|vendue|loue|louee}',
  '{je l ai|nous l avons|on l a} {deja |}{vendu|vendue|loue|louee}',
  '{das haus|die wohnung|die immobilie|das objekt|es|sie} {ist|wurde} {bereits |schon |inzwischen |}{verkauft|vermietet}',
  '{ich habe|wir haben} {es|sie|das haus|die wohnung} {bereits |schon |}{verkauft|vermietet}',
  '{ya |ja |xa |gia |deja |already |bereits |schon |}{vendido|vendida|alquilado|alquilada|venut|venuda|llogat|llogada|alugado|alugada|arrendado|venduto|venduta|affittato|affittata|sold|rented|vendu|vendue|loue|louee|verkauft|vermietet}',
  '{no gracias|no gracies|non grazas|ez eskerrik asko|nao obrigado|nao obrigada|no grazie|no thanks|no thank you|non merci|nein danke}',
]

/** Lines before a name at the end of a message. Polite words are such lines too. */
export const closings: readonly string[] = [
  '{un cordial saludo|saludos cordiales|un saludo cordial|cordialmente|atentamente|atte|un abrazo|gracias y un saludo|gracias y saludos}',
  '{una salutacio|salutacions cordials|atentament|cordialment|gracies i salutacions}',
  '{un saudo|saudos cordiais|unha aperta}',
  '{agur|agur bero bat|adeitasunez|ondo izan}',
  '{melhores cumprimentos|com os melhores cumprimentos|atenciosamente|um abraco|att}',
  '{saluti|un saluto|un cordiale saluto|distinti saluti|cordialmente}',
  '{best|best regards|kind regards|warm regards|sincerely|yours sincerely|yours faithfully|best wishes|all the best|cheers}',
  '{bien cordialement|bien a vous|salutations|sinceres salutations|salutations distinguees|bonne journee}',
  '{freundliche grusse|freundliche gruesse|viele grusse|viele gruesse|liebe grusse|liebe gruesse|beste grusse|beste gruesse|mfg|vg|lg}',
]

/** The only message that is sent after an opt-out. */
export const optOutConfirmations: Record<MessageLanguage, string> = {
  es: 'De acuerdo: no volveremos a escribirte por este canal.',
  ca: 'D’acord: no et tornarem a escriure per aquest canal.',
  gl: 'De acordo: non che volveremos escribir por esta canle.',
  eu: 'Ados: ez dizugu gehiago idatziko bide honetatik.',
  pt: 'Está bem: não voltaremos a escrever-lhe por este canal.',
  it: 'Va bene: non ti scriveremo più su questo canale.',
  en: 'All right: we will not write to you again through this channel.',
  fr: 'C’est noté : nous ne vous écrirons plus par ce canal.',
  de: 'In Ordnung: Wir schreiben Ihnen auf diesem Weg nicht mehr.',
}
