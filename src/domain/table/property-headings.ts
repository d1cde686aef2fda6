// How the columns about properties are headed, in the exports of portals and CRMs and in agents' own sheets.
import type { NamedLeadField } from './lead-fields.ts'

/** As `CONTACT_HEADINGS`. */
export const PROPERTY_HEADINGS: Partial<Record<NamedLeadField, string>> = {
  'property.operation': `
    operation, operacion, operacio, operacao, operazione, tipo operacion, tipo de operacion, tipus
    operacio, tipus d operacio, tipo de operacao, tipo operazione, tipo de negocio, negocio,
    transaction, transaction type, listing type, contratto, tipo contratto, tipologia contratto, venta
    alquiler, venta o alquiler, alquiler venta, venda lloguer, venda arrendamento, vendita affitto, sale
    or rent, sale rent, finalidad, finalidade, finalita, objetivo`,
  'property.propertyType': `
    property type, type of property, tipo inmueble, tipo de inmueble, tipo propiedad, tipo de propiedad,
    tipo vivienda, tipo de vivienda, tipus immoble, tipus d immoble, tipus habitatge, tipo imovel, tipo
    de imovel, tipo do imovel, tipo immobile, tipo di immobile, tipologia immobile, categoria immobile,
    inmueble, tipologia, subtipo, home type`,
  'property.title': `
    listing title, property title, titulo anuncio, titulo del anuncio, titol anunci, titulo do anuncio,
    titolo annuncio, title, titulo, titol, titolo, titular anuncio, headline, encabezado, asunto,
    oggetto, property name, nombre inmueble, nombre propiedad`,
  'property.description': `
    description, descripcion, descripcio, descricao, descrizione, listing description, property
    description, descripcion anuncio, descripcion inmueble, descripcion larga, descripcion completa,
    texto anuncio, texto, testo annuncio, long description, details, detalles`,
  'property.price': `
    price, asking price, list price, listing price, sale price, sales price, guide price, rent price,
    rental price, monthly rent, rent pcm, precio, precio venta, precio de venta, precio actual, precio
    alquiler, precio de alquiler, pvp, importe, renta, preu, preu venda, preu de venda, preu lloguer,
    preco, preco venda, preco de venda, preco pedido, valor de venda, valor pedido, prezzo, prezzo
    richiesto, prezzo di vendita, prezzo vendita, richiesta, canone, canone mensile, deal value, amount,
    renda, valor`,
  'property.currency': `
    currency, currency code, moneda, divisa, moeda, valuta, deal currency`,
  'property.squareMeters': `
    square meters, square metres, sqm, sq m, built area, built up area, floor area, total area, m2
    construidos, m2 const, m2 cons, m2 c, metros construidos, metros cuadrados construidos, superficie
    construida, sup construida, sup const, area bruta, area bruta construida, m2 construits, superficie
    construida m2, superficie commerciale, superficie, sup, metros cuadrados, metros quadrados, metres
    quadrats, metri quadri, metri quadrati, metros, metratura, mq, m2, area, area m2, area total,
    superficie total, superficie totale, size, size m2, living area, usable area, superficie util,
    superficie utile, sup util, m2 utiles, m2 util, m2 u, metros utiles, m2 utils, area util`,
  'property.rooms': `
    rooms, room count, number of rooms, no of rooms, habitaciones, habitacion, habs, hab, n hab, n habs,
    no hab, num hab, n habitaciones, num habitaciones, numero habitaciones, numero de habitaciones,
    habitacions, n habitacions, nombre d habitacions, estancias, divisoes, assoalhadas, n assoalhadas,
    locali, n locali, numero locali, vani, stanze, numero stanze`,
  'property.bedrooms': `
    bedrooms, beds, bedroom, number of bedrooms, no of bedrooms, no bedrooms, dormitorios, dormitorio,
    dorm, dorms, n dormitorios, n dorm, num dormitorios, numero de dormitorios, dormitoris, quartos, n
    quartos, n de quartos, numero de quartos, camere, camere da letto, camere letto, n camere, numero
    camere`,
  'property.bathrooms': `
    bathrooms, baths, bathroom, number of bathrooms, no of bathrooms, banos, bano, n banos, num banos,
    numero de banos, numero banos, banys, n banys, lavabos, casas de banho, casa de banho, n casas de
    banho, wc, wcs, banheiros, bagni, bagno, n bagni, numero bagni`,
  'property.floor': `
    floor, floor number, floor no, planta, n planta, num planta, altura, piso, andar, piano, pis`,
  'property.condition': `
    condition, property condition, state of repair, estado inmueble, estado del inmueble, estado
    vivienda, estado de conservacion, estado conservacion, conservacion, estat de conservacio, estat
    immoble, estado do imovel, estado de conservacao, condicao, stato immobile, stato dell immobile,
    stato di conservazione, condizioni, condizione`,
  'property.features': `
    features, amenities, extras, equipamiento, caracteristicas, caracteristiques, caratteristiche,
    equipamento, comodidades, dotazioni, accessori`,
  'property.address': `
    address, street address, property address, full address, address line, direccion, direccion
    inmueble, direccion del inmueble, direccion propiedad, direccion vivienda, direccion completa,
    direccion postal, domicilio, calle, nombre calle, nombre de la calle, via publica, adreca, adreca
    completa, carrer, morada, morada completa, morada do imovel, endereco, endereco completo, rua,
    indirizzo, indirizzo immobile, indirizzo completo, via, street, mailing street, home street,
    business street, ubicacion, location, address street, address formatted`,
  'property.municipality': `
    municipality, address city, city, town, town city, city town, home city, business city, mailing city, municipio,
    poblacion, localidad, ciudad, municipi, poblacio, localitat, ciutat, concelho, cidade, localidade,
    comune, citta, localita`,
  'property.province': `
    province, provincia, prov, county, distrito, region, state province, state region, address region, home state,
    business state, mailing state province`,
  'property.postcode': `
    postcode, address postal code, post code, postal code, zip, zip code, zipcode, zip postal code, mailing zip postal code,
    home postal code, business postal code, codigo postal, cod postal, c postal, cp, c p, codi postal,
    cap, codice postale, codice avviamento postale`,
  'property.latitude': `
    latitude, lat, latitud, latitudine, gps lat, coord lat, coordenada y`,
  'property.longitude': `
    longitude, lon, lng, long, longitud, longitudine, gps lon, gps lng, coord lon, coordenada x`,
  'property.images': `
    images, image, image urls, image url, photos, photo, photo urls, pictures, imagenes, imagen, fotos,
    foto, fotografias, imatges, imagens, fotografie, immagini, immagine`,
  'property.url': `
    url, listing url, property url, ad url, link, enlace, enllac, ligacao, collegamento, url anuncio,
    url del anuncio, enlace anuncio, enlace del anuncio, link anuncio, link annuncio, link anunci, url
    annuncio, anuncio, anunci, annuncio, portal url, url portal`,
  'property.publishedAt': `
    published at, published, publication date, publish date, listing date, listed on, date listed, fecha
    publicacion, fecha de publicacion, fecha anuncio, fecha del anuncio, publicado, publicado el, data
    publicacio, data de publicacio, data publicacao, data de publicacao, publicado em, data
    pubblicazione, data di pubblicazione, data annuncio, pubblicato il`,
}
