/** Exports of CRMs and address books of Spain, Portugal and Italy: the guessed field of each column. */
import { describe, expect, test } from 'vitest'
import { guessMapping } from './guess-mapping.ts'
import type { LeadField } from './lead-fields.ts'
import { readTable } from './table-test-helpers.ts'

type Column = [heading: string, cell: string, field: LeadField | null]

const crmExports: Record<string, Column[]> = {
  'an agency program of Spain': [
    ['Ref.', 'IN-001', 'externalId'],
    ['Acción', 'Vender', 'property.operation'],
    ['Tipo', 'Piso', 'property.propertyType'],
    ['Población', 'Alcorcón', 'property.municipality'],
    ['Zona', 'Centro', null],
    ['Precio', '185.000 €', 'property.price'],
    ['M. const.', '80', 'property.squareMeters'],
    ['M. útiles', '72', null],
    ['Hab.', '3', 'property.rooms'],
    ['Baños', '1', 'property.bathrooms'],
    ['Propietario', 'Rosa Pérez', 'contact.name'],
    ['Tfno. móvil', '612 345 678', 'contact.phone'],
    ['Tfno. fijo', '91 611 22 33', 'contact.phone'],
    ['E-mail', 'rosa@example.com', 'contact.email'],
    ['Dirección', 'C/ Mayor 3', 'property.address'],
    ['C.P.', '28921', 'property.postcode'],
    ['Planta', '3º B', 'property.floor'],
    ['Conservación', 'Buen estado', 'property.condition'],
    ['Captador', 'Luis', null],
    ['Notas internas', 'Llamar tarde', 'note'],
  ],
  "an agent's own sheet": [
    ['Cód. interno', '1001', 'externalId'],
    ['Propietario/a', 'Rosa Pérez', 'contact.name'],
    ['DNI', '00000000T', null],
    ['Tel. 1', '612345678', 'contact.phone'],
    ['Tel. 2', '', 'contact.phone'],
    ['Mail propietario', 'rosa@example.com', 'contact.email'],
    ['Tipo op.', 'VENTA', 'property.operation'],
    ['Tipo inm.', 'PISO', 'property.propertyType'],
    ['Calle/Plaza', 'C/ Mayor', 'property.address'],
    ['Núm.', '3', 'property.streetNumber'],
    ['Localidad', 'Getafe', 'property.municipality'],
    ['Nº Dorm.', '3', 'property.bedrooms'],
    ['P.V.P.', '199.000', 'property.price'],
    ['Extras', 'ascensor', 'property.features'],
    ['Email del agente', 'agente@example.com', null],
    ['Móvil comercial', '+34 699 11 22 33', null],
  ],
  'prices of an aggregator': [
    ['Property ID', '99', 'externalId'],
    ['Precio pedido', '€ 320,000', 'property.price'],
    ['Precio/m2', '3200', null],
    ['Nombre del contacto', 'Pepe', 'contact.name'],
    ['Teléfono del contacto', '+34 612 345 678', 'contact.phone'],
    ['Enlace', 'https://x.example/99', 'property.url'],
  ],
  'enquiries of a portal': [
    ['fecha', '2025-02-01', null],
    ['nombre_contacto', 'Ana', 'contact.name'],
    ['telefono_usuario', '612345678', 'contact.phone'],
    ['email_usuario', 'ana@example.com', 'contact.email'],
    ['texto_mensaje', 'Me interesa', 'note'],
    ['referencia_anuncio', 'R-1', 'externalId'],
    ['precio_anuncio', '120000', 'property.price'],
  ],
  'an agency program of Portugal': [
    ['Referência', 'EG1', 'externalId'],
    ['Natureza', 'Apartamento', 'property.propertyType'],
    ['Objetivo', 'Venda', 'property.operation'],
    ['Tipologia', 'T2', 'property.bedrooms'],
    ['Preço de Venda', '250.000 €', 'property.price'],
    ['Área Bruta', '85', 'property.squareMeters'],
    ['Concelho', 'Lisboa', 'property.municipality'],
    ['Freguesia', 'Arroios', null],
    ['Proprietário', 'Inês Sá', 'contact.name'],
    ['Contacto', '912 345 678', 'contact.phone'],
    ['Nº Telemóvel', '912 345 679', 'contact.phone'],
    ['Observações', 'Ligar', 'note'],
    ['Angariador', 'Ana', null],
  ],
  'an agency program of Italy': [
    ['Rif.', 'G1', 'externalId'],
    ['Motivazione', 'Vendita', 'property.operation'],
    ['Tipologia', 'Appartamento', 'property.propertyType'],
    ['Comune', 'Milano', 'property.municipality'],
    ['Indirizzo', 'Via Roma 1', 'property.address'],
    ['CAP', '20121', 'property.postcode'],
    ['Prezzo richiesto', '€ 320.000,00', 'property.price'],
    ['Mq commerciali', '90', 'property.squareMeters'],
    ['N. locali', '3', 'property.rooms'],
    ['N. bagni', '1', 'property.bathrooms'],
    ['Piano', '2', 'property.floor'],
    ['Cognome e Nome', 'Verdi Giuseppe', 'contact.name'],
    ['Cell.', '347 1234567', 'contact.phone'],
    ['Tel. ufficio', '02 1234567', 'contact.phone'],
    ['Recapito mail', 'g@example.it', 'contact.email'],
    ['Stato conservazione', 'Ottimo', 'property.condition'],
    ['Telefono agenzia', '+39 02 7654321', null],
  ],
  'HubSpot in Spanish': [
    ['ID de registro', '1234', 'externalId'],
    ['Nombre', 'Ana', 'contact.firstName'],
    ['Apellidos', 'Gil', 'contact.lastName'],
    ['Correo', 'ana@example.com', 'contact.email'],
    ['Número de teléfono', '+34612345678', 'contact.phone'],
    ['Número de teléfono móvil', '', 'contact.phone'],
    ['Propietario del contacto', 'Comercial Uno', null],
    ['Estado del lead', 'Nuevo', 'status'],
    ['Ciudad', 'Madrid', 'property.municipality'],
  ],
  'Pipedrive in Portuguese': [
    ['Pessoa - Nome', 'Rui', 'contact.name'],
    ['Pessoa - Telefone - Trabalho', '912345678', 'contact.phone'],
    ['Pessoa - E-mail - Trabalho', 'rui@example.pt', 'contact.email'],
    ['Negócio - Valor', '450000', 'property.price'],
    ['Negócio - Proprietário', 'Agente', null],
    ['Pessoa - ID', '77', 'externalId'],
  ],
  'Zoho in Italian': [
    ['ID record', 'z1', 'externalId'],
    ['Nome', 'Marco', 'contact.firstName'],
    ['Cognome', 'Rossi', 'contact.lastName'],
    ['Cellulare', '3471234567', 'contact.phone'],
    ['Telefono abitazione', '021234567', 'contact.phone'],
    ['Proprietario di Lead', 'Agente', null],
    ['Stato del lead', 'Contattato', 'status'],
    ['Fonte del lead', 'Web', null],
  ],
  'the database of an agency program of Spain': [
    ['cod_ofer', '10233', null],
    ['ref', 'VA-0123', 'externalId'],
    ['keyacci', 'Vender', 'property.operation'],
    ['tipo_ofer', 'Piso', 'property.propertyType'],
    ['precioinmo', '185000', 'property.salePrice'],
    ['precioalq', '0', 'property.rentPrice'],
    ['calle', 'Calle Sueca', 'property.address'],
    ['numero', '45', 'property.streetNumber'],
    ['planta', '3', 'property.floor'],
    ['banyos', '2', 'property.bathrooms'],
    ['m_cons', '95', 'property.squareMeters'],
    ['aire_con', '1', 'property.features'],
    ['emailprop', 'rosa@example.com', 'contact.email'],
    ['tituloes', 'Piso luminoso', 'property.title'],
    ['descripcioneses', 'Vivienda exterior', 'property.description'],
    ['latitud', '39,46189', 'property.latitude'],
    ['altitud', '-0,37321', 'property.longitude'],
  ],
  'an agency program on the web': [
    ['Operación', 'Venta', 'property.operation'],
    ['Precio de venta', '320.000 €', 'property.salePrice'],
    ['Precio de alquiler', '', 'property.rentPrice'],
    ['Calle', 'Gran Vía', 'property.address'],
    ['Número', '12', 'property.streetNumber'],
    ['Teléfono del propietario', '34600112233', 'contact.phone'],
  ],
  'enquiries of a portal, by listing': [
    ['Nombre', 'Carlos', 'contact.name'],
    ['Anuncio', 'Piso en venta en calle de Fuencarral', 'property.title'],
    ['Precio anuncio', '450.000 €', 'property.price'],
  ],
  'enquiries with URLs of listings': [
    ['Nombre', 'Carlos', 'contact.name'],
    ['Anuncio', 'https://portal.example/1', 'property.url'],
  ],
  'another agency program of Portugal': [
    ['Nome do interessado', 'Filipa Sousa', 'contact.name'],
    ['Preço Venda', '285.000 €', 'property.salePrice'],
    ['Preço Arrendamento', '', 'property.rentPrice'],
    ['Morada', 'Rua Maria Andrade', 'property.address'],
    ['N.º Porta', '24', 'property.streetNumber'],
    ['GPS Latitude', '38.7262', 'property.latitude'],
    ['GPS Longitude', '-9.1341', 'property.longitude'],
    ['Descrição (PT)', 'Apartamento remodelado', 'property.description'],
  ],
  'another agency program of Italy': [
    ['Indirizzo', 'Via Borsieri', 'property.address'],
    ['Civico', '14', 'property.streetNumber'],
    ['Box', 'NO', 'property.features'],
    ['Giardino', 'Nessuno', 'property.features'],
    ['Prezzo vendita', '395.000', 'property.price'],
  ],
  'prospects of an aggregator': [
    ['Prospect name', 'Ana', 'contact.name'],
    ['Prospect phone', '612 345 678', 'contact.phone'],
  ],
  'numbers without a street': [
    ['Número', '3', null],
    ['Civico', '4', null],
    ['Nombre', 'Ana', 'contact.name'],
  ],
  'Outlook in Spanish': [
    ['Nombre', 'Eva', 'contact.firstName'],
    ['Apellidos', 'Ruiz', 'contact.lastName'],
    ['Dirección de correo electrónico', 'eva@example.com', 'contact.email'],
    ['Teléfono particular', '912345678', 'contact.phone'],
    ['Teléfono del trabajo', '', 'contact.phone'],
    ['Calle del domicilio', 'Calle Sol 1', 'property.address'],
    ['Código postal (particular)', '28013', 'property.postcode'],
  ],
  'Google in Spanish': [
    ['Nombre', 'Eva', 'contact.firstName'],
    ['Segundo nombre', 'María', 'contact.firstName'],
    ['Apellidos', 'Ruiz', 'contact.lastName'],
    ['Correo electrónico 1 - Valor', 'eva@example.com', 'contact.email'],
    ['Teléfono 1 - Valor', '612345678', 'contact.phone'],
    ['Dirección 1 - Calle', 'Calle Sol 1', 'property.address'],
    ['Dirección 1 - Código postal', '28013', 'property.postcode'],
  ],
}

describe.each(Object.entries(crmExports))('%s', (_program, columns) => {
  const headings = columns.map(([heading]) => heading)
  const mapping = guessMapping(headings, [columns.map(([, cell]) => cell)])

  test.each(columns)('%s (%s) is %s', (heading, _cell, field) => {
    expect(mapping[heading]).toBe(field)
  })
})

const tableWithHeadings = 'Nombre;Teléfono;Precio\nAna;612345678;200000\nEva;699112233;210000\n'

test.each<[what: string, rowsAbove: string, row: number]>([
  ['nothing', '', 1],
  ['a title that is a heading', 'Contacto\n', 2],
  ['another such title, and a blank line', 'Notas\n\n', 3],
  ['a title within quotes', '"Contacto";"";""\n', 2],
  ['a title, a note and a date', 'Propietarios\nContacto\nFecha: 03/02/2025\n', 4],
  ['the names of groups of columns', 'Contacto;;Precio\n', 2],
])('headings below %s are found', async (_what, rowsAbove, row) => {
  const { headings, format, rows } = await readTable(rowsAbove + tableWithHeadings)
  expect([format.separator, format.headerRow]).toEqual([';', row])
  expect(headings).toEqual(['Nombre', 'Teléfono', 'Precio'])
  expect(rows).toHaveLength(2)
})

test.each([
  ['Dirección\n"Calle Mayor, 3"\nCalle Sol, 4\nCalle Luna, 5\n', ['Dirección']],
  ['Teléfono\n612345678\n699112233\n', ['Teléfono']],
  ['Nombre;Tipo;Piso\nAna;Piso;2\nVenta;Piso;Planta\n', ['Nombre', 'Tipo', 'Piso']],
])('%j has its headings in the first row', async (file, headings) => {
  const table = await readTable(file)
  expect([table.format.headerRow, table.headings]).toEqual([1, headings])
})
