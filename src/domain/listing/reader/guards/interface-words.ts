/** Recognizes texts that the interface of a page consists of: labels, headings, commands. */
import { allLanguages, findPhrase, parseAnswer, parseHeading, parseLabel, toPhrase } from '../words/words.ts'

/** Commands begin with these words, in ten languages. */
const commands =
  /^(?:show|view|see|open|hide|close|click|contact|send|email|e mail|share|save|print|report|read|load|search|find|login|log in|sign|register|request|book|schedule|enquire|ask|get|call|back|next|previous|go to|add|remove|compare|download|learn|discover|follow|subscribe|visit|check|apply|select|choose|try|tap|ver|mostrar|abrir|cerrar|contactar|contacta|contacto|contacte|llamar|llama|enviar|envia|compartir|guardar|imprimir|buscar|volver|solicitar|anadir|descargar|pedir|haz|haga|veure|mostra|trucar|desar|cercar|tornar|contactar|telefonar|ligar|partilhar|compartilhar|pesquisar|voltar|adicionar|fale|agendar|vedi|mostra|apri|contatta|contatti|chiama|invia|condividi|salva|stampa|cerca|torna|richiedi|scopri|visualizza|scrivi|voir|afficher|contacter|contactez|appeler|appelez|envoyer|partager|sauvegarder|imprimer|rechercher|retour|demander|decouvrir|ajouter|signaler|anzeigen|ansehen|kontakt|kontaktieren|anrufen|senden|teilen|merken|drucken|suchen|zuruck|anfragen|jetzt|bekijk|toon|bel|stuur|deel|bewaar|zoek|terug|vraag|pokaz|zobacz|zadzwon|napisz|wyslij|udostepnij|zapisz|drukuj|szukaj|wroc|skontaktuj|zobrazit|kontaktovat|zavolat|odeslat|sdilet|ulozit|tisk|hledat|zpet|показать|написать|позвонить|посмотреть|поделиться|сохранить|связаться)(?= |$)/u
/** Words at the end of a command (`auf Karte anzeigen`), and things that only the interface names. */
const commandParts =
  /(?:^| )(?:anzeigen|ansehen|einblenden|kontaktieren|anfragen|tonen|bekijken|on (?:the )?map|en (?:el )?mapa|no mapa|sulla mappa|sur la carte|auf (?:der )?karte|op (?:de )?kaart|na mapie|na mape|на карте|street view|google maps?|photos?|fotos?|fotografias|bilder|foto s|zdjec|fotek|videos?|virtual tour|contact details|contact data|datos de contacto|phone number|telefono|telefon|e mail|email|whatsapp|newsletter|cookies?|login|copyright|all rights reserved)$/u
/** The link to the map at the end of an address. */
const mapTail =
  /[\s,(|·•-]+(?:(?:show|view|see|ver|vedi|voir|zobrazit|pokaż|auf|on|en|sur|na|op)\s+(?:\p{L}{1,10}\s+){0,3})?(?:map|mapa|mappa|karte|carte|kaart|mapie|mapě|карте|anzeigen|street view)[\s).]*$/iu

/** Consents and fields of forms, in ten languages. */
const formWords =
  /(?:^| )(?:datenschutz\p{L}*|privacy\p{L}*|privacidad|privacidade|privacitat|pribatutasun\p{L}*|confidentialite|prywatnosc\p{L}*|osobnich udaju|danych osobowych|персональн\p{L}*|конфиденциальн\p{L}*|cookies?|gdpr|rgpd|dsgvo|impressum|agb|captcha|recaptcha|terms (?:and|of|e|y)|conditions|condiciones|condicions|condicoes|condizioni|termini e|voorwaarden|nutzungsbedingungen|geschaftsbedingungen|regulamin\p{L}*|obchodni podminky|aviso legal|avis legal|mentions legales|note legali|nota legal|pflichtfeld\p{L}*|required fields?|campos? obligatorios?|campo obbligatorio|(?:your|first|last|full) name|vorname|nachname|familienname|apellidos|cognome|sobrenome|prenom|achternaam|voornaam|nazwisko|prijmeni|фамилия|your (?:message|phone|email)|nachricht|betreff|anrede|mensaje|mensagem|messaggio|asunto)(?= |$)/u

/** True for the label of a field of a form, or the words of a consent. */
export function isFormText(text: string): boolean {
  return /\*\s*$/.test(text) || formWords.test(toPhrase(text))
}

/** True for a label, a heading of a section, or a command: no name of a person or place. */
export function isInterfaceText(text: string): boolean {
  const phrase = toPhrase(text)
  return (
    phrase === '' ||
    commands.test(phrase) ||
    commandParts.test(phrase) ||
    parseLabel(text) !== null ||
    parseHeading(text) !== null ||
    parseAnswer(text) !== null
  )
}

const wordKinds = ['operation', 'subtype', 'status', 'condition', 'energy', 'onRequest', 'period'] as const

/** True if the whole text is a word for a type, an operation or the like in any language. */
export function isListingWord(text: string): boolean {
  const phrase = toPhrase(text)
  return text.length <= 60 && wordKinds.some(kind => findPhrase(kind, phrase, allLanguages) !== null)
}

/** `Pod Slovany, Úvaly mapa` → `Pod Slovany, Úvaly`. */
export function omitMapLink(text: string): string {
  return text.length > 200 ? text : text.replace(mapTail, '')
}
