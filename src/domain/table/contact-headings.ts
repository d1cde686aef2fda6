/** Headings of columns about people in exports of CRMs and address books and in agents' own sheets. */
import type { NamedLeadField } from './lead-fields.ts'

/**
 * Headings by field in Spanish, Catalan, Portuguese, Italian and English, as `toHeadingKey` returns them, separated by
 * commas. The most specific come first: if two columns claim a field with a single value, the earlier heading wins.
 */
export const contactHeadings: Partial<Record<NamedLeadField, string>> = {
  'contact.name': `
    contact name, full name, display name, nombre completo, nombre y apellidos, apellidos y nombre,
    nom i cognoms, nom complet, nome completo, nome e cognome, cognome e nome, nominativo, nombre
    contacto, nombre cliente, nome cliente, nombre propietario, nome proprietario, nom propietari,
    owner name, seller name, customer name, client name, lead name, person name, nombre, nom, nome,
    name, persona contacto, persona contacte, persona de contacto, pessoa contacto, referente,
    contacto, contacte, contatto, contact, cliente, client, customer, propietario, propietaria,
    propietari, proprietario, dueno, titular, titolare, vendedor, venditore, vendor, seller,
    landlord, interesado, anunciante, inserzionista, advertiser, nombre y apellido, apellido y
    nombre, nombre apellidos, apellidos nombre, nombre apellido, nombre interesado, nome contacto,
    nome contato, nome contatto, nome do contacto, nom contacte, interessado, interessato,
    interessat, richiedente, mittente, remitente, solicitante, comprador, acquirente, arrendador,
    locatore, senhorio, inquilino, cedente, nombre lead, nome lead, razon social, ragione sociale,
    razao social, nome do interessado, nome dell interessato, prospect, prospecto`,
  'contact.firstName': `
    first name, firstname, given name, forename, primer nombre, nombre de pila, nombre pila, nom de
    pila, primeiro nome, nome proprio, nome di battesimo, middle name, additional name, segundo nombre,
    secondo nome, segundo nome`,
  'contact.lastName': `
    last name, lastname, surname, family name, apellidos, apellido, primer apellido, segundo
    apellido, apellido paterno, apellido materno, cognoms, cognom, primer cognom, segon cognom,
    cognome, cognomi, apelido, apelidos, sobrenome, ultimo nome, last names, 1er apellido, 2o
    apellido, 2do apellido, primeiro apelido, segundo apelido, ultimo apelido, secondo cognome`,
  'contact.phone': `
    phone raw, phone, phone number, phones, phone numbers, telephone, telephone number, tel number,
    mobile, mobile phone, mobile number, mobile phone number, mobile no, phone no, cell, cellphone,
    cell phone, cell number, home phone, work phone, business phone, other phone, primary phone,
    main phone, landline, contact number, whatsapp, whatsapp number, whatsapp phone number, numero
    whatsapp, numero de whatsapp, telefono, telefonos, telf, telef, tlf, tlfn, tlfno, tfno, tfn,
    tel, tels, movil, moviles, telefono movil, tel movil, tlf movil, telf movil, n movil, numero
    movil, numero de movil, celular, fijo, telefono fijo, tel fijo, tlf fijo, telefono contacto,
    telefono casa, telefono particular, telefono trabajo, telefono adicional, telefono secundario,
    telefono alternativo, otro telefono, otros telefonos, n telefono, no telefono, num telefono,
    numero telefono, numero de telefono, numeros de telefono, numero contacto, telefon, telefons,
    mobil, telefon mobil, telefon fix, fix, numero de telefon, telefone, telefones, telemovel,
    telemoveis, tlm, telem, n telemovel, numero de telefone, numero telefone, numero de telemovel,
    telefone fixo, telefone movel, telefone celular, contacto telefonico, contato telefonico, fixo,
    telefoni, cellulare, cellulari, telefono cellulare, telefono fisso, fisso, numero di telefono,
    numero cellulare, numero di cellulare, n cellulare, recapito telefonico, recapito, phone value,
    fono, telefono valor, recapiti, recapiti telefonici, contactos telefonicos, contatti telefonici`,
  'contact.email': `
    email, e mail, mail, emails, email address, e mail address, email addresses, mail address,
    correo electronico, correo, correos, correo e, direccion de correo electronico, direccion de
    correo, direccion correo, direccion email, email contacto, correu electronic, correu, adreca
    electronica, adreca de correu, endereco de email, endereco de e mail, endereco email, correio
    eletronico, correio electronico, posta elettronica, indirizzo email, indirizzo e mail, indirizzo
    mail, indirizzo di posta elettronica, work email, home email, secondary email, email value,
    correo electronico valor, e mail valor, email valor, direccion de e mail, endereco de correio
    eletronico, endereco de correio electronico, endereco eletronico, indirizzo di posta`,
  'contact.identifiers': `
    identifiers, other identifiers, identificadores, otros identificadores, identificatori`,
  'contact.advertiserType': `
    advertiser type, seller type, owner type, tipo anunciante, tipo de anunciante, tipus anunciant,
    tipus d anunciant, tipo inserzionista, tipo di inserzionista, particular agencia, particular o
    agencia, particular profesional, privato agenzia, private or agency, tipo vendedor, tipo de
    vendedor, tipo propietario, tipo de propietario, tipo venditore, tipo proprietario`,
  status: `
    lead status, status, estado lead, estado del lead, estado contacto, estado del contacto, estado
    cliente, estat del contacte, estado do lead, estado do contacto, stato lead, stato del lead,
    stato contatto, fase, etapa, stage, deal stage, lead stage, estado candidato, estado del
    candidato, estado posible cliente, estado de posible cliente, estado seguimiento, estado de
    seguimiento, estado del cliente, estado do cliente, estado comercial, status do lead, status
    lead, stato cliente, stato del cliente, stato del contatto, stato trattativa, fase lead, fase
    del lead, etapa del lead, etapa do lead`,
  tags: `
    tags, tag, labels, label, etiquetas, etiqueta, etiquetes, etichette, etichetta, marcadores,
    groups, group membership, grupos, gruppi, categories, categorias, palabras clave, parole chiave,
    palavras chave, tags contacto, etiquetas contacto`,
  note: `
    notes, note, notas, nota, notes internes, notas internas, observaciones, observacion,
    observacions, observacoes, osservazioni, obs, comentarios, comentario, comentaris, comments,
    comment, commenti, remarks, annotazioni, anotaciones, internal notes, mensaje, mensagem,
    messaggio, message, nota interna, nota privada, notas privadas, notas adicionales, notas
    adicionais, notas del contacto, notas do contacto, observaciones internas, observaciones
    privadas, observaciones cliente, observacoes internas, comentarios internos, comentario interno,
    note interne, nota interna, note private, note cliente, osservazione, annotazione, anotacion,
    anotacao, anotacoes, texto del mensaje, texto mensaje, testo messaggio, testo del messaggio,
    texto da mensagem, consulta, richiesta cliente, messaggio cliente, mensaje cliente, memo,
    apuntes, appunti`,
  aldabaId: 'aldaba id',
  externalId: `
    external id, crm id, id crm, ref crm, referencia crm, codigo crm, externalid, id externo, id externa, id esterno, record id, contact id, lead id,
    property id, id, uuid, id cliente, id contacto, id inmueble, id propiedad, id immobile, id
    imovel, cod cliente, codigo cliente, codice cliente, ref, refer, referencia, reference,
    riferimento, rif, ref inmueble, referencia inmueble, referencia propiedad, referencia interna,
    referencia do imovel, riferimento annuncio, property ref, property reference, listing id, id
    anuncio, id annuncio, codigo, codi, codice, cod ofer, cod oferta, codigo inmueble, codigo
    propiedad, codigo imovel, codice immobile, n referencia, n ref, id de registro, id registro, id
    do registro, id record, id de lead, id contatto, id contato, id candidato, id posible cliente,
    id persona, id do imovel, identificador, identificativo, codigo anuncio, codigo de anuncio,
    codigo interno, codigo de referencia, codigo referencia, codigo do imovel, codice annuncio,
    codice riferimento, codice interno, cod, cod inmueble, cod anuncio, cod propiedad, cod imovel,
    cod immobile, cod interno, cod rif, cod ref, num referencia, num ref, numero referencia, numero
    de referencia, numero riferimento, numero di riferimento, n rif, num rif, rif immobile, rif
    annuncio, riferimento immobile, riferimento interno, ref anuncio, ref propia, ref interna, ref
    externa, ref imovel, ref do imovel, ref propiedad, ref vivienda, referencia propia, referencia
    anuncio, referencia del anuncio, referencia externa, referencia cliente, referencia del
    inmueble, referencia do anuncio, referencia imovel, referencia immobile, referencia interna do
    imovel, n expediente, expediente, property code`,
  'lawfulBasis.kind': `
    lawful basis, legal basis, legal basis for processing, legal basis for processing contact s data,
    base legal, base juridica, base legitimadora, legitimacion, base giuridica, base de licitud,
    consent, consentimiento, consentiment, consentimento, consenso, consenso privacy, marketing consent,
    consentimiento rgpd, gdpr consent`,
  'lawfulBasis.at': `
    consent date, consent at, consented at, date of consent, lawful basis date, fecha consentimiento,
    fecha de consentimiento, fecha del consentimiento, data consentiment, data del consentiment, data
    consentimento, data do consentimento, data de consentimento, data consenso, data del consenso, fecha
    rgpd`,
  'lawfulBasis.proof': `
    lawful basis proof, legal basis proof, proof of consent, consent proof, consent text, consent source,
    prueba consentimiento, prueba del consentimiento, prueba de consentimiento, texto consentimiento,
    texto del consentimiento, origen consentimiento, origen del consentimiento, prova consentiment, prova
    del consentiment, prova consentimento, prova do consentimento, prova de consentimento, origem do
    consentimento, prova consenso, prova del consenso, testo consenso, origine consenso`,
  'lawfulBasis.channels': `
    consent channels, consent channel, lawful basis channels, canales consentimiento, canales de
    consentimiento, canal consentimiento, canals consentiment, canais de consentimento, canali consenso,
    canali del consenso`,
  'lawfulBasis.expiresAt': `
    consent expiry, consent expires, consent expires at, consent until, lawful basis expires at,
    caducidad consentimiento, caducidad del consentimiento, vencimiento consentimiento, caducitat
    consentiment, validade do consentimento, validade consentimento, scadenza consenso, scadenza del
    consenso`,
}
