/** The texts of the widget in nine languages. */
import { type FormErrors, type FormWords, formWords } from '../../../documents/form-words.ts'
import type { MessageLanguage } from '../../../domain/messaging/opt-out-words.ts'

export interface WidgetWords extends FormWords {
  title: string
  intro: (agency: string) => string
  operation: string
  sale: string
  rent: string
  address: string
  /** What somebody agrees to by ticking the box, unless the campaign has its own text. */
  consent: (agency: string) => string
  /** The form is one of the test environment. */
  test: string
  submit: string
  sending: string
  thanks: string
  received: (agency: string) => string
  /** No more forms are taken. */
  closed: string
  /** Before the phone number and the address of the agency. */
  reachUs: string
  errors: FormErrors & {
    address: string
    /** The form is sent too often, by somebody or by all. */
    tooOften: string
    /** The connection failed. */
    failed: string
  }
}

const words: Record<MessageLanguage, WidgetWords> = {
  es: {
    ...formWords.es,
    title: '¿Quiere vender o alquilar su vivienda?',
    intro: agency => `Déjenos su número y ${agency} se pondrá en contacto con usted.`,
    operation: 'Quiero',
    sale: 'Vender',
    rent: 'Alquilar',
    address: 'Dirección de la vivienda',
    consent: agency =>
      `Acepto que ${agency} use estos datos para contactarme por teléfono, mensaje (como WhatsApp) o correo sobre la venta o el alquiler de mi vivienda. Puedo retirar mi consentimiento cuando quiera.`,
    test: 'Entorno de pruebas',
    submit: 'Contáctenme',
    sending: 'Enviando…',
    thanks: 'Gracias',
    received: agency => `Hemos recibido sus datos. ${agency} se pondrá en contacto con usted.`,
    closed: 'Ahora no recibimos solicitudes con este formulario.',
    reachUs: 'Póngase en contacto con nosotros.',
    errors: {
      ...formWords.es.errors,
      address: 'Escriba solo la dirección, sin teléfonos ni enlaces.',
      tooOften: 'Se están enviando demasiados formularios. Inténtelo más tarde o contacte con nosotros.',
      failed: 'No se ha podido enviar. Compruebe su conexión e inténtelo de nuevo.',
    },
  },
  ca: {
    ...formWords.ca,
    title: 'Voleu vendre o llogar casa vostra?',
    intro: agency => `Deixeu-nos el vostre número i ${agency} es posarà en contacte amb vós.`,
    operation: 'Vull',
    sale: 'Vendre',
    rent: 'Llogar',
    address: 'Adreça de l’habitatge',
    consent: agency =>
      `Accepto que ${agency} faci servir aquestes dades per contactar-me per telèfon, missatge (com WhatsApp) o correu sobre la venda o el lloguer del meu habitatge. Puc retirar el consentiment quan vulgui.`,
    test: 'Entorn de proves',
    submit: 'Contacteu-me',
    sending: 'S’està enviant…',
    thanks: 'Gràcies',
    received: agency => `Hem rebut les vostres dades. ${agency} es posarà en contacte amb vós.`,
    closed: 'Ara no rebem sol·licituds amb aquest formulari.',
    reachUs: 'Poseu-vos en contacte amb nosaltres.',
    errors: {
      ...formWords.ca.errors,
      address: 'Escriviu només l’adreça, sense telèfons ni enllaços.',
      tooOften: 'S’estan enviant massa formularis. Torneu-ho a provar més tard o contacteu amb nosaltres.',
      failed: 'No s’ha pogut enviar. Comproveu la connexió i torneu-ho a provar.',
    },
  },
  gl: {
    ...formWords.gl,
    title: 'Quere vender ou alugar a súa vivenda?',
    intro: agency => `Déixenos o seu número e ${agency} porase en contacto con vostede.`,
    operation: 'Quero',
    sale: 'Vender',
    rent: 'Alugar',
    address: 'Enderezo da vivenda',
    consent: agency =>
      `Acepto que ${agency} use estes datos para contactarme por teléfono, mensaxe (como WhatsApp) ou correo sobre a venda ou o aluguer da miña vivenda. Podo retirar o meu consentimento cando queira.`,
    test: 'Contorno de probas',
    submit: 'Contáctenme',
    sending: 'Enviando…',
    thanks: 'Grazas',
    received: agency => `Recibimos os seus datos. ${agency} porase en contacto con vostede.`,
    closed: 'Agora non recibimos solicitudes con este formulario.',
    reachUs: 'Póñase en contacto connosco.',
    errors: {
      ...formWords.gl.errors,
      address: 'Escriba só o enderezo, sen teléfonos nin ligazóns.',
      tooOften: 'Estanse enviando demasiados formularios. Ténteo máis tarde ou contacte connosco.',
      failed: 'Non se puido enviar. Comprobe a súa conexión e ténteo de novo.',
    },
  },
  eu: {
    ...formWords.eu,
    title: 'Etxea saldu edo alokatu nahi duzu?',
    intro: agency => `Utzi zure zenbakia, eta zurekin harremanetan jarriko da ${agency}.`,
    operation: 'Hau nahi dut',
    sale: 'Saldu',
    rent: 'Alokatu',
    address: 'Etxebizitzaren helbidea',
    consent: agency =>
      `Onartzen dut datu hauek erabiltzea nire etxebizitzaren salmentari edo alokairuari buruz nirekin harremanetan jartzeko, telefonoz, mezuz (WhatsApp, adibidez) edo posta elektronikoz: ${agency}. Nahi dudanean ken dezaket baimena.`,
    test: 'Proba-ingurunea',
    submit: 'Jarri harremanetan nirekin',
    sending: 'Bidaltzen…',
    thanks: 'Eskerrik asko',
    received: agency => `Zure datuak jaso ditugu. Zurekin harremanetan jarriko da ${agency}.`,
    closed: 'Orain ez dugu eskaerarik jasotzen inprimaki honekin.',
    reachUs: 'Jarri gurekin harremanetan.',
    errors: {
      ...formWords.eu.errors,
      address: 'Idatzi helbidea bakarrik, telefonorik eta estekarik gabe.',
      tooOften: 'Inprimaki gehiegi bidaltzen ari dira. Saiatu geroago edo jarri gurekin harremanetan.',
      failed: 'Ezin izan da bidali. Egiaztatu konexioa eta saiatu berriro.',
    },
  },
  pt: {
    ...formWords.pt,
    title: 'Quer vender ou arrendar a sua casa?',
    intro: agency => `Deixe-nos o seu número e ${agency} entrará em contacto consigo.`,
    operation: 'Quero',
    sale: 'Vender',
    rent: 'Arrendar',
    address: 'Morada do imóvel',
    consent: agency =>
      `Aceito que ${agency} use estes dados para me contactar por telefone, mensagem (como WhatsApp) ou e-mail sobre a venda ou o arrendamento do meu imóvel. Posso retirar o consentimento quando quiser.`,
    test: 'Ambiente de teste',
    submit: 'Contactem-me',
    sending: 'A enviar…',
    thanks: 'Obrigado',
    received: agency => `Recebemos os seus dados. ${agency} entrará em contacto consigo.`,
    closed: 'De momento não recebemos pedidos por este formulário.',
    reachUs: 'Contacte-nos, por favor.',
    errors: {
      ...formWords.pt.errors,
      address: 'Escreva apenas a morada, sem telefones nem ligações.',
      tooOften: 'Estão a ser enviados demasiados formulários. Tente mais tarde ou contacte-nos.',
      failed: 'Não foi possível enviar. Verifique a ligação e tente de novo.',
    },
  },
  it: {
    ...formWords.it,
    title: 'Vuoi vendere o affittare casa?',
    intro: agency => `Lasciaci il tuo numero e ${agency} ti contatterà.`,
    operation: 'Voglio',
    sale: 'Vendere',
    rent: 'Affittare',
    address: 'Indirizzo dell’immobile',
    consent: agency =>
      `Accetto che ${agency} usi questi dati per contattarmi per telefono, messaggio (come WhatsApp) o e-mail sulla vendita o l’affitto del mio immobile. Posso revocare il consenso quando voglio.`,
    test: 'Ambiente di test',
    submit: 'Contattatemi',
    sending: 'Invio in corso…',
    thanks: 'Grazie',
    received: agency => `Abbiamo ricevuto i tuoi dati. ${agency} ti contatterà.`,
    closed: 'Al momento non riceviamo richieste con questo modulo.',
    reachUs: 'Contattaci.',
    errors: {
      ...formWords.it.errors,
      address: 'Scrivi solo l’indirizzo, senza telefoni né link.',
      tooOften: 'Si stanno inviando troppi moduli. Riprova più tardi o contattaci.',
      failed: 'Invio non riuscito. Controlla la connessione e riprova.',
    },
  },
  en: {
    ...formWords.en,
    title: 'Want to sell or let your home?',
    intro: agency => `Leave your number and ${agency} will get in touch.`,
    operation: 'I want to',
    sale: 'Sell',
    rent: 'Let',
    address: 'Address of the property',
    consent: agency =>
      `I agree that ${agency} uses these details to contact me by phone, message (such as WhatsApp) or e-mail about selling or letting my property. I can withdraw my consent at any time.`,
    test: 'Test environment',
    submit: 'Contact me',
    sending: 'Sending…',
    thanks: 'Thank you',
    received: agency => `We have received your details. ${agency} will get in touch.`,
    closed: 'We take no requests with this form at the moment.',
    reachUs: 'Please contact us.',
    errors: {
      ...formWords.en.errors,
      address: 'Please enter only the address, without phone numbers and links.',
      tooOften: 'Too many forms are being sent at the moment. Please try again later, or contact us.',
      failed: 'It could not be sent. Please check your connection and try again.',
    },
  },
  fr: {
    ...formWords.fr,
    title: 'Vous voulez vendre ou louer votre bien ?',
    intro: agency => `Laissez-nous votre numéro et ${agency} vous contactera.`,
    operation: 'Je veux',
    sale: 'Vendre',
    rent: 'Louer',
    address: 'Adresse du bien',
    consent: agency =>
      `J’accepte que ${agency} utilise ces données pour me contacter par téléphone, message (comme WhatsApp) ou e-mail au sujet de la vente ou de la location de mon bien. Je peux retirer mon consentement à tout moment.`,
    test: 'Environnement de test',
    submit: 'Contactez-moi',
    sending: 'Envoi en cours…',
    thanks: 'Merci',
    received: agency => `Nous avons reçu vos données. ${agency} vous contactera.`,
    closed: 'Ce formulaire ne reçoit pas de demandes pour le moment.',
    reachUs: 'Veuillez nous contacter.',
    errors: {
      ...formWords.fr.errors,
      address: 'Veuillez saisir uniquement l’adresse, sans téléphone ni lien.',
      tooOften:
        'Trop de formulaires sont envoyés en ce moment. Veuillez réessayer plus tard ou nous contacter.',
      failed: 'L’envoi a échoué. Vérifiez votre connexion et réessayez.',
    },
  },
  de: {
    ...formWords.de,
    title: 'Möchten Sie verkaufen oder vermieten?',
    intro: agency => `Hinterlassen Sie Ihre Nummer: ${agency} meldet sich bei Ihnen.`,
    operation: 'Ich möchte',
    sale: 'Verkaufen',
    rent: 'Vermieten',
    address: 'Adresse der Immobilie',
    consent: agency =>
      `Ich bin einverstanden, dass ${agency} mich mit diesen Angaben per Telefon, Nachricht (wie WhatsApp) oder E-Mail zum Verkauf oder zur Vermietung meiner Immobilie kontaktiert. Ich kann die Einwilligung jederzeit widerrufen.`,
    test: 'Testumgebung',
    submit: 'Kontaktieren Sie mich',
    sending: 'Wird gesendet…',
    thanks: 'Vielen Dank',
    received: agency => `Wir haben Ihre Angaben erhalten. ${agency} meldet sich bei Ihnen.`,
    closed: 'Dieses Formular nimmt im Moment keine Anfragen an.',
    reachUs: 'Bitte kontaktieren Sie uns.',
    errors: {
      ...formWords.de.errors,
      address: 'Bitte geben Sie nur die Adresse ein, ohne Telefonnummern und Links.',
      tooOften:
        'Im Moment werden zu viele Formulare gesendet. Bitte versuchen Sie es später noch einmal oder kontaktieren Sie uns.',
      failed:
        'Das Senden ist fehlgeschlagen. Bitte prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    },
  },
}

export const getWidgetWords = (language: MessageLanguage): WidgetWords => words[language]
