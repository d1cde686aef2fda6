/** The texts that every form for visitors has, in nine languages. */
import type { MessageLanguage } from '../domain/messaging/opt-out-words.ts'

export interface FormWords {
  /** The name of the language in itself. */
  languageName: string
  language: string
  optional: string
  name: string
  email: string
  phone: string
  message: string
  choose: string
  /** The link to the privacy notice. */
  privacyMore: string
}

export interface FormErrors {
  heading: string
  required: string
  /** The text is no name, as one with a link or a number. */
  name: string
  email: string
  phone: string
  option: string
  tick: string
  tooLong: (max: number) => string
  repeat: string
}

type Words = FormWords & { errors: FormErrors }

export const formWords: Record<MessageLanguage, Words> = {
  es: {
    languageName: 'Español',
    language: 'Idioma',
    optional: 'opcional',
    name: 'Nombre',
    email: 'Correo electrónico',
    phone: 'Teléfono',
    message: 'Mensaje',
    choose: 'Elija…',
    privacyMore: 'Cómo se usan sus datos',
    errors: {
      heading: 'Revise lo siguiente',
      required: 'Rellene este campo.',
      name: 'Escriba solo su nombre, sin números ni enlaces.',
      email: 'Escriba una dirección de correo, como nombre@example.com.',
      phone: 'Escriba un número de teléfono, como +34 612 345 678.',
      option: 'Elija una de las opciones.',
      tick: 'Marque esta casilla.',
      tooLong: max => `Escriba como máximo ${max} caracteres.`,
      repeat: 'Revise sus datos y envíelos de nuevo.',
    },
  },
  ca: {
    languageName: 'Català',
    language: 'Idioma',
    optional: 'opcional',
    name: 'Nom',
    email: 'Correu electrònic',
    phone: 'Telèfon',
    message: 'Missatge',
    choose: 'Trieu…',
    privacyMore: 'Com es fan servir les vostres dades',
    errors: {
      heading: 'Reviseu el següent',
      required: 'Ompliu aquest camp.',
      name: 'Escriviu només el vostre nom, sense números ni enllaços.',
      email: 'Escriviu una adreça de correu, com nom@example.com.',
      phone: 'Escriviu un número de telèfon, com +34 612 345 678.',
      option: 'Trieu una de les opcions.',
      tick: 'Marqueu aquesta casella.',
      tooLong: max => `Escriviu com a màxim ${max} caràcters.`,
      repeat: 'Reviseu les vostres dades i torneu-les a enviar.',
    },
  },
  gl: {
    languageName: 'Galego',
    language: 'Idioma',
    optional: 'opcional',
    name: 'Nome',
    email: 'Correo electrónico',
    phone: 'Teléfono',
    message: 'Mensaxe',
    choose: 'Escolla…',
    privacyMore: 'Como se usan os seus datos',
    errors: {
      heading: 'Revise o seguinte',
      required: 'Encha este campo.',
      name: 'Escriba só o seu nome, sen números nin ligazóns.',
      email: 'Escriba un enderezo de correo, como nome@example.com.',
      phone: 'Escriba un número de teléfono, como +34 612 345 678.',
      option: 'Escolla unha das opcións.',
      tick: 'Marque esta casa.',
      tooLong: max => `Escriba como máximo ${max} caracteres.`,
      repeat: 'Revise os seus datos e envíeos de novo.',
    },
  },
  eu: {
    languageName: 'Euskara',
    language: 'Hizkuntza',
    optional: 'aukerakoa',
    name: 'Izena',
    email: 'Helbide elektronikoa',
    phone: 'Telefonoa',
    message: 'Mezua',
    choose: 'Aukeratu…',
    privacyMore: 'Nola erabiltzen diren zure datuak',
    errors: {
      heading: 'Berrikusi honako hau',
      required: 'Bete eremu hau.',
      name: 'Idatzi zure izena bakarrik, zenbakirik eta estekarik gabe.',
      email: 'Idatzi helbide elektroniko bat; adibidez, izena@example.com.',
      phone: 'Idatzi telefono-zenbaki bat; adibidez, +34 612 345 678.',
      option: 'Aukeratu aukeretako bat.',
      tick: 'Markatu laukitxo hau.',
      tooLong: max => `Idatzi gehienez ${max} karaktere.`,
      repeat: 'Berrikusi zure datuak eta bidali berriro.',
    },
  },
  pt: {
    languageName: 'Português',
    language: 'Idioma',
    optional: 'opcional',
    name: 'Nome',
    email: 'E-mail',
    phone: 'Telefone',
    message: 'Mensagem',
    choose: 'Escolha…',
    privacyMore: 'Como são usados os seus dados',
    errors: {
      heading: 'Verifique o seguinte',
      required: 'Preencha este campo.',
      name: 'Escreva apenas o seu nome, sem números nem ligações.',
      email: 'Escreva um endereço de e-mail, como nome@example.com.',
      phone: 'Escreva um número de telefone, como +351 912 345 678.',
      option: 'Escolha uma das opções.',
      tick: 'Assinale esta caixa.',
      tooLong: max => `Escreva no máximo ${max} caracteres.`,
      repeat: 'Verifique os seus dados e envie-os de novo.',
    },
  },
  it: {
    languageName: 'Italiano',
    language: 'Lingua',
    optional: 'facoltativo',
    name: 'Nome',
    email: 'E-mail',
    phone: 'Telefono',
    message: 'Messaggio',
    choose: 'Scegli…',
    privacyMore: 'Come vengono usati i tuoi dati',
    errors: {
      heading: 'Controlla quanto segue',
      required: 'Compila questo campo.',
      name: 'Scrivi solo il tuo nome, senza numeri né link.',
      email: 'Scrivi un indirizzo e-mail, come nome@example.com.',
      phone: 'Scrivi un numero di telefono, come +39 312 345 6789.',
      option: 'Scegli una delle opzioni.',
      tick: 'Seleziona questa casella.',
      tooLong: max => `Scrivi al massimo ${max} caratteri.`,
      repeat: 'Controlla i tuoi dati e inviali di nuovo.',
    },
  },
  en: {
    languageName: 'English',
    language: 'Language',
    optional: 'optional',
    name: 'Name',
    email: 'E-mail',
    phone: 'Phone',
    message: 'Message',
    choose: 'Choose…',
    privacyMore: 'How your data are used',
    errors: {
      heading: 'Please check the following',
      required: 'Please fill in this field.',
      name: 'Please enter only your name, without numbers and links.',
      email: 'Please enter an e-mail address, such as name@example.com.',
      phone: 'Please enter a phone number, such as +34 612 345 678.',
      option: 'Please choose one of the options.',
      tick: 'Please tick this box.',
      tooLong: max => `Please write at most ${max} characters.`,
      repeat: 'Please check your details and send them again.',
    },
  },
  fr: {
    languageName: 'Français',
    language: 'Langue',
    optional: 'facultatif',
    name: 'Nom',
    email: 'E-mail',
    phone: 'Téléphone',
    message: 'Message',
    choose: 'Choisissez…',
    privacyMore: 'Utilisation de vos données',
    errors: {
      heading: 'Veuillez vérifier',
      required: 'Veuillez remplir ce champ.',
      name: 'Veuillez saisir uniquement votre nom, sans chiffres ni liens.',
      email: 'Veuillez saisir une adresse e-mail, comme nom@example.com.',
      phone: 'Veuillez saisir un numéro de téléphone, comme +33 6 12 34 56 78.',
      option: 'Veuillez choisir une des options.',
      tick: 'Veuillez cocher cette case.',
      tooLong: max => `Veuillez écrire au plus ${max} caractères.`,
      repeat: 'Veuillez vérifier vos coordonnées et les envoyer à nouveau.',
    },
  },
  de: {
    languageName: 'Deutsch',
    language: 'Sprache',
    optional: 'freiwillig',
    name: 'Name',
    email: 'E-Mail',
    phone: 'Telefon',
    message: 'Nachricht',
    choose: 'Bitte wählen…',
    privacyMore: 'Wie Ihre Daten genutzt werden',
    errors: {
      heading: 'Bitte prüfen Sie Folgendes',
      required: 'Bitte füllen Sie dieses Feld aus.',
      name: 'Bitte geben Sie nur Ihren Namen ein, ohne Zahlen und Links.',
      email: 'Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
      phone: 'Bitte geben Sie eine Telefonnummer ein, zum Beispiel +49 1512 3456789.',
      option: 'Bitte wählen Sie eine der Möglichkeiten.',
      tick: 'Bitte kreuzen Sie dieses Feld an.',
      tooLong: max => `Bitte schreiben Sie höchstens ${max} Zeichen.`,
      repeat: 'Bitte prüfen Sie Ihre Angaben und schicken Sie sie noch einmal.',
    },
  },
}
