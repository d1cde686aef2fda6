/** Headings as CRMs, address books, portals and agents write them, and cells that identify their column. */
import { describe, expect, test } from 'vitest'
import { guessMapping } from './guess-mapping.ts'
import { findFieldByHeading } from './heading-key.ts'
import { isLeadField, leadFields } from './lead-fields.ts'

const testHeadings: Record<string, string> = {
  'contact.name': `Nombre y apellidos|Nombre completo|NOMBRE CLIENTE|Nombre del propietario|Propietario|Contacto|Persona de contacto|
    Nom i cognoms|Nome completo|Nome e cognome|Nominativo|Full Name|Display Name|Person - Name|Contact name|Owner name|Cliente`,
  'contact.firstName': 'First Name|Given Name|first_name|firstName|Nom de pila|Primeiro nome|Middle Name',
  'contact.lastName': `Apellidos|Primer apellido|Segundo apellido|Cognoms|Cognome|Apelido|Sobrenome|Last Name|Family Name|
    Surname|lastname`,
  'contact.phone': `Tlf.|Tfno|TELÉFONO|Teléfono 1|Teléfono 2|Teléfono (móvil)|Móvil|Tel. móvil|N.º de teléfono|Telefon|Mòbil|
    Telemóvel|Telefone|Cellulare|Telefono fisso|Recapito telefonico|Phone 1 - Value|Mobile Phone|Phone Number|
    Business Phone|Home Phone|Person - Phone|Whatsapp|Celular|Teléfono propietario|contact.phone|Tel|phoneNumber`,
  'contact.email': `Correo electrónico|E-mail|EMAIL|Correu electrònic|E-mail 1 - Value|E-mail Address|Email address|Mail|
    Person - Email - Work|Indirizzo e-mail|Endereço de email|Email propietario`,
  'contact.identifiers': 'contact.identifiers|Otros identificadores',
  'contact.advertiserType': 'Tipo de anunciante|Advertiser type|Particular/Agencia|Tipo inserzionista',
  'property.operation':
    'Operación|Tipo operación|Venta/Alquiler|Operació|Operação|Tipo contratto|Transaction type',
  'property.propertyType': `Tipo de inmueble|Tipo propiedad|Tipus immoble|Tipo de imóvel|Tipo immobile|Property Type`,
  'property.title': 'Título anuncio|Titolo annuncio|Listing title|Título|Title',
  'property.description': 'Descripción|Descripció|Descrição|Descrizione|Description',
  'property.price': `Precio|Precio (€)|PRECIO VENTA|PVP|Preu|Preço|Preço (€)|Prezzo|Prezzo richiesto|Asking price|Price|Importe|
    Valor de venda|Precio €`,
  'property.currency': 'Moneda|Divisa|Currency|Moeda|Valuta',
  'property.squareMeters': `m2|M²|Superficie|Superficie (m2)|Sup. útil|Sup. construida|m2 construidos|Metros cuadrados|Metres quadrats|
    Área bruta|MQ|Metri quadri|Sqm|Square Meters|squareMeters|Built area`,
  'property.rooms': 'Habitaciones|Nº hab.|Num. habitaciones|Habitacions|Divisões|Locali|N. locali|Vani|Rooms',
  'property.bedrooms':
    'Dormitorios|Nº dorm.|Dormitoris|Quartos|N.º de quartos|Camere|Camere da letto|Bedrooms|Beds',
  'property.bathrooms': 'Baños|Nº baños|Banys|Casas de banho|WC|Bagni|Bathrooms|Number of bathrooms',
  'property.floor': 'Planta|Piso|Andar|Piano|Floor',
  'property.floorText': 'Floor text',
  'property.condition':
    'Estado de conservación|Estado del inmueble|Estat de conservació|Stato immobile|Condition',
  'property.features': 'Características|Extras|Equipamento|Dotazioni|Features|Amenities',
  'property.address':
    'Dirección|Domicilio|Calle|Adreça|Morada|Indirizzo|Via|Address|Street Address|Dirección del inmueble',
  'property.streetNumber':
    'Nº porta|N.º de porta|Civico|N. civico|Número de calle|House number|Street number',
  'property.salePrice': 'property.salePrice',
  'property.rentPrice': 'property.rentPrice',
  'property.municipality':
    'Municipio|Población|Localidad|Ciudad|Municipi|Concelho|Cidade|Comune|Città|City|Town/City',
  'property.province': 'Provincia|Prov.|Província|Distrito|Province|County|State/Region',
  'property.postcode':
    'Cód. postal|Código Postal|C.P.|CP|Codi postal|CAP|Postcode|Zip|Postal Code|ZIP/Postal Code',
  'property.latitude': 'Latitud|Lat|Latitude|Latitudine',
  'property.longitude': 'Longitud|Lng|Lon|Longitude|Longitudine',
  'property.images': 'Fotos|Imágenes|Immagini|Images|Photo URLs',
  'property.url': 'URL|Enlace|Enllaç|Link annuncio|URL del anuncio|Link',
  'property.publishedAt':
    'Fecha de publicación|Data publicació|Data de publicação|Data pubblicazione|Published at',
  status: 'Estado del lead|Lead Status|Stato contatto|Fase',
  tags: 'Etiquetas|Etiquetes|Etichette|Tags|Labels',
  note: 'Observaciones|Notas|Observacions|Observações|Note|Notes|Comentarios|Commenti',
  aldabaId: 'Aldaba ID',
  externalId:
    'Id externo|Referencia CRM|Ref.|Referencia|ID|id|Riferimento|Referência|Código|Record ID|External ID',
  'lawfulBasis.kind': 'Base legal|Base jurídica|Base giuridica|Lawful basis|Consentimiento',
  'lawfulBasis.at': 'Fecha de consentimiento|Data consenso|Data do consentimento|Consent date',
  'lawfulBasis.proof': 'Texto del consentimiento|Prova del consenso|Prova do consentimento|Consent proof',
  'lawfulBasis.channels': 'Canales de consentimiento|Canali del consenso|Consent channels',
  'lawfulBasis.expiresAt': 'Caducidad del consentimiento|Scadenza consenso|Consent expires at',
}

describe.each(Object.entries(testHeadings))('%s', (field, headings) => {
  test.each(headings.split('|').map(heading => heading.trim()))('%s', heading => {
    expect(findFieldByHeading(heading)?.field).toBe(field)
  })
})

test('every field has headings, and matches its own name', () => {
  // Only our exports have a column with all custom fields as JSON.
  const fields = leadFields.filter(field => field !== 'customFields')
  expect(Object.keys(testHeadings).sort()).toEqual(fields.toSorted())
  for (const field of fields) expect(findFieldByHeading(field)?.field).toBe(field)
  expect(findFieldByHeading('customFields.Portal de origen')?.field).toBe('customFields.Portal de origen')
  expect(['contact.phone', 'customFields.x', 'customFields.', 'contact', ''].map(isLeadField)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})

test.each([
  'Contact owner',
  'Lead Owner',
  'Propietario del contacto',
  'Owner',
  'Phone 1 - Type',
  'E-mail 1 - Label',
  'Precio/m2',
  '€/m²',
  'Price per sqm',
  'Precio anterior',
  'Company Name',
  'Organization - Name',
  'Lead Source',
  'Fecha',
  'Cumpleaños',
  'DNI',
  'IBAN',
  'Número',
  '',
  '123',
  'Edad',
])('%j names no field', heading => {
  expect(findFieldByHeading(heading)).toBeNull()
})

describe('headings of well-known exports', () => {
  const exportMapping: [program: string, mapping: Record<string, string | null>][] = [
    [
      'Google Contacts',
      {
        'First Name': 'contact.firstName',
        'Middle Name': 'contact.firstName',
        'Last Name': 'contact.lastName',
        Labels: 'tags',
        'E-mail 1 - Label': null,
        'E-mail 1 - Value': 'contact.email',
        'Phone 1 - Label': null,
        'Phone 1 - Value': 'contact.phone',
        'Address 1 - Street': 'property.address',
        'Address 1 - City': 'property.municipality',
        'Address 1 - Postal Code': 'property.postcode',
        'Organization Name': null,
        Notes: 'note',
      },
    ],
    [
      'Salesforce',
      {
        'Lead ID': 'externalId',
        Salutation: null,
        'First Name': 'contact.firstName',
        'Last Name': 'contact.lastName',
        Title: null,
        'Company / Account': null,
        'Lead Source': null,
        Street: 'property.address',
        City: 'property.municipality',
        'State/Province': 'property.province',
        'Zip/Postal Code': 'property.postcode',
        Phone: 'contact.phone',
        Mobile: 'contact.phone',
        Email: 'contact.email',
        'Lead Owner': null,
      },
    ],
    [
      'Pipedrive',
      {
        'Person - Name': 'contact.name',
        'Person - Phone': 'contact.phone',
        'Person - Email - Work': 'contact.email',
        'Deal - Title': 'property.title',
        'Deal - Value': 'property.price',
        'Deal - Currency': 'property.currency',
        'Deal - Stage': 'status',
        'Deal - Owner': null,
      },
    ],
    [
      'a portal’s tool',
      {
        Ref: 'externalId',
        'Nº hab.': 'property.rooms',
        'm²': 'property.squareMeters',
        'C.P.': 'property.postcode',
        Propietario: 'contact.name',
        'Tlf. propietario': 'contact.phone',
        Ascensor: 'property.features',
      },
    ],
  ]
  test.each(exportMapping)('%s', (_, mapping) => {
    expect(guessMapping(Object.keys(mapping), [])).toEqual(mapping)
  })
})

describe('columns in context', () => {
  const rows: [what: string, headings: string[], sample: string[][], fields: (string | null)[]][] = [
    ['a name beside a surname', ['Nombre', 'Apellidos'], [], ['contact.firstName', 'contact.lastName']],
    ['a name alone', ['Nombre', 'Tel'], [], ['contact.name', 'contact.phone']],
    ['the built area wins', ['Sup. útil', 'Sup. construida'], [], [null, 'property.squareMeters']],
    ['several phones', ['Móvil', 'Teléfono fijo'], [], ['contact.phone', 'contact.phone']],
    [
      'a form of address',
      ['Title', 'First Name', 'City'],
      [],
      [null, 'contact.firstName', 'property.municipality'],
    ],
    ['a title', ['Title', 'Price'], [], ['property.title', 'property.price']],
    ['a state of the flat', ['Estado'], [['Buen estado'], ['A reformar']], ['property.condition']],
    ['a state of the lead', ['Estado'], [['Contactado'], ['Nuevo'], ['Perdido']], ['status']],
    ['an unknown state', ['Estado'], [['17'], ['B']], [null]],
    ['a state of new leads', ['Estado'], [['Nuevo'], ['Nuevo']], ['status']],
    ['a status of new leads', ['status'], [['new'], ['won']], ['status']],
    ['a status of new flats', ['status'], [['new'], ['to renovate'], ['new']], ['property.condition']],
    ['a county', ['State'], [['Kent'], ['Essex']], ['property.province']],
    ['a type of flat', ['Tipo'], [['Piso'], ['Chalet']], ['property.propertyType']],
    ['a type of deal', ['Tipo'], [['Venta'], ['Alquiler']], ['property.operation']],
    ['a type of seller', ['Tipo'], [['Particular'], ['Agencia']], ['contact.advertiserType']],
    [
      'yes and no',
      ['Ascensor', 'Piscina'],
      [
        ['Sí', 'No'],
        ['no', ''],
      ],
      ['property.features', 'property.features'],
    ],
    [
      'unambiguous cells',
      ['x', 'y', 'z'],
      [['a@b.es', '+34 612 345 678', '250.000 €']],
      ['contact.email', 'contact.phone', 'property.price'],
    ],
    [
      'phones without a heading',
      ['column 1', 'column 2'],
      [
        ['Ana', '612345678'],
        ['Eva', '934123456'],
      ],
      [null, 'contact.phone'],
    ],
    ['digits under an unknown heading', ['Pedido'], [['612345678'], ['612345679']], [null]],
    [
      'a link and pictures',
      ['x', 'y'],
      [['https://p.es/piso/1', 'https://p.es/1.jpg']],
      ['property.url', 'property.images'],
    ],
    ['half of the cells only', ['x'], [['a@b.es'], ['nada']], [null]],
  ]
  test.each(rows)('%s', (_, headings, sample, fields) => {
    expect(Object.values(guessMapping(headings, sample))).toEqual(fields)
  })

  test('property types are recognized only in a column with varied cells', () => {
    const cells = [
      ['Home', 'Piso'],
      ['Home', 'Ático'],
      ['Home', 'Local'],
    ]
    expect(guessMapping(['E-mail 1 - Label', 'Clase B'], cells)).toEqual({
      'E-mail 1 - Label': null,
      'Clase B': 'property.propertyType',
    })
  })

  test('names of built-in object properties are ordinary headings', () => {
    const mapping = guessMapping(['constructor', '__proto__', 'Nombre'], [])
    expect(Object.entries(mapping)).toEqual([
      ['constructor', null],
      ['__proto__', null],
      ['Nombre', 'contact.name'],
    ])
  })
})
